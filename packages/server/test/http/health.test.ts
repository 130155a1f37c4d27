import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHealthRouter } from '../../src/http/app.js';
import { describeError } from '../../src/logger.js';
import { checkBuckets } from '../../src/storage/open-storage.js';
import { createS3Client } from '../../src/storage/s3-client.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { createReadiness } from '../../src/telemetry/readiness.js';
import { createTestBuckets } from '../support/buckets.js';
import { listenInTest } from '../support/listen-in-test.js';

/** Serves the health checks, and returns a function that calls `/readyz`. */
async function serveHealth(readiness: ReturnType<typeof createReadiness>) {
  const port = await listenInTest(createServer(express().use(createHealthRouter(readiness))));
  return async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { code: response.status, ...(await response.json()) };
  };
}

test('D-55 /readyz is degraded while buckets are missing and fails without the database; body and log say why, the log once', async () => {
  const settings = toStorageSettings(await createTestBuckets());
  const client = createS3Client(settings);
  onTestFinished(() => client.destroy());
  const buckets = { ...settings.buckets, codbUploads: 'missing' };
  const lines: unknown[] = [];
  const logger = pino(
    { serializers: { err: describeError } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  let isDatabaseDown = false;
  let probes = 0;
  const database = async () => {
    // Alternately slower and faster than the storage.
    if (probes % 2 === 0) await pause(20);
    probes += 1;
    if (isDatabaseDown) throw new Error('The database is down');
  };
  const storage = () => checkBuckets(client, buckets);
  const ready = await serveHealth(
    createReadiness({ checks: { database, storage }, logger, keepMs: 0 }),
  );
  const first = 'There is no bucket missing';
  const second = `There is no bucket other-missing; ${first}`;
  const degraded = (reason: string) => ({
    code: 200,
    status: 'degraded',
    checks: { database: { status: 'ok' }, storage: { status: 'failed', reason } },
  });
  for (let probe = 0; probe < 3; probe += 1) expect(await ready()).toEqual(degraded(first));
  // The order of the reasons does not depend on which check is faster.
  buckets.files = 'other-missing';
  for (let probe = 0; probe < 4; probe += 1) expect(await ready()).toEqual(degraded(second));
  isDatabaseDown = true;
  for (let probe = 0; probe < 4; probe += 1) {
    expect(await ready()).toMatchObject({
      ...{ code: 503, status: 'unavailable' },
      checks: { database: { status: 'failed', reason: 'The database is down' } },
    });
  }
  isDatabaseDown = false;
  Object.assign(buckets, settings.buckets);
  for (let probe = 0; probe < 2; probe += 1) {
    expect(await ready()).toMatchObject({ code: 200, status: 'ready' });
  }
  expect(lines).toMatchObject([
    { msg: 'degraded: the storage fails', reason: first },
    { msg: 'degraded: the storage fails', reason: second },
    { msg: 'not ready', reason: `The database is down; ${second}` },
    { msg: 'ready again' },
  ]);
  // One error is not nested into another with the same text.
  expect(lines[0]).not.toHaveProperty('err.errors');
  expect(lines[1]).toMatchObject({ err: { errors: [{}, {}] } });
  expect(lines[1]).not.toHaveProperty('err.errors.0.errors');
  expect(lines[2]).toMatchObject({
    err: { errors: [{ message: 'The database is down' }, {}, {}] },
  });
  Object.assign(buckets, { files: 'other-missing' });
  await ready();
  Object.assign(buckets, settings.buckets);
  await ready();
  expect(lines.at(-1)).toMatchObject({ msg: 'the storage works again' });
});

test.each([
  ['D-71', 'replica', 'The replica is 7 s behind'],
  ['D-72', 'cluster', 'No response from node 2, so its firms have no service'],
] as const)(
  '%s /readyz is degraded with 200 while the %s is away, and the log says so',
  async (_, name, reason) => {
    const lines: unknown[] = [];
    const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
    let isAway = true;
    const fine = async () => {};
    const check = async () => {
      if (isAway) throw new Error(reason);
    };
    const checks = { database: fine, storage: fine, [name]: check };
    const ready = await serveHealth(createReadiness({ checks, logger, keepMs: 0 }));
    const ok = { status: 'ok' };
    expect(await ready()).toEqual({
      ...{ code: 200, status: 'degraded' },
      checks: {
        ...{ database: ok, storage: ok },
        [name]: { status: 'failed', reason },
      },
    });
    isAway = false;
    expect(await ready()).toMatchObject({ status: 'ready', checks: { [name]: ok } });
    expect(lines).toMatchObject([
      { msg: `degraded: the ${name} fails`, reason },
      { msg: `the ${name} works again` },
    ]);
  },
);

test('D-55 however many ask for /readyz, at most one check runs per second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let checks = 0;
  const database = async () => {
    checks += 1;
    await pause(50);
  };
  const logger = pino({ level: 'silent' });
  const ready = await serveHealth(
    createReadiness({ checks: { database, storage: async () => {} }, logger }),
  );
  const answers = await Promise.all(Array.from({ length: 50 }, ready));
  expect(answers.every(({ status }) => status === 'ready')).toBe(true);
  vi.advanceTimersByTime(999);
  await ready();
  expect(checks).toBe(1);
  vi.advanceTimersByTime(1);
  await ready();
  expect(checks).toBe(2);
});
