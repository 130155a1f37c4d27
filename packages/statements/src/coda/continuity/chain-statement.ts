/** The part of a statement that the chain of its account is made of. Dates are `YYYY-MM-DD`. */
export interface ChainStatement {
  /** The coded statement number; 0 if the bank gives none. */
  readonly number: number;
  /** The date of the new balance; that of the creation if it has none. */
  readonly date: string;
  /** The date on which the file was created. */
  readonly createdOn: string;
  /** Thousandths. */
  readonly oldBalance: bigint;
  /** Thousandths; the old balance if the statement has no new one. */
  readonly newBalance: bigint;
}
