/** The part of a statement by which the chain of its account is followed. */
export interface ChainStatement {
  /** The year of the statement number: that of its date. */
  readonly year: number;
  /** The coded statement number; 0 if the bank gives none. */
  readonly number: number;
  /** The date of the new balance, `YYYY-MM-DD`; that of the creation if it has none. */
  readonly date: string;
  /** The date on which the file was created, `YYYY-MM-DD`. */
  readonly createdOn: string;
  /** Thousandths. */
  readonly oldBalance: bigint;
  /** Thousandths; the old balance if the statement has no new one. */
  readonly newBalance: bigint;
}
