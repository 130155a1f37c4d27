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
  /** Thousandths; undefined if it is not known, and then it differs from no other. */
  readonly oldBalance: bigint | undefined;
  /** Thousandths; the old balance if the statement has no new one; undefined if it is not known. */
  readonly newBalance: bigint | undefined;
}
