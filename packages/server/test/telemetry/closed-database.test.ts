import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createKnex } from '../../src/db/knex.js';
import { checkDatabase } from '../../src/db/open-database.js';
import { serveMetrics } from '../../src/http/metrics-server.js';
import { createLogger } from '../../src/logger.js';
import { createReadiness } from '../../src/telemetry/readiness.js';

test('D-55 without the database, and with a storage that hangs, a scrape has everything else within five seconds', async () => {
  // Port 9 (discard) of this machine refuses connections.
  const knex = createKnex('postgresql://127.0.0.1:9/none', { connectionTimeoutMs: 500 });
  onTestFinished(() => knex.destroy());
  const logger = createLogger('silent');
  let endStorageCheck = () => {};
  const storage = () => new Promise<void>((resolve) => (endStorageCheck = resolve));
  const readiness = createReadiness({
    checks: { database: () => checkDatabase(knex), storage },
    logger,
    keepMs: 60_000,
  });
  const registry = new Registry();
  const sources = { registry, knex, poolSize: 7, readiness, logger, gauges: [] };
  const { port, close } = await serveMetrics({ port: 0, host: '127.0.0.1' }, sources);
  onTestFinished(close);
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const first = await scrape();
  expect(first).toContain('adx_database_read 0\n');
  expect(first).toContain('adx_database_connections{state="max"} 7\n');
  expect(first).toMatch(/^process_resident_memory_bytes \d/m);
  expect(first).not.toMatch(/^adx_(jobs|job_slots)[ {]/m);
  endStorageCheck();
  const second = await scrape();
  expect(second).toContain('adx_dependency_up{dependency="database"} 0\n');
  expect(second).toContain('adx_dependency_up{dependency="storage"} 1\n');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await expect(
    serveMetrics({ port, host: '127.0.0.1' }, { ...sources, registry: new Registry() }),
  ).rejects.toThrow(`The port ${port} is in use: set METRICS_PORT to another one`);
});
