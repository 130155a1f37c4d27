import { operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntilBlocked } from '../../packages/server/test/mandates/wait-until-blocked.js';
import { generatedCall } from '../fuzz/support/generated-calls.js';
import { eventually } from '../support/eventually.js';
import { type FuzzTarget, operationIds, startFuzzTarget } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { rounds } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget({
  settings: { CONCURRENT_CALLS: '1' },
  ...{ turnWaitMs: 500, usageWriteMs: 50 },
});

async function newCaller() {
  const { id, key } = await target.service.issueApiKey();
  const send = (
    operationId: Parameters<FuzzTarget['send']>[0],
    { headers, ...deviation }: Parameters<FuzzTarget['send']>[1] = {},
  ) => target.send(operationId, { ...deviation, headers: { 'x-api-key': key, ...headers } });
  /** Waits until this has been counted besides one more call, such as `helloWorld`. */
  async function expectCounts(expected: Readonly<Record<string, number>>): Promise<void> {
    await send('helloWorld');
    const all = { helloWorld: 1, ...expected };
    await expect
      .poll(() => counts(id), { timeout: 10_000 })
      .toMatchObject({ helloWorld: all.helloWorld });
    expect(await counts(id)).toEqual(all);
  }
  return { id, key, send, expectCounts };
}

async function counts(apiKeyId: string): Promise<Record<string, number>> {
  const rows = await target.service.knex('api_usage').where({ api_key_id: apiKeyId });
  return Object.fromEntries(
    rows.map(({ operation, field, value, calls }) => [
      [operation, field, value].filter(Boolean).join(' '),
      calls,
    ]),
  );
}

const json = (body: unknown) => ({ body: JSON.stringify(body) });

test('D-41 calls count with the optional fields that were sent and the values of their enumerations', async () => {
  const { send, expectCounts } = await newCaller();
  await send('searchMandates', json({ status: 'finished', sort: 'status', limit: 1 }));
  await send('searchMandates', json({ status: ['finished', 'created'], sortDirection: 'asc' }));
  await send('searchMandates', json({}));
  await send('getCustomer');
  const contact = { ...newCustomer().contact, language: 'nl' as const };
  const made = newCustomer({ contact, bankAccounts: [{ iban: newIban() }, { iban: newIban() }] });
  expect(await send('createCustomer', json(made))).toMatchObject({ status: 200 });
  await expectCounts({
    searchMandates: 3,
    'searchMandates body.status': 2,
    'searchMandates body.status "finished"': 2,
    'searchMandates body.status "created"': 1,
    'searchMandates body.sort': 1,
    'searchMandates body.sort "status"': 1,
    'searchMandates body.limit': 1,
    'searchMandates body.sortDirection': 1,
    getCustomer: 1,
    createCustomer: 1,
    'createCustomer body.bankAccounts': 1,
    'createCustomer body.bankAccounts.iban': 1,
    'createCustomer body.contact.language "nl"': 1,
  });
});

test('D-41 a call whose handler refuses it counts, and so does a sign-in that fails', async () => {
  const { send, expectCounts } = await newCaller();
  expect((await send('getCustomer', { path: { customerId: '0'.repeat(24) } })).status).toBe(404);
  const wrong = { username: target.user.username, password: 'AAAA' };
  expect((await send('getToken', json(wrong))).status).toBe(500);
  expect((await send('getToken', json({ refreshToken: 'x' }))).status).toBe(500);
  const { username, password } = target.user;
  const right = { username, password: Buffer.from(password).toString('base64') };
  expect((await send('getToken', json(right))).status).toBe(200);
  await expectCounts({
    getCustomer: 1,
    getToken: 3,
    'getToken body.username': 2,
    'getToken body.password': 2,
    'getToken body.refreshToken': 1,
  });
});

test('D-41 calls that are refused before their handler do not count', async () => {
  const { id, key, send, expectCounts } = await newCaller();
  const { knex } = target.service;
  const refused = [
    [401, () => send('searchMandates', { headers: { authorization: 'Bearer x' } })],
    [400, () => send('searchMandates', json({ unknown: 'secret' }))],
    [400, () => send('searchMandates', json({ sort: 'secret', limit: 1 }))],
    [400, () => send('searchMandates', { body: '{"limit":' })],
    [400, () => send('searchMandates', { query: '?secret=1' })],
    [415, () => send('searchMandates', { headers: { 'content-type': 'text/plain' } })],
    [400, () => send('getCustomer', { path: { customerId: 'secret' } })],
  ] as const;
  for (const [status, call] of refused) expect((await call()).status).toBe(status);
  const paths = [`${key}x`, key].map((apiKey) =>
    target.service.raw('/nowhere', { headers: { 'x-api-key': apiKey } }),
  );
  expect((await Promise.all(paths)).map(({ status }) => status)).toEqual([403, 404]);
  await knex('api_keys').where({ id }).update({ scopes: [] });
  expect((await send('searchMandates')).status).toBe(403);
  await expectCounts({});
});

test('D-41 a call that is refused because its turn does not come does not count', async () => {
  const { send, expectCounts } = await newCaller();
  const lock = await target.service.knex.transaction();
  onTestFinished(async () => {
    await lock.rollback();
  });
  await lock.raw('lock table customers in exclusive mode');
  const running = send('createCustomer', json(newCustomer()));
  await waitUntilBlocked(target.service.knex);
  expect((await send('searchMandates', json({ limit: 1 }))).status).toBe(429);
  await lock.rollback();
  expect((await running).status).toBe(200);
  await expectCounts({ createCustomer: 1, 'createCustomer body.contact.language "nl"': 1 });
});

test('D-41 a call beyond the rate limit does not count', async () => {
  const limited = await startFuzzTarget({
    ...{ settings: { RATE_LIMIT_PER_MINUTE: '5' }, usageWriteMs: 50 },
  });
  onTestFinished(() => limited.service.close());
  const { id, key } = await limited.service.issueApiKey();
  const statuses: number[] = [];
  while (statuses.length < 12 || !statuses.includes(429)) {
    statuses.push((await limited.send('listBanks', { headers: { 'x-api-key': key } })).status);
  }
  const allowed = statuses.filter((status) => status === 200).length;
  const countedCalls = () => limited.service.knex('api_usage').where({ api_key_id: id });
  await expect.poll(countedCalls).toMatchObject([{ operation: 'listBanks', calls: allowed }]);
});

test('D-41 the calls of two firms with the same API key count together', async () => {
  const { send, expectCounts } = await newCaller();
  const { service } = target;
  const user = await service.createUser({ firmId: await service.createFirm() });
  const idToken = await service.idToken(user);
  await send('listBanks');
  await send('listBanks', { headers: { authorization: `Bearer ${idToken}` } });
  await expectCounts({ listBanks: 2 });
});

test('D-41 every stored text is from the spec, whatever callers send', async () => {
  const { id, send } = await newCaller();
  let accepted = 0;
  for (const operationId of operationIds.filter((each) => each !== 'getToken')) {
    await fc.assert(
      fc.asyncProperty(generatedCall(target, operationId), async (call) => {
        if ((await send(operationId, call)).status === 200) accepted += 1;
      }),
      { numRuns: rounds({ short: 6, all: 15 }) },
    );
  }
  const stored = await eventually(
    () => target.service.knex('api_usage').where({ api_key_id: id }),
    (rows) => accepted > 20 && rows.length > 20,
  );
  const { names, values } = namesIn(spec);
  for (const { operation, field, value } of stored) {
    expect(Object.keys(operations)).toContain(operation);
    for (const name of field.split('.').slice(1)) expect(names).toContain(name);
    expect(field).toMatch(/^(body\..+)?$/);
    if (value !== '') expect(values).toContain(JSON.parse(value));
  }
});

/** Returns the names of all properties and the values of all enumerations of the spec. */
function namesIn(part: unknown, names = new Set<string>(), values = new Set<unknown>()) {
  if (typeof part === 'object' && part !== null) {
    const { properties, enum: listed } = part as { properties?: object; enum?: unknown[] };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const value of Array.isArray(listed) ? listed : []) values.add(value);
    for (const each of Object.values(part)) namesIn(each, names, values);
  }
  return { names: [...names], values: [...values] };
}
