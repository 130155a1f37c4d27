import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, Server } from 'node:http';
import type { CreateCustomerRequest, OperationId } from '@adx/contract';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allMigrations } from '../../packages/server/src/db/migrations/all-migrations.js';
import { newObjectId } from '../../packages/server/src/identifiers/object-id.js';
import { createCoverage } from '../../packages/server/src/mandates/coverage.js';
import { execution, nodesOf, type PlanNode } from '../../packages/server/test/db/query-plan.js';
import { deliverFile } from '../../packages/server/test/uploads/deliver-file.js';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { arbitraryOf } from '../fuzz/support/schema-arbitrary.js';
import type { Deviation } from '../support/fuzz-target.js';
import { leadMandate } from '../support/lead-mandate.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { bodySchema } from '../support/well-formed.js';
import { isChange, operationsInOrder } from '../support/working-calls.js';

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
/** This has a value during a call of the interface and a delivery. */
const calls = new AsyncLocalStorage<true>();
const { emit } = Server.prototype;
const { query } = pg.Client.prototype;

// The log tells the cause if the service fails, because its statements are sent with others here.
const target = useFuzzTarget({
  partitions: { count: 3, tables: tablesOfFirms },
  settings: { LOG_LEVEL: 'error' },
});
beforeAll(() => {
  Object.assign(Server.prototype, { emit: emitInCall });
  Object.assign(pg.Client.prototype, { query: explainFirst });
});
afterAll(() => {
  Object.assign(Server.prototype, { emit });
  Object.assign(pg.Client.prototype, { query });
});

function emitInCall(this: Server, event: string, ...rest: unknown[]): unknown {
  const [request] = rest;
  const isCall = event === 'request' && (request as IncomingMessage).url?.startsWith('/v1/');
  const run = () => Reflect.apply(emit, this, [event, ...rest]);
  return isCall ? calls.run(true, run) : run();
}

const ends = /^(begin|commit|rollback|savepoint|release|set|show|listen)\b/i;
const inTransaction = new WeakSet<object>();

/**
 * Runs a statement of a call or delivery a first time to see its plan, undoes it, and then sends
 * it.
 */
function explainFirst(this: pg.Client, ...parameters: unknown[]): unknown {
  const send = (...sent: unknown[]) => Reflect.apply(query, this, sent);
  const [config, given] = parameters as [string | pg.QueryConfig, unknown];
  const { text, values, name }: pg.QueryConfig =
    typeof config === 'string' ? { text: config, values: given as unknown[] } : config;
  if (/^begin/i.test(text)) inTransaction.add(this);
  // The settings of a new connection have both in one text.
  if (/\b(commit|rollback);?\s*$/i.test(text)) inTransaction.delete(this);
  if (calls.getStore() && !ends.test(text)) {
    const statement = { text, values: Array.isArray(values) ? values : [] };
    const isPrepared = name !== undefined;
    calls.exit(() => explain(send, statement, { isNested: inTransaction.has(this), isPrepared }));
  }
  return send(...parameters);
}

/** Explains a statement; one that is prepared with its plan for all values. */
function explain(
  send: (...parameters: unknown[]) => unknown,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  { isNested, isPrepared }: { readonly isNested: boolean; readonly isPrepared: boolean },
): void {
  const ignore = () => {};
  const note = (_: unknown, result?: pg.QueryResult) => {
    const plan: PlanNode | undefined = result?.rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan !== undefined) touched.push({ text, partitions: partitionsOf(plan) });
  };
  const explaining = 'explain (analyze, format json)';
  send(isNested ? 'savepoint explained' : 'begin', ignore);
  if (isPrepared) {
    send(`set local plan_cache_mode = 'force_generic_plan'`, ignore);
    send(`prepare explained as ${text}`, ignore);
    send(`${explaining} ${execution('explained', values)}`, note);
  } else {
    send({ text: `${explaining} ${text}`, values }, note);
  }
  send(isNested ? 'rollback to explained' : 'rollback', ignore);
  if (isPrepared) send('deallocate explained', ignore);
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

/**
 * Returns the statements that touched another partition than that of a firm, without the one that
 * finds the links of other firms that give way (D-66).
 */
async function touchingOthers(firmId: string): Promise<string[]> {
  const own = (await partitionOf(firmId)).replace('customers', '');
  const others = touched.filter(({ partitions }) =>
    [...partitions].some(([table, found]) => [...found].some((each) => each !== table + own)),
  );
  const texts = new Set(others.map(({ text }) => text));
  return [...texts].filter((text) => !/ c\.firm_id <> \$\d/.test(text));
}

/** Returns the partition of the customers of a firm. */
async function partitionOf(firmId: string): Promise<string> {
  const { rows } = await target.service.knex.raw<{ rows: { name: string }[] }>(
    'select tableoid::regclass::text as name from customers where firm_id = ? limit 1',
    [firmId],
  );
  return rows[0]?.name ?? '';
}

/** Creates a customer of a firm whose rows are in another partition. */
async function createForeignCustomer(): Promise<CreateCustomerRequest> {
  const { service } = target;
  const firmId = await service.createFirm();
  const user = await service.createUser({ firmId });
  const customer = newCustomer({ bankAccounts: [{ iban: newIban() }] });
  await (await service.client(user)).customers.create(customer);
  const isElsewhere = (await partitionOf(firmId)) !== (await partitionOf(target.firmId));
  return isElsewhere ? customer : createForeignCustomer();
}

/** Returns bodies that the operation takes, among them those with each filter. */
function bodiesOf(operationId: OperationId): (string | null)[] {
  const schema = bodySchema(operationId);
  if (schema === undefined) return [null];
  const { customerId, iban, fileId } = target.parameters;
  const known: Record<string, unknown> = { customerId, iban, fileIds: [fileId] };
  const generated = fc.sample(arbitraryOf(schema), {
    seed: 68,
    numRuns: rounds({ short: 1, all: 6, proof: 12 }),
  });
  return [{}, ...generated].map((body) =>
    JSON.stringify(body, (name, value) => known[name] ?? value),
  );
}

/** Makes calls that take effect, as generated ones rarely do. */
async function callWithEffect(foreign: CreateCustomerRequest): Promise<void> {
  const send = async (
    operationId: OperationId,
    body: object | null,
    { headers = {}, status = 200 } = {},
  ) => {
    const sent: Deviation = { body: body && JSON.stringify(body), headers };
    expect(await target.send(operationId, sent)).toMatchObject({ status });
  };
  const key = { 'idempotency-key': 'once' };
  const customer = newCustomer({
    bankAccounts: [{ iban: newIban() }],
    payrollProviders: [{ code: 'ucm' }],
  });
  for (const _ of ['first', 'repeated']) await send('createCustomer', customer, { headers: key });
  await send('updateCustomer', { name: 'Nieuwe naam', contact: { email: 'els@maes.example' } });
  await leadMandate(target.service, target.parameters['mandateId'] ?? '', 'expired');
  await send('requestMandate', null);
  // Links of another firm are searched for, and in the way.
  const [account = { iban: '' }] = foreign.bankAccounts ?? [];
  await send('searchCustomers', account);
  await send('searchCustomers', { enterpriseNumber: foreign.enterpriseNumber });
  await send('createCustomer', foreign, { status: 403 });
  await send('createCustomer', newCustomer({ bankAccounts: [account] }), { status: 409 });
  expect(await target.send('addBankAccount', { path: account })).toMatchObject({ status: 409 });
  // An account is overdue only if a mandate covers it.
  const { knex } = target.service;
  const gap = await knex('missing_statements').first();
  const overdue = { kind: 'overdue', from_number: null, to_number: null, before_date: null };
  await knex('missing_statements').insert({ ...gap, id: newObjectId(), ...overdue });
}

// Of functions of the database, only the calls are seen. Statements that find a caller by a secret
// are not sent here: they ask all firms.
test('D-57 D-68 each statement of a call touches the partition of its firm alone', async () => {
  const { service, firmId, customerId } = target;
  const foreign = await createForeignCustomer();
  touched.length = 0;
  const user = await service.createUser({ firmId, access: 'user', customers: [customerId] });
  const asUser = { authorization: `Bearer ${await service.idToken(user)}` };
  await callWithEffect(foreign);
  for (const operationId of operationsInOrder) {
    for (const body of bodiesOf(operationId)) {
      if (!isChange(operationId)) await target.send(operationId, { body, headers: asUser });
      await target.send(operationId, { body });
    }
  }
  await service.knex('uploads').update({ status: 'rejected' });
  await target.send('listUploads', { body: JSON.stringify({ status: ['received', 'rejected'] }) });
  expect(await touchingOthers(firmId)).toEqual([]);
  const read = new Set(touched.flatMap(({ partitions }) => [...partitions.keys()]));
  // Calls insert into these, or never touch them; the plan of an insertion shows no partition.
  expect(tablesOfFirms.filter((table) => !read.has(table)).toSorted()).toEqual([
    ...['asked_mandates', 'former_names', 'held_deliveries', 'kept_evidence'],
    ...['mandate_history', 'signature_evidence', 'signing_urls'],
  ]);
});

test('D-68 each statement of a delivery for one firm touches one partition of a table', async () => {
  const { knex, storage } = target.service;
  const client = await target.service.client(target.user);
  const iban = newIban();
  await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  await knex('mandates').where({ iban }).update({ status: 'waitingForBank' });
  touched.length = 0;
  const parts = { knex, storage, coverage: createCoverage(), now: () => new Date() };
  const outcome = await calls.run(true, () => deliverFile(parts, codaFile({ iban })));
  expect(outcome).toMatchObject({ isDone: true, listed: 1 });
  expect(touched.flatMap(({ partitions }) => [...partitions.keys()])).toEqual(
    expect.arrayContaining(['customers', 'files', 'mandates', 'uploads']),
  );
  // The upload is of no firm.
  const several = ({ partitions }: Touched) =>
    [...partitions.values()].some(({ size }) => size > 1);
  expect(touched.filter(several)).toEqual([]);
  expect(await knex('mandates').where({ iban }).pluck('status')).toEqual(['finished']);
});
