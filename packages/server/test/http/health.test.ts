import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHealthRouter } from '../../src/http/health.js';
import { checkBuckets } from '../../src/storage/open-storage.js';
import { createS3Client } from '../../src/storage/s3-client.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { createTestBuckets } from '../support/buckets.js';

test('operations: /readyz fails while buckets are missing, and the log names each of them once', async () => {
  const settings = toStorageSettings(await createTestBuckets());
  const client = createS3Client(settings);
  onTestFinished(() => client.destroy());
  const buckets = { ...settings.buckets, codbUploads: 'missing' };
  const lines: { msg: string; err?: { message: string } }[] = [];
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  let isDatabaseDown = false;
  const database = async () => {
    // Alternately slower and faster than the storage.
    if (probes % 2 === 0) await pause(20);
    probes += 1;
    if (isDatabaseDown) throw new Error('The database is down');
  };
  let probes = 0;
  const app = express().use(
    createHealthRouter([database, () => checkBuckets(client, buckets)], logger),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;

  expect([await ready(), await ready()]).toEqual([503, 503]);
  // The order of the log does not depend on which check is faster.
  buckets.files = 'other-missing';
  for (let probe = 0; probe < 10; probe += 1) expect(await ready()).toBe(503);
  isDatabaseDown = true;
  for (let probe = 0; probe < 10; probe += 1) expect(await ready()).toBe(503);
  const first = 'There is no bucket missing';
  const second = `There is no bucket other-missing; ${first}`;
  const third = `The database is down; AggregateError: ${second}`;
  const notReady = (message: string) => ({
    msg: 'not ready',
    err: { message: expect.stringMatching(new RegExp(`^(Aggregate)?Error: ${message}(:|$)`)) },
  });
  expect(lines).toMatchObject([notReady(first), notReady(second), notReady(third)]);
  isDatabaseDown = false;
  Object.assign(buckets, settings.buckets);
  expect([await ready(), await ready()]).toEqual([200, 200]);
  expect(lines.slice(3)).toMatchObject([{ msg: 'ready again' }]);
});

test('operations: requests of /readyz share a running check', async () => {
  let checks = 0;
  let end = () => {};
  const check = () => {
    checks += 1;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  const app = express().use(createHealthRouter([check], pino({ level: 'silent' })));
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let arrived = 0;
  server.on('request', () => {
    arrived += 1;
  });
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  const statuses = Promise.all(Array.from({ length: 50 }, ready));
  await expect.poll(() => arrived).toBe(50);
  end();
  expect(new Set(await statuses)).toEqual(new Set([200]));
  expect(checks).toBe(1);
  // The next request has a check of its own.
  const next = ready();
  await expect.poll(() => checks).toBe(2);
  end();
  expect(await next).toBe(200);
});
