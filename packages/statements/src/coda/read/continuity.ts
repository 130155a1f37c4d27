import type { FindingList } from '../finding-list.js';
import { dayOfYear } from '../format/calendar-date.js';
import { type Statement, statementDate } from '../statement.js';
import { addDifference } from './statement-totals.js';

/** The end of a statement, against which the next one of the account is checked. */
export interface StatementEnd {
  readonly year: number;
  readonly statementNumber: number;
  readonly paperNumber: number;
  /** Thousandths. */
  readonly balance: bigint;
}

/** Returns the end of a statement, for the check of the next one of its account. */
export function endOfStatement(statement: Statement): StatementEnd {
  const { year, statementNumber, paperNumber, newBalance, oldBalance } = statement;
  return { year, statementNumber, paperNumber, balance: (newBalance ?? oldBalance).amount };
}

/** The number of accounts of one file that are followed, so that a file cannot exhaust memory. */
const MAX_ACCOUNTS = 1000;

/**
 * Follows the statements of each account: their numbers rise by one and restart each year, and the
 * old balance is the new balance of the previous statement.
 */
export class Continuity {
  readonly #ends = new Map<string, StatementEnd>();
  readonly #before: ((statement: Statement) => StatementEnd | undefined) | undefined;

  /** @param before the end of an account's last statement in earlier files */
  constructor(before?: (statement: Statement) => StatementEnd | undefined) {
    this.#before = before;
  }

  /** Checks a statement against the previous one. @param record the line of its record 1 */
  follow(statement: Statement, record: number, findings: FindingList): void {
    checkPaperNumber(statement, record, findings);
    // A separate application has neither balances nor a number.
    if (statement.header.separateApplication !== '00000') return;
    const { number, currency, extension } = statement.account;
    const key = `${number} ${currency} ${extension}`;
    const before = this.#ends.get(key) ?? this.#before?.(statement);
    if (before !== undefined) checkAgainst(before, statement, record, findings);
    this.#ends.delete(key);
    this.#ends.set(key, endOfStatement(statement));
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > MAX_ACCOUNTS && oldest !== undefined) this.#ends.delete(oldest);
  }
}

function checkAgainst(
  before: StatementEnd,
  statement: Statement,
  record: number,
  findings: FindingList,
): void {
  const { year, statementNumber, paperNumber, oldBalance } = statement;
  const sameYear = year === before.year;
  // An earlier or repeated statement is not the next one.
  if (year < before.year || (sameYear && statementNumber <= before.statementNumber)) return;
  const expected = sameYear ? before.statementNumber + 1 : 1;
  if (statementNumber > expected && before.statementNumber > 0) {
    findings.add('statementNumberGap', record, 126, `${statementNumber}`, `${expected}`);
  }
  addDifference('oldBalanceGap', record, 43, oldBalance.amount, before.balance, findings);
  if (sameYear && paperNumber > 0 && paperNumber === before.paperNumber) {
    findings.add('paperNumberRepeated', record, 3, `${paperNumber}`);
  }
}

function checkPaperNumber(statement: Statement, record: number, findings: FindingList): void {
  const { paperNumber, statementNumber } = statement;
  if (paperNumber === statementNumber) return;
  const dates = [statementDate(statement), statement.header.creationDate];
  if (dates.some((date) => paperNumber === dayOfYear(date))) {
    findings.add('paperNumberIsDayOfYear', record, 3, `${paperNumber}`);
  }
}
