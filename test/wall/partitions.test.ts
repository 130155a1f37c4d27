import type { OperationId } from '@adx/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { createConsents } from '../../packages/server/src/mandates/consents.js';
import { nodesOf, type PlanNode } from '../../packages/server/test/db/query-plan.js';
import { deliverFile } from '../../packages/server/test/uploads/deliver-file.js';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { arbitraryOf } from '../fuzz/support/schema-arbitrary.js';
import { bodySchema } from '../fuzz/support/text-fields.js';
import { type FuzzTarget, operationIds, startFuzzTarget } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import { isInCall, outsideCalls } from './sent-statements.js';

/** The tables with the firm in their primary key; names of users are unique across firms. */
const tablesOfFirms = allMigrations
  .flatMap(({ sql }) => [...sql.matchAll(/^create table (\w+) \(\n([^;]*?)\n\);$/gm)])
  .flatMap(([, table = '', columns = '']) =>
    /primary key \([^)]*firm_id/.test(columns) && table !== 'users' ? table : [],
  );

/** The partitions of each table that a statement read or wrote. */
interface Touched {
  readonly text: string;
  readonly partitions: ReadonlyMap<string, ReadonlySet<string>>;
}

const touched: Touched[] = [];
const { query } = pg.Client.prototype;
let target: FuzzTarget;
let isDelivering = false;

beforeAll(async () => {
  target = await startFuzzTarget({ partitions: { count: 3, tables: tablesOfFirms } });
  Object.assign(pg.Client.prototype, { query: explainFirst });
});
afterAll(async () => {
  Object.assign(pg.Client.prototype, { query });
  await target.service.close();
});

const ends = /^(begin|commit|rollback|savepoint|release|set|show|listen)\b/i;
const inTransaction = new WeakSet<object>();

/** Runs a statement of a call or delivery a first time to see its plan, undoes it, and then sends it. */
function explainFirst(this: pg.Client, ...parameters: unknown[]): unknown {
  const send = (...sent: unknown[]) => Reflect.apply(query, this, sent);
  const [config, given] = parameters as [string | { text: string; values?: unknown[] }, unknown];
  const text = typeof config === 'string' ? config : config.text;
  const values = typeof config === 'string' ? given : config.values;
  if (/^begin/i.test(text)) inTransaction.add(this);
  if (/^(commit|rollback;?$)/i.test(text)) inTransaction.delete(this);
  if ((isInCall() || isDelivering) && !ends.test(text)) {
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

/** Returns the statements that touched several partitions of a table. */
function touchingSeveral(): string[] {
  const several = touched.filter(({ partitions }) =>
    [...partitions.values()].some(({ size }) => size > 1),
  );
  return [...new Set(several.map(({ text }) => text))];
}

/** Calls that read first; the one after which others find nothing last. */
const ordered = operationIds.toSorted((one, other) => rank(one) - rank(other));

function rank(operationId: OperationId): number {
  if (/^(list|search|get)/.test(operationId)) return 0;
  return operationId === 'archiveCustomer' ? 2 : 1;
}

/** Returns bodies that the operation takes, among them those with each filter. */
function bodiesOf(operationId: OperationId): (string | null)[] {
  const schema = bodySchema(operationId);
  if (schema === undefined) return [null];
  const { customerId, iban, fileId } = target.parameters;
  const known: Record<string, unknown> = { customerId, iban, fileIds: [fileId] };
  const generated = fc.sample(arbitraryOf(schema), {
    seed: 68,
    numRuns: rounds({ short: 3, all: 12 }),
  });
  return [{}, ...generated].map((body) =>
    JSON.stringify(body, (name, value) => known[name] ?? value),
  );
}

// Of functions of the database, only the calls are seen.
test('D-68 each statement of a call touches one partition of a table', async () => {
  const { service, firmId, customerId } = target;
  const user = await service.createUser({ firmId, access: 'user', customers: [customerId] });
  const asUser = { authorization: `Bearer ${await service.idToken(user)}` };
  for (const operationId of ordered) {
    for (const body of bodiesOf(operationId)) {
      if (rank(operationId) === 0) await target.send(operationId, { body, headers: asUser });
      await target.send(operationId, { body });
    }
  }
  await service.knex('uploads').update({ status: 'rejected' });
  await target.send('listUploads', { body: JSON.stringify({ status: ['received', 'rejected'] }) });
  expect(touchingSeveral()).toEqual([]);
  const read = new Set(touched.flatMap(({ partitions }) => [...partitions.keys()]));
  // Calls insert into these, or never touch them; the plan of an insertion shows no partition.
  expect(tablesOfFirms.filter((table) => !read.has(table)).toSorted()).toEqual([
    ...['asked_mandates', 'former_names', 'held_deliveries', 'idempotent_answers', 'kept_evidence'],
    ...['mandate_history', 'signature_evidence', 'signature_links'],
  ]);
});

test('D-68 each statement of a delivery for one firm touches one partition of a table', async () => {
  const { knex, storage } = target.service;
  const client = await target.service.client(target.user);
  const iban = newIban();
  await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  await knex('mandates').where({ iban }).update({ status: 'waitingForBank' });
  touched.length = 0;
  isDelivering = true;
  const parts = { knex, storage, consents: createConsents(), now: () => new Date() };
  const outcome = await deliverFile(parts, codaFile({ iban }));
  isDelivering = false;
  expect(outcome).toMatchObject({ isDone: true, listed: 1 });
  expect(touchingSeveral()).toEqual([]);
  expect(await knex('mandates').where({ iban }).pluck('status')).toEqual(['finished']);
});
