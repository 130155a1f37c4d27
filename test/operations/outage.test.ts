import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestBuckets } from '../../packages/server/test/support/buckets.js';
import { insertCodaFile, unprint } from '../../packages/server/test/support/files.js';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { type ServiceProcess, useDeployment } from './support/deployment.js';

const deployment = useDeployment();
let proxy: DatabaseProxy;
let service: Pick<ServiceProcess, 'url'>;
let idToken: string;
beforeAll(async () => {
  proxy = await openDatabaseProxy(deployment.databaseUrl);
  service = await deployment.startHere({ DATABASE_URL: proxy.url });
  ({ idToken } = await deployment.signIn(service));
});
afterAll(async () => {
  await proxy?.close();
});

const send = (path: string, method = 'GET', body?: unknown) =>
  deployment.call(service, path, { method, idToken, body });
const health = async (path: string) => (await fetch(`${service.url}${path}`)).status;

describe('operations: the database is read-only', () => {
  it('D-23 calls that read succeed, and those that change something get 503', async () => {
    const url = new URL(deployment.databaseUrl);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const reader = await deployment.startHere({ DATABASE_URL: url.href });
    const call = (path: string, body?: unknown) =>
      deployment.call(reader, path, { idToken, method: body ? 'POST' : 'GET', body });
    expect((await call('/customers')).status).toBe(200);
    expect((await call('/customers', { search: 'x' })).status).toBe(200);
    expect((await call('/customers/create', newCustomer())).status).toBe(503);
  });
});

describe('operations: the database is unreachable', () => {
  it('calls get 503 with Retry-After until it is reachable again', async () => {
    expect([await health('/healthz'), await health('/readyz')]).toEqual([200, 200]);
    await proxy.cut();
    expect(await health('/healthz')).toBe(200);
    // The last outcome is kept for a second.
    await eventually(
      () => health('/readyz'),
      (status) => status === 503,
    );
    const away = [
      await send('/customers'),
      await send('/customers', 'POST', {}),
      await send('/customers/create', 'POST', newCustomer()),
      await send('/banks', 'POST', {}),
      await send('/customers/ffffffffffffffffffffffff', 'DELETE'),
    ];
    for (const response of away) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await response.json()).toMatchObject({ error: 'unavailable' });
    }
    await proxy.restore();
    await eventually(
      async () => (await send('/customers')).status,
      (status) => status === 200,
    );
    await eventually(
      () => health('/readyz'),
      (status) => status === 200,
    );
    expect((await send('/customers/create', 'POST', newCustomer())).status).toBe(200);
  });

  it('D-43 a call whose commit is not confirmed gets 503, and its repetition gets the answer', async () => {
    const body = newCustomer();
    const keyed = { method: 'POST', idToken, body, idempotencyKey: 'a-key' };
    const create = () => deployment.call(service, '/customers/create', keyed);
    proxy.loseReplyTo('COMMIT');
    const unconfirmed = await create();
    expect([unconfirmed.status, await unconfirmed.json()]).toMatchObject([
      503,
      { error: 'unavailable' },
    ]);
    const enterprise_number = body.enterpriseNumber.replaceAll('.', '');
    const stored = await deployment.knex('customers').where({ enterprise_number });
    expect(stored.length).toBe(1);
    const repeated = await create();
    expect([repeated.status, await repeated.json()]).toMatchObject([200, { id: stored[0].id }]);
  });

  it('sign-ins get 503 until it is reachable, never the error of a wrong password', {
    tags: 'long',
  }, async () => {
    await proxy.cut();
    const { username, password } = deployment;
    const encoded = Buffer.from(password).toString('base64');
    for (const body of [
      { username, password: encoded },
      { refreshToken: `adx_refresh_${'A'.repeat(43)}` },
    ]) {
      const response = await send('/token', 'POST', body);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: 'unavailable' });
    }
    await proxy.restore();
    expect(await deployment.signIn(service)).toHaveProperty('idToken');
  });

  it('a call in progress gets 503 when connections break, and stores nothing', async () => {
    const { knex } = deployment;
    const body = newCustomer();
    const lock = await knex.transaction();
    await lock.raw('lock table bank_accounts, customers in exclusive mode');
    const answer = send('/customers/create', 'POST', body);
    await eventually(async () => {
      const { rows } = await knex.raw(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length === 1;
    });
    await knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    const { status } = await answer;
    await lock.rollback();
    expect(status).toBe(503);
    expect((await send('/customers/create', 'POST', body)).status).toBe(200);
  });

  it('the service does not start until it is reachable, and later responds to requests outside the interface too', {
    tags: 'long',
  }, async () => {
    await proxy.cut();
    await expect(deployment.start({ DATABASE_URL: proxy.url })).rejects.toThrow(
      /cannot be reached/,
    );
    await proxy.restore();
    // Another service, because it has not read its keys yet.
    const another = await deployment.startHere({ DATABASE_URL: proxy.url });
    expect((await fetch(`${another.url}/readyz`)).status).toBe(200);
    await proxy.cut();
    const statuses = [];
    for (const path of ['/.well-known/jwks.json', '/docs/', '/openapi.json', '/nothing']) {
      statuses.push((await fetch(`${another.url}${path}`)).status);
    }
    await proxy.restore();
    expect(statuses).toEqual([503, expect.toBeOneOf([200, 404]), 200, 404]);
  });
});

describe('operations: the storage is unreachable', () => {
  it('D-55 a process starts; customers and mandates answer, and only what needs the storage gets 503', {
    tags: 'long',
  }, async () => {
    const { S3_ENDPOINT: endpoint = '' } = await createTestBuckets();
    const toStorage = await openDatabaseProxy(endpoint);
    await toStorage.cut();
    const address = new URL(toStorage.url).origin;
    const another = await deployment.start({
      ...{ S3_ENDPOINT: address, STS_ENDPOINT: address, DATABASE_URL: deployment.databaseUrl },
      S3_BUCKET_FILES: 'absent',
    });
    const token = (await deployment.signIn(another)).idToken;
    const call = async (path: string, method = 'GET', body?: unknown) => {
      const response = await deployment.call(another, path, { method, idToken: token, body });
      return [response.status, (await response.json()).error];
    };
    const readyz = async () => (await fetch(`${another.url}/readyz`)).json();
    expect(await readyz()).toMatchObject({
      status: 'degraded',
      checks: {
        database: { status: 'ok' },
        storage: { status: 'failed', reason: expect.stringContaining('does not respond') },
      },
    });
    expect((await fetch(`${another.url}/readyz`)).status).toBe(200);
    expect(await call('/customers/create', 'POST', newCustomer())).toEqual([200, undefined]);
    const { id: customerId } = await deployment.knex('customers').first('id');
    const id = await insertCodaFile(deployment.knex, customerId);
    await unprint(deployment.knex, id);
    expect(await call('/coda-files', 'POST', {})).toEqual([200, undefined]);
    expect(await call('/coda-files', 'POST', { includePdf: true })).toEqual([503, 'unavailable']);
    expect(await call('/mandates', 'POST', {})).toEqual([200, undefined]);
    expect(await call('/coda-files/upload-credentials', 'POST')).toEqual([503, 'unavailable']);
    expect(another.output()).toContain('ECONNREFUSED');
    await toStorage.restore();
    // A storage that refuses is an outage too.
    await eventually(readyz, ({ checks }) => checks.storage.reason === 'There is no bucket absent');
    expect(await call('/coda-files', 'POST', { includePdf: true })).toEqual([503, 'unavailable']);
    expect(await call('/coda-files/upload-credentials', 'POST')).toEqual([200, undefined]);
    // One that hangs holds a call for five seconds, and not for each attempt of the SDK.
    toStorage.silence();
    const list = () => call('/coda-files', 'POST', { includePdf: true });
    for (const calls of [
      // The second waits for the printer behind the first.
      () => [list(), list()],
      () => [call('/coda-files/upload-credentials', 'POST')],
    ]) {
      const begun = performance.now();
      for (const answer of await Promise.all(calls())) expect(answer).toEqual([503, 'unavailable']);
      const seconds = (performance.now() - begun) / 1000;
      expect(seconds).toBeGreaterThan(4.5);
      expect(seconds).toBeLessThan(9.5);
    }
    await toStorage.close();
  });
});
