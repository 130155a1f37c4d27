import { formatThousandths } from '../../amount.js';
import type { FindingList } from '../finding-list.js';
import type { Balance, Trailer } from '../statement.js';
import type { CodaRecord } from './records/coda-record.js';

/** What the records of a statement add up to, to be held against record 8 and record 9. */
export class StatementTotals {
  /** How many records 1, 2, 3 and 8. */
  recordCount = 0;
  #debit = 0n;
  #credit = 0n;

  /** Adds a movement of detail number 0000; the others explain, and do not count. */
  add(amount: bigint): void {
    if (amount < 0n) this.#debit -= amount;
    else this.#credit += amount;
  }

  /** Old balance and movements lead to the new balance (record 8, 43-57). */
  checkBalance(
    oldBalance: Balance,
    newBalance: Balance,
    record: CodaRecord,
    findings: FindingList,
  ): void {
    const expected = oldBalance.amount + this.#credit - this.#debit;
    if (newBalance.amount !== expected) {
      const seen = `${formatThousandths(newBalance.amount)} and not ${formatThousandths(expected)}`;
      findings.add('balance', record.number, 43, seen);
    }
  }

  /** The trailer has the count and both totals (17-22, 23-37, 38-52). */
  checkTrailer(trailer: Trailer, record: CodaRecord, findings: FindingList): void {
    if (trailer.recordCount !== this.recordCount) {
      const seen = `${trailer.recordCount} and not ${this.recordCount}`;
      findings.add('trailerCount', record.number, 17, seen);
    }
    if (trailer.debitTotal !== this.#debit) {
      const seen = `${formatThousandths(trailer.debitTotal)} and not ${formatThousandths(this.#debit)}`;
      findings.add('trailerDebitTotal', record.number, 23, seen);
    }
    if (trailer.creditTotal !== this.#credit) {
      const seen = `${formatThousandths(trailer.creditTotal)} and not ${formatThousandths(this.#credit)}`;
      findings.add('trailerCreditTotal', record.number, 38, seen);
    }
  }
}
