import { formatThousandths } from '../../amount.js';
import type { FindingList } from '../finding-list.js';
import type { Balance, Trailer } from '../statement.js';
import type { CodaRecord } from './records/coda-record.js';

/** Counts and adds up the records of a statement, for the checks of records 8 and 9. */
export class StatementTotals {
  /** The number of records 1, 2, 3 and 8. */
  recordCount = 0;
  #debit = 0n;
  #credit = 0n;

  /** Adds a movement of detail number 0000; details do not count. */
  add(amount: bigint): void {
    if (amount < 0n) this.#debit -= amount;
    else this.#credit += amount;
  }

  /** Checks that old balance and movements add up to the new balance (record 8, 43-57). */
  checkBalance(
    oldBalance: Balance,
    newBalance: Balance,
    record: CodaRecord,
    findings: FindingList,
  ): void {
    const expected = oldBalance.amount + this.#credit - this.#debit;
    if (newBalance.amount !== expected) {
      const seen = describeDifference(newBalance.amount, expected);
      findings.add('balance', record.number, 43, seen);
    }
  }

  /** Checks the trailer's count and totals (17-22, 23-37, 38-52). */
  checkTrailer(trailer: Trailer, record: CodaRecord, findings: FindingList): void {
    if (trailer.recordCount !== this.recordCount) {
      const seen = `${trailer.recordCount} instead of ${this.recordCount}`;
      findings.add('trailerCount', record.number, 17, seen);
    }
    if (trailer.debitTotal !== this.#debit) {
      const seen = describeDifference(trailer.debitTotal, this.#debit);
      findings.add('trailerDebitTotal', record.number, 23, seen);
    }
    if (trailer.creditTotal !== this.#credit) {
      const seen = describeDifference(trailer.creditTotal, this.#credit);
      findings.add('trailerCreditTotal', record.number, 38, seen);
    }
  }
}

/** Describes an amount that is not the expected one, both in thousandths. */
export function describeDifference(found: bigint, expected: bigint): string {
  return `${formatThousandths(found)} instead of ${formatThousandths(expected)}`;
}
