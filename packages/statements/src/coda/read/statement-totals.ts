import { formatThousandths } from '../../amount.js';
import type { CodaFindingCode } from '../finding-catalogue.js';
import type { FindingList } from '../finding-list.js';
import type { Balance, Trailer } from '../statement.js';
import type { CodaRecord } from './records/coda-record.js';
import { isAmount } from './records/read-field.js';

/** A balance or trailer and the record that it was read from. */
export interface Read<Value> {
  readonly value: Value;
  readonly record: CodaRecord;
}

/**
 * Counts and adds up the records of a statement, for the checks of records 8 and 9. Each of them is
 * made if everything that it uses could be read.
 */
export class StatementTotals {
  /** The number of records 1, 2, 3 and 8. */
  recordCount = 0;
  #debit = 0n;
  #credit = 0n;
  #amountLost = false;
  #orphans = false;
  #doubtful = 0;

  /** Adds a movement of detail number 0000; details do not count. */
  add(amount: bigint): void {
    if (amount < 0n) this.#debit -= amount;
    else this.#credit += amount;
  }

  /** Notes a movement whose amount cannot be read, or a record that may be one. */
  loseAmount(): void {
    this.#amountLost = true;
  }

  /** Notes a record 2 or 3 of a movement that is not there; its record 2.1 may be missing. */
  addOrphan(): void {
    this.#orphans = true;
  }

  /** Notes records that may have to be counted, or are missing or repeated by another finding. */
  doubt(records: number): void {
    this.#doubtful += records;
  }

  /**
   * Checks that old balance and movements add up to the new balance (record 8, 43-57). If the
   * amount of a movement is lost, the totals of the trailer take the place of the movements.
   */
  checkBalance(
    oldBalance: Read<Balance>,
    newBalance: Read<Balance>,
    trailer: Read<Trailer> | undefined,
    findings: FindingList,
  ): void {
    const total = this.#amountsAreKnown(trailer)
      ? this.#credit - this.#debit
      : totalOfTrailer(trailer);
    if (total === undefined) return;
    const found = newBalance.value.amount;
    const expected = oldBalance.value.amount + total;
    if (found === expected) return;
    if (!isAmount(oldBalance.record, 43) || !isAmount(newBalance.record, 42)) return;
    addDifference('balance', newBalance.record.number, 43, found, expected, findings);
  }

  /** Checks the trailer's count and totals (17-22, 23-37, 38-52). */
  checkTrailer(trailer: Read<Trailer>, findings: FindingList): void {
    const { value, record } = trailer;
    const difference = Math.abs(value.recordCount - this.recordCount);
    if (difference > this.#doubtful && record.digits(17, 22) !== -1) {
      findings.add(
        'trailerCount',
        record.number,
        17,
        `${value.recordCount}`,
        `${this.recordCount}`,
      );
    }
    if (!this.#amountsAreKnown(trailer)) return;
    const { debitTotal, creditTotal } = value;
    if (debitTotal !== this.#debit && record.digits(23, 37) !== -1) {
      addDifference('trailerDebitTotal', record.number, 23, debitTotal, this.#debit, findings);
    }
    if (creditTotal !== this.#credit && record.digits(38, 52) !== -1) {
      addDifference('trailerCreditTotal', record.number, 38, creditTotal, this.#credit, findings);
    }
  }

  /** Orphans matter only if the trailer counted other records than there are. */
  #amountsAreKnown(trailer: Read<Trailer> | undefined): boolean {
    if (this.#amountLost) return false;
    return !this.#orphans || trailer?.value.recordCount === this.recordCount;
  }
}

function totalOfTrailer(trailer: Read<Trailer> | undefined): bigint | undefined {
  if (trailer === undefined) return undefined;
  const { value, record } = trailer;
  const isRead = record.digits(23, 37) !== -1 && record.digits(38, 52) !== -1;
  return isRead ? value.creditTotal - value.debitTotal : undefined;
}

/** Reports an amount that is not the expected one, both in thousandths. */
export function addDifference(
  code: CodaFindingCode,
  record: number,
  position: number,
  found: bigint,
  expected: bigint,
  findings: FindingList,
): void {
  if (found === expected) return;
  findings.add(code, record, position, formatThousandths(found), formatThousandths(expected));
}
