import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitUntilBlocked } from '../../packages/server/test/mandates/wait-until-blocked.js';
import { seedCustomers } from '../bench/seeds/seed-customers.js';
import { callOperation } from '../support/call-operation.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { startTestService } from '../support/test-service.js';
import { useSignedInService } from '../support/use-service.js';

const waitMs = 1_000;

const signedIn = useSignedInService({
  settings: { CONCURRENT_CALLS: '1' },
  turnWaitMs: waitMs,
});
let other: { idToken: string };
beforeAll(async () => {
  const { service } = signedIn;
  const user = await service.createUser({ firmId: await service.createFirm() });
  other = { idToken: await service.idToken(user) };
});

const hello = async (credentials = {}) => (await signedIn.call('helloWorld', credentials)).status;

/** Locks a table, so that a call of the firm is running until this is released. */
async function keepBusy(table: string, call: () => Promise<unknown>, knex = signedIn.service.knex) {
  const lock = await knex.transaction();
  // For a test that fails.
  onTestFinished(async () => {
    await lock.rollback();
  });
  await lock.raw(`lock table ${table} in exclusive mode`);
  const running = call();
  await waitUntilBlocked(knex);
  return {
    async release() {
      await lock.rollback();
      return running;
    },
  };
}

test('D-39 calls beyond those that run wait for their turn, and calls of other firms do not', async () => {
  const create = () => signedIn.call('createCustomer', { body: newCustomer() });
  const busy = await keepBusy('customers', create);
  const waiting = hello();
  expect(await hello(other)).toBe(200);
  expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  expect(await busy.release()).toMatchObject({ status: 200 });
  expect(await waiting).toBe(200);
});

test('D-39 a call whose turn does not come in time is refused, and does nothing', async () => {
  const create = () => signedIn.call('createCustomer', { body: newCustomer() });
  const busy = await keepBusy('customers', create);
  const refused = await create();
  expect(refused).toMatchObject({ status: 429, body: { error: 'tooManyRequests' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('ratelimit-policy')).toMatch(
    /^"default";q=\d+;w=60, "concurrent";q=1;qu="concurrent-requests"$/,
  );
  expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+, "concurrent";r=0;t=1$/);
  expect(await busy.release()).toMatchObject({ status: 200 });
  expect(await hello()).toBe(200);
});

test('D-69 a call that the spec refuses waits for its turn as others do', async () => {
  const refused = async (body: object) => (await signedIn.call('searchMandates', { body })).status;
  const create = () => signedIn.call('createCustomer', { body: newCustomer() });
  const busy = await keepBusy('customers', create);
  expect(await refused({ nonsense: 1 })).toBe(429);
  const waiting = refused({ status: Array(30_000).fill(1) });
  expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  expect(await busy.release()).toMatchObject({ status: 200 });
  expect(await waiting).toBe(400);
});

test('D-39 a caller who disconnects while waiting has left the line: the call never runs', async () => {
  const { service, apiKey, idToken } = signedIn;
  const busy = await keepBusy('customers', () =>
    signedIn.call('createCustomer', { body: newCustomer() }),
  );
  const given = newCustomer();
  const gone = new AbortController();
  const call = fetch(`${service.baseUrl}/customers/create`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(given),
    signal: gone.signal,
  });
  await sleep(waitMs / 3);
  gone.abort();
  await expect(call).rejects.toThrow();
  await sleep(waitMs / 3);
  await busy.release();
  expect(await hello()).toBe(200);
  const found = await signedIn.client.customers.search({ search: given.enterpriseNumber });
  expect(found.recordsFiltered).toBe(0);
});

test('D-39 a caller who disconnects with several requests on its connection has left the line with all of them', async () => {
  const { service, apiKey, idToken } = signedIn;
  const { hostname, port } = new URL(service.baseUrl);
  const busy = await keepBusy('customers', () =>
    signedIn.call('createCustomer', { body: newCustomer() }),
  );
  const socket = connect(Number(port), hostname);
  const given = [newCustomer(), newCustomer(), newCustomer()];
  for (const customer of given) {
    const body = JSON.stringify(customer);
    const head = ['POST /v1/customers/create HTTP/1.1', 'Host: x', `x-api-key: ${apiKey}`];
    const content = [
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const lines = [...head, `Authorization: Bearer ${idToken}`, ...content];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  await sleep(waitMs / 3);
  socket.destroy();
  await sleep(waitMs / 3);
  await busy.release();
  for (const { enterpriseNumber } of given) {
    const found = await signedIn.client.customers.search({ search: enterpriseNumber });
    expect(found.recordsFiltered).toBe(0);
  }
});

test('D-39 a caller who sends its body slowly takes no place', async () => {
  const { service, apiKey, idToken } = signedIn;
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const head = ['POST /v1/customers HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  const credentials = [`x-api-key: ${apiKey}`, `Authorization: Bearer ${idToken}`];
  socket.write(
    `${[...head, ...credentials, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{"search":`,
  );
  await sleep(waitMs);
  expect(await hello()).toBe(200);
});

test('D-39 a caller who stops reading a long list takes no place, nor does one who disconnects', {
  tags: 'long',
}, async () => {
  const { service, apiKey } = signedIn;
  const firmId = await service.createFirm();
  const idToken = await service.idToken(await service.createUser({ firmId }));
  await seedCustomers(service.knex, firmId, 1, 30_000);
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const head = [`GET /v1/customers HTTP/1.1`, 'Host: x', `x-api-key: ${apiKey}`];
  socket.write(`${[...head, `Authorization: Bearer ${idToken}`].join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  // Beyond what the buffers of the connection hold, the list waits for its reader.
  await eventually(
    () => hello({ idToken }),
    (status) => status === 200,
  );
  socket.destroy();
  for (let n = 0; n < 3; n += 1) expect(await hello({ idToken })).toBe(200);
});

test('D-39 an API key has one sign-in at once, also if firms have several calls, and those of other keys go on', async () => {
  const settings = { CONCURRENT_CALLS: '4' };
  const service = await startTestService({ settings, turnWaitMs: waitMs });
  onTestFinished(() => service.close());
  const firmId = await service.createFirm();
  const user = await service.createUser({ firmId });
  const colleague = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const { key: another } = await service.issueApiKey();
  const signIn = (key: string, username: string, password = 'wrong') => {
    const body = { username, password: Buffer.from(password).toString('base64') };
    return callOperation(service, 'getToken', { apiKey: key, body });
  };
  const first = () => signIn(apiKey, user.username, user.password);
  const busy = await keepBusy('refresh_tokens', first, service.knex);
  expect(await signIn(apiKey, colleague.username)).toMatchObject({ status: 429 });
  expect(await signIn(another, colleague.username)).toMatchObject({ status: 500 });
  expect(await busy.release()).toMatchObject({ status: 200 });
});
