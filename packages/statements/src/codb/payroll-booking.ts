/**
 * The payroll booking of one employer and month: a `Social` of a CODB file. Debits equal credits.
 * Source, sequence number, account period and enterprise number identify it.
 */
export interface PayrollBooking {
  /** The payroll provider's name as the provider writes it (`Source`). */
  readonly source: string;
  /** The version of the format, such as `1.2`; empty if the file has none. */
  readonly version: string;
  /** The provider's number of the file (`SeqNumber`). */
  readonly sequenceNumber: number;
  /** YYYY-MM-DD (`GenDate`); if the file has none, the last day of the account period. */
  readonly generationDate: string;
  /** Ten digits with valid check digits (`EntNum` without BE). */
  readonly enterpriseNumber: string;
  /** The employer's name (`EntLabel`); empty if the file has none. */
  readonly enterpriseName: string;
  /** The month in which it is booked: YYYYMM. */
  readonly accountPeriod: string;
  readonly lines: readonly PayrollLine[];
}

/** One `TransactionLine`: an amount on one side of one account. */
export interface PayrollLine {
  /** The month of the work: YYYYMM. */
  readonly socialPeriod: string;
  /** The cost centre. */
  readonly department: string | undefined;
  /** The general ledger account, of any length. */
  readonly account: string;
  /** Empty if the file has none. */
  readonly label: string;
  /** Thousandths of a euro; 0 if the amount is a credit. */
  readonly debit: bigint;
  /** Thousandths of a euro; 0 if the amount is a debit. */
  readonly credit: bigint;
}

/** The sums of both sides, in thousandths of a euro. */
export interface PayrollTotals {
  readonly debit: bigint;
  readonly credit: bigint;
}

/** Adds up the lines of a booking, or of one of its departments. */
export function totalPayrollLines(lines: readonly PayrollLine[]): PayrollTotals {
  let debit = 0n;
  let credit = 0n;
  for (const line of lines) {
    debit += line.debit;
    credit += line.credit;
  }
  return { debit, credit };
}
