import { followChain } from '../continuity/chain.js';
import type { ChainStatement } from '../continuity/chain-statement.js';
import type { FindingList } from '../finding-list.js';
import { dayOfYear } from '../format/calendar-date.js';
import { copyKey, type Statement, statementDate } from '../statement.js';
import { addDifference } from './statement-totals.js';

/** The facts of a statement that are known when the next ones of its account are checked. */
export interface StatementEnd extends ChainStatement {
  readonly paperNumber: number;
}

/** Returns what the check of the next statement of its account needs. */
export function endOfStatement(statement: Statement): StatementEnd {
  const { header, statementNumber, paperNumber, newBalance, oldBalance } = statement;
  return {
    number: statementNumber,
    paperNumber,
    date: statementDate(statement),
    createdOn: header.creationDate,
    oldBalance: oldBalance.amount,
    newBalance: (newBalance ?? oldBalance).amount,
  };
}

/** The number of statements of an account that are kept, from which its habit is learned. */
const RECENT = 20;

/** The number of accounts of one file that are followed, so that a file cannot exhaust memory. */
const MAX_ACCOUNTS = 1000;

/** The number of statements whose copies are found. */
const MAX_KNOWN = 50_000;

/**
 * Follows the statements of each account with `followChain`, which says what is missing before a
 * statement, and finds those that are there twice.
 */
export class Continuity {
  readonly #recent = new Map<string, readonly StatementEnd[]>();
  readonly #before: ((statement: Statement) => StatementEnd | undefined) | undefined;
  #known: Set<string> | undefined;
  readonly #isFirstFile: boolean;

  /**
   * @param before the end of an account's last statement in earlier files
   * @param known the keys of statements in earlier files, to which those of this one are added
   */
  constructor(before?: (statement: Statement) => StatementEnd | undefined, known?: Set<string>) {
    this.#before = before;
    this.#known = known;
    this.#isFirstFile = before === undefined && known === undefined;
  }

  /**
   * Checks a statement against those before it.
   *
   * @param record the line of its record 1
   * @param followed another statement follows in the file
   */
  follow(statement: Statement, record: number, followed: boolean, findings: FindingList): void {
    checkPaperNumber(statement, record, findings);
    if (this.#isFirstFile && !followed && this.#known === undefined) return;
    this.#known ??= new Set();
    const key = copyKey(statement);
    const { statementNumber, header } = statement;
    // Nothing tells two statements of a day apart that have neither a number nor a movement.
    const isKnown = this.#known.has(key);
    const isCopy = isKnown && (statementNumber > 0 || statement.movements.length > 0);
    if (isCopy) findings.add('statementRepeated', record, 126, `${statementNumber}`);
    if (this.#known.size < MAX_KNOWN) this.#known.add(key);
    // A separate application has neither balances nor a number. A copy leaves the chain as it is.
    if (isCopy || header.separateApplication !== '00000') return;
    const { iban, number, currency, extension } = statement.account;
    // An account is the same with its former number and with its IBAN.
    const account = `${iban ?? number} ${currency} ${extension}`;
    const recent = this.#recent.get(account) ?? this.#earlier(statement);
    const next = endOfStatement(statement);
    checkAgainst(recent, next, record, findings);
    this.#recent.delete(account);
    this.#recent.set(account, [...recent, next].slice(-RECENT));
    if (this.#recent.size <= MAX_ACCOUNTS) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  #earlier(statement: Statement): readonly StatementEnd[] {
    const before = this.#before?.(statement);
    return before === undefined ? [] : [before];
  }
}

function checkAgainst(
  recent: readonly StatementEnd[],
  next: StatementEnd,
  record: number,
  findings: FindingList,
): void {
  const previous = recent.at(-1);
  if (previous === undefined) return;
  const { breaks, leftOut, corrected } = followChain([...recent, next]);
  if ([...corrected.values()].includes(next)) {
    findings.add('statementRepeated', record, 126, `${next.number}`);
  }
  const found = [...breaks, ...leftOut].find((each) => each.next === next);
  if (found?.kind === 'gap') {
    findings.add('statementNumberGap', record, 126, `${next.number}`, `${found.fromNumber}`);
  }
  if (found?.kind === 'balanceBreak') {
    const { newBalance } = found.previous;
    addDifference('oldBalanceGap', record, 43, next.oldBalance, newBalance, findings);
  }
  const { date, number, paperNumber } = next;
  const isLater = date.slice(0, 4) === previous.date.slice(0, 4) && number > previous.number;
  if (isLater && paperNumber > 0 && paperNumber === previous.paperNumber) {
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
