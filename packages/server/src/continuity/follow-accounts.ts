import { type ChainBreak, followChain, overdueFrom } from '@adx/statements';
import type { Knex } from 'knex';
import { startOfBrusselsDay } from '../dates/brussels-day.js';
import {
  type ChainAccount,
  type ChainWindow,
  type ChangedChain,
  type ListedStatement,
  readChainWindows,
} from './chain-window.js';
import { type MissingRecord, replaceMissing, replaceOverdue } from './missing-records.js';

/** A statement that was just listed, by the id of its file. */
export interface NewStatement extends ChainAccount {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** What the chain of an account says of a new statement. */
export type ChainNotice =
  | ChainBreak<ListedStatement>
  /** It has the number of a listed statement with other content. */
  | {
      readonly kind: 'correction';
      readonly previous: ListedStatement;
      readonly next: ListedStatement;
    };

/**
 * Follows the chains of accounts with new statements, and stores what is missing there (D-30). The caller
 * has locked the customers' `file_arrivals`, so that two transactions do not follow a chain at once.
 *
 * @returns the notices on the new statements
 */
export async function followAccounts(
  trx: Knex.Transaction,
  listed: readonly NewStatement[],
  now: Date,
): Promise<ChainNotice[]> {
  const windows = await readChainWindows(trx, changedChains(listed));
  const isNew = new Set(listed.map(({ id }) => id));
  const notices: ChainNotice[] = [];
  const followed = windows.map((window) => {
    const chain = followChain(window.statements);
    for (const each of chain.breaks) if (isNew.has(each.next.id)) notices.push(each);
    const corrections = new Map<string, ChainNotice>();
    for (const [previous, next] of chain.corrected) {
      const isRepeated = previous.number > 0 && isNew.has(next.id);
      if (isRepeated) corrections.set(next.id, { kind: 'correction', previous, next });
    }
    notices.push(...corrections.values());
    const { account, after, before } = window;
    const missing = chain.breaks.filter(({ next: { date } }) => isWithin(date, after, before));
    return { account, after, before, missing: missing.map(toRecord) };
  });
  await replaceMissing(trx, followed, now);
  await replaceOverdue(trx, windows.flatMap(overdueOf), now);
  return notices;
}

function changedChains(listed: readonly NewStatement[]): ChangedChain[] {
  const chains = new Map<string, ChangedChain>();
  for (const { id: _, date, ...account } of listed) {
    const { customerId, iban, currency, extension } = account;
    const key = JSON.stringify([customerId, iban, currency, extension]);
    const { first = date, last = date } = chains.get(key) ?? {};
    chains.set(key, {
      ...account,
      ...{ first: date < first ? date : first, last: date > last ? date : last },
    });
  }
  return [...chains.values()];
}

/** Returns true if the statement before a date is in the window, too. */
function isWithin(date: string, after: string | undefined, before: string | undefined): boolean {
  return (after === undefined || date > after) && (before === undefined || date <= before);
}

function toRecord(found: ChainBreak): MissingRecord {
  const isGap = found.kind === 'gap';
  return {
    kind: found.kind,
    fromNumber: isGap ? found.fromNumber : null,
    toNumber: isGap ? found.toNumber : null,
    after: found.previous.date,
    before: found.next.date,
  };
}

/** Returns when an account is overdue. Nothing is known of it if the window does not reach its end. */
function overdueOf({ account, statements, before }: ChainWindow) {
  if (before !== undefined) return [];
  const dates = statements.map(({ date }) => date);
  const day = overdueFrom(dates);
  const from = day === undefined ? undefined : startOfBrusselsDay(day);
  const after = dates.reduce((latest, date) => (date > latest ? date : latest));
  return [{ account, after, from }];
}
