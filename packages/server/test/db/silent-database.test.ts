import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseProxy } from '../../../../test/support/database-proxy.js';
import { loadConfig } from '../../src/config.js';
import { closeSilent, createKnex } from '../../src/db/knex.js';
import { openDatabase } from '../../src/db/open-database.js';
import { isUnavailable } from '../../src/db/unavailable.js';
import { createTestDatabase } from '../support/database.js';

/** Opens a database behind a proxy that can stop forwarding. */
async function openProxiedDatabase() {
  const database = await createTestDatabase();
  const proxy = await openDatabaseProxy(database.url);
  onTestFinished(async () => {
    await proxy.close();
    await database.release();
  });
  return proxy;
}

test('db: a database that stops responding is unavailable, and its connection is not used again', async () => {
  const proxy = await openProxiedDatabase();
  const knex = createKnex(proxy.url, {
    poolSize: 1,
    statementTimeoutMs: 1_000,
    connectionTimeoutMs: 30_000,
  });
  onTestFinished(() => knex.destroy());
  await knex.raw('select 1');
  proxy.silence();
  const error = await knex.raw('select 1').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
  expect(isUnavailable(error)).toBe(true);
  await proxy.close();
  await expect(knex.raw('select 1')).rejects.toThrow('ECONNREFUSED');
});

test('D-72 connections that wait for a node that has stopped are closed, also if two notice it, and the others stay', async () => {
  const proxy = await openProxiedDatabase();
  const knex = createKnex(proxy.url, { poolSize: 2 });
  onTestFinished(() => knex.destroy());
  const pidOf = (seconds: number) =>
    knex.raw(`select pg_backend_pid() as pid from pg_sleep(${seconds})`);
  const [{ rows: before }] = await Promise.all([pidOf(0.1), pidOf(0.1)]);
  proxy.stall();
  const waiting = knex.raw('select 1').catch((reason: unknown) => reason);
  await Promise.all([closeSilent(knex, 500), closeSilent(knex, 500)]);
  expect(isUnavailable(await waiting)).toBe(true);
  // New connections work. What is slow afterwards is not closed.
  const { rows: after } = await pidOf(1.5);
  expect(after).not.toEqual(before);
});

test('db: a database that does not respond delays neither running statements nor closing for long', async () => {
  const proxy = await openProxiedDatabase();
  const database = await openDatabase(loadConfig({ DATABASE_URL: proxy.url }, 'command'));
  // One connection stays idle, the other waits for a response.
  await Promise.all([database.knex.raw('select 1'), database.knex.raw('select 1')]);
  proxy.silence();
  const waiting = database.knex.raw('select 1').catch((reason: unknown) => reason);
  const closed = database.close().then(() => 'closed');
  // The statement timeout is 30 seconds.
  expect(await Promise.race([closed, sleep(25_000, 'still open')])).toBe('closed');
  expect(await waiting).toBeInstanceOf(Error);
});

test('db: a slow statement keeps its connection', async () => {
  const proxy = await openProxiedDatabase();
  const knex = createKnex(proxy.url, { poolSize: 1, statementTimeoutMs: 0 });
  onTestFinished(() => knex.destroy());
  const pid = async () => (await knex.raw('select pg_backend_pid() as pid')).rows[0].pid;
  const before = await pid();
  await knex.raw('select pg_sleep(2.5)');
  expect(await pid()).toBe(before);
});
