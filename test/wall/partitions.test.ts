import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { largeTables } from '../../packages/server/src/db/partitions.js';
import { nodesOf, type PlanNode } from '../../packages/server/test/db/query-plan.js';
import { type FuzzTarget, operationIds, startFuzzTarget } from '../support/fuzz-target.js';
import { isInCall, outsideCalls } from './sent-statements.js';

/** The partitions of each large table that a statement of a call read or wrote. */
interface Touched {
  readonly text: string;
  readonly partitions: ReadonlyMap<string, ReadonlySet<string>>;
}

const touched: Touched[] = [];
const { query } = pg.Client.prototype;
let target: FuzzTarget;

beforeAll(async () => {
  target = await startFuzzTarget({ partitions: 16 });
  Object.assign(pg.Client.prototype, { query: explainFirst });
});
afterAll(async () => {
  Object.assign(pg.Client.prototype, { query });
  await target.service.close();
});

const ends = /^(begin|commit|rollback|savepoint|release|set|show|listen)\b/i;
const inTransaction = new WeakSet<object>();

/** Runs a statement of a call a first time to see its plan, undoes it, and then sends it. */
function explainFirst(this: pg.Client, ...parameters: unknown[]): unknown {
  const send = (...sent: unknown[]) => Reflect.apply(query, this, sent);
  const [config, given] = parameters as [string | { text: string; values?: unknown[] }, unknown];
  const text = typeof config === 'string' ? config : config.text;
  const values = typeof config === 'string' ? given : config.values;
  if (/^begin/i.test(text)) inTransaction.add(this);
  if (/^(commit|rollback;?$)/i.test(text)) inTransaction.delete(this);
  if (isInCall() && !ends.test(text)) {
    const statement = { text, values: Array.isArray(values) ? values : [] };
    outsideCalls(() => explain(send, statement, inTransaction.has(this)));
  }
  return send(...parameters);
}

function explain(
  send: (...parameters: unknown[]) => unknown,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  isNested: boolean,
): void {
  const ignore = () => {};
  send(isNested ? 'savepoint explained' : 'begin', ignore);
  send(
    { text: `explain (analyze, format json) ${text}`, values },
    (_: unknown, result?: pg.QueryResult) => {
      const plan: PlanNode | undefined = result?.rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan !== undefined) touched.push({ text, partitions: partitionsOf(plan) });
    },
  );
  send(isNested ? 'rollback to explained' : 'rollback', ignore);
}

function partitionsOf(plan: PlanNode): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { 'Relation Name': relation = '', 'Actual Loops': loops = 0 } of nodesOf(plan)) {
    const table = /^(.*)_\d+$/.exec(relation)?.[1];
    if (table === undefined || loops === 0) continue;
    found.set(table, (found.get(table) ?? new Set()).add(relation));
  }
  return found;
}

test('D-68 each statement of a call touches one partition of a table', async () => {
  for (const request of [{ redownload: true, includePdf: true }, {}]) {
    const body = JSON.stringify(request);
    for (const operationId of ['listCodaFiles', 'listCodbFiles'] as const)
      expect((await target.send(operationId, { body })).status).toBe(200);
  }
  for (const operationId of operationIds) await target.send(operationId);
  const several = touched.filter(({ partitions }) =>
    [...partitions.values()].some(({ size }) => size > 1),
  );
  expect(several.map(({ text }) => text)).toEqual([]);
  const read = new Set(touched.flatMap(({ partitions }) => [...partitions.keys()]));
  // Calls only insert into the others, whose partition the plan does not show.
  const inserted = ['mandate_history', 'signature_requests'];
  expect([...read, ...inserted].toSorted()).toEqual(largeTables.toSorted());
});
