import { connect } from 'node:net';
import { createApiKeyStore } from '@adx/server';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/server/test/operator/adx-server.js';
import { eventually } from '../support/eventually.js';
import { newCustomer } from '../support/new-customer.js';
import { type ServiceProcess, useDeployment } from './support/deployment.js';

const deployment = useDeployment();

function refusesConnections({ url }: ServiceProcess): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}

/** All processes have the same public address, because it is the issuer of their tokens. */
const settings = { PUBLIC_URL: 'https://adx.example.org' };

/** Starts a process with a call that waits for a lock. `release` releases the lock. */
async function startWithCallInProgress(others: Settings = {}) {
  const { call, knex } = deployment;
  const process = await deployment.start({ ...settings, ...others });
  const { idToken } = await deployment.signIn(process);
  const send = (method: string, path: string, body: unknown) =>
    call(process, path, { method, idToken, body });
  const created = await send('POST', '/customers/create', newCustomer());
  const { id } = (await created.json()) as { id: string };
  const lock = await knex.transaction();
  await lock('customers').where({ id }).forUpdate().select('id');
  const answer = send('PATCH', `/customers/${id}`, { name: 'Nieuwe naam' });
  // A rejection is handled where the answer is awaited.
  answer.catch(() => {});
  await eventually(async () => {
    const { rows } = await knex.raw(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length === 1;
  });
  return { process, id, idToken, answer, release: () => lock.commit() };
}

describe('operations: stopping', () => {
  it('D-55 SIGTERM lets the call in progress end, refuses new ones, and exits with 0; SIGINT drains, and the log says so', async () => {
    const { process, id, idToken, answer, release } = await startWithCallInProgress({
      LOG_LEVEL: 'info',
    });
    process.kill('SIGTERM');
    await eventually(() => refusesConnections(process));
    await release();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id, name: 'Nieuwe naam' });
    expect(await process.exited).toEqual({ code: 0, signal: null });

    const next = await deployment.start({ ...settings, LOG_LEVEL: 'info', DRAIN_SECONDS: '1' });
    const read = await deployment.call(next, `/customers/${id}`, { idToken });
    expect(await read.json()).toMatchObject({ name: 'Nieuwe naam' });
    // D-55. `fetch` keeps its connection open for a while, which does not delay the exit.
    next.kill('SIGINT');
    expect(await next.exited).toEqual({ code: 0, signal: null });
    for (const [ended, signal, drainSeconds] of [
      [process, 'SIGTERM', 0],
      [next, 'SIGINT', 1],
    ] as const) {
      const lines = ended.output().trim().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as { msg?: string });
      expect(entries.filter(({ msg }) => msg?.startsWith('stop'))).toMatchObject([
        { level: 'info', msg: 'stopping', signal, drainSeconds },
        { level: 'info', msg: 'stopped' },
      ]);
    }
  });

  it('D-61 while a process drains, /readyz says that it stops, and calls are answered', {
    tags: 'long',
  }, async () => {
    const process = await deployment.start({ ...settings, DRAIN_SECONDS: '60' });
    process.kill('SIGTERM');
    const readyz = await eventually(
      () => fetch(`${process.url}/readyz`),
      ({ status }) => status === 503,
    );
    expect(await readyz.json()).toMatchObject({
      ...{ status: 'stopping', checks: { database: { status: 'ok' } } },
    });
    await expect(deployment.signIn(process)).resolves.toHaveProperty('idToken');
    // The first signal may be repeated for a second (npm passes it on too).
    const repeat = setInterval(() => process.kill('SIGTERM'), 500);
    expect(await process.exited.finally(() => clearInterval(repeat))).toMatchObject({ code: 1 });
  });

  it('D-41 a process that stops has counted its calls, also those that end or begin meanwhile, and adds them to those of others', {
    tags: 'long',
  }, async () => {
    const { knex, apiKeyId } = deployment;
    await knex('api_usage').delete();
    const other = await deployment.start(settings);
    await deployment.signIn(other);
    const { process, idToken, answer, release } = await startWithCallInProgress({
      CONCURRENT_CALLS: '1',
    });
    const { id, key } = await createApiKeyStore(knex).issue({ partner: 'Tests', scopes: [] });
    const waiting = deployment.call(process, '/hello-world', { idToken, apiKey: key });
    // The rate limit is the step before a call waits for its turn.
    await eventually(async () =>
      knex('rate_limit_windows').where('caller', 'like', `${id} %`).first(),
    );
    for (const each of [other, process]) each.kill('SIGTERM');
    await eventually(() => refusesConnections(process));
    await release();
    expect((await waiting).status).toBe(200);
    await Promise.all([answer, process.exited, other.exited]);
    expect(await knex('api_usage').where({ api_key_id: id })).toMatchObject([
      { operation: 'helloWorld', calls: 1 },
    ]);
    const counted = await knex('api_usage').where({ api_key_id: apiKeyId }).orderBy('operation');
    expect(counted.map(({ operation, field, calls }) => [operation, field, calls])).toEqual(
      expect.arrayContaining([
        ['getToken', '', 2],
        ['createCustomer', '', 1],
        ['updateCustomer', '', 1],
        ['updateCustomer', 'body.name', 1],
      ]),
    );
  });

  it('after a second signal, the process does not wait for the call in progress', {
    tags: 'long',
  }, async () => {
    const { process, answer, release } = await startWithCallInProgress();
    // Repeatedly, because a terminal and a process manager may both pass on the first signal.
    const asking = setInterval(() => process.kill('SIGTERM'), 200);
    const { code } = await process.exited.finally(() => clearInterval(asking));
    await release();
    expect(code).not.toBe(0);
    await expect(answer).rejects.toThrow();
  });
});
