import { type Chain, followChain, overdueFrom } from '@adx/statements';
import type { Knex } from 'knex';
import { startOfBrusselsDay } from '../dates/brussels-day.js';
import {
  type ChainAccount,
  type ChainWindow,
  type ChangedChain,
  type ListedStatement,
  type MissingRecord,
  readChainWindows,
} from './chain-window.js';
import { changedRecords, storeRecords } from './missing-records.js';

/** A statement that was just listed, by the id of its file. */
export interface NewStatement extends ChainAccount {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** A statement that does not fit into its chain, by the id of its file. */
export interface ChainNotice {
  readonly id: string;
  /** `correction`: it has the number of a listed statement with other content. */
  readonly kind: 'gap' | 'balanceBreak' | 'correction';
}

/**
 * Follows the chains of accounts with new statements, stores what is missing there (D-30), and
 * returns the notices on the new statements. The caller has locked the customers' `file_arrivals`,
 * so that two transactions do not follow a chain at once.
 */
export async function followAccounts(
  trx: Knex.Transaction,
  listed: readonly NewStatement[],
  now: Date,
): Promise<ChainNotice[]> {
  const windows = await readChainWindows(trx, changedChains(listed));
  const followed = windows.map((window) => {
    const chain = followChain(window.statements);
    return { window, chain, missing: [...holesOf(chain, now), ...overdueOf(window, chain)] };
  });
  await storeRecords(
    trx,
    followed.flatMap(({ window, missing }) => changedRecords(window, missing, now)),
  );
  const isNew = new Set(listed.map(({ id }) => id));
  return followed.flatMap(({ chain }) => noticesOf(chain)).filter(({ id }) => isNew.has(id));
}

function changedChains(listed: readonly NewStatement[]): ChangedChain[] {
  const chains = new Map<string, ChangedChain>();
  for (const { id: _, date, ...account } of listed) {
    const { customerId, iban, currency, extension } = account;
    const key = JSON.stringify([customerId, iban, currency, extension]);
    const { first = date, last = date } = chains.get(key) ?? {};
    chains.set(key, {
      ...account,
      first: date < first ? date : first,
      last: date > last ? date : last,
    });
  }
  return [...chains.values()];
}

function noticesOf({ breaks, corrected }: Chain<ListedStatement>): ChainNotice[] {
  const numbered = [...corrected.values()].filter(({ number }) => number > 0);
  return [
    ...breaks.map(({ kind, next: { id } }) => ({ id, kind })),
    ...[...new Set(numbered)].map(({ id }) => ({ id, kind: 'correction' }) as const),
  ];
}

function holesOf({ breaks }: Chain<ListedStatement>, detectedOn: Date): MissingRecord[] {
  return breaks.map((found) => {
    const { kind, previous, next } = found;
    const { fromNumber, toNumber } =
      found.kind === 'gap' ? found : { fromNumber: null, toNumber: null };
    return {
      kind,
      fromNumber,
      toNumber,
      after: previous.date,
      afterNumber: numberOf(previous),
      before: next.date,
      beforeNumber: numberOf(next),
      detectedOn,
    };
  });
}

/** Returns the number of a statement; null if the bank gives none. */
function numberOf(statement: ListedStatement | undefined): number | null {
  return statement?.number || null;
}

/** Returns when the account is overdue; nothing is known unless the window reaches its end. */
function overdueOf(
  { statements, reachesEnd }: ChainWindow,
  chain: Chain<ListedStatement>,
): MissingRecord[] {
  const dates = statements.map(({ date }) => date).sort();
  const after = dates.at(-1);
  const day = reachesEnd ? overdueFrom(dates) : undefined;
  if (day === undefined || after === undefined) return [];
  const detectedOn = startOfBrusselsDay(day);
  const afterNumber = numberOf(chain.statements.findLast(({ date }) => date === after));
  const none = { fromNumber: null, toNumber: null, before: null, beforeNumber: null };
  return [{ kind: 'overdue', ...none, after, afterNumber, detectedOn }];
}
