import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestBuckets } from '../../packages/server/test/support/buckets.js';
import { printResult } from '../proofs/print-result.js';
import { type DatabaseProxy, openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { runCommand } from '../support/run-command.js';
import { createDeployment, type Deployment, type ServiceProcess } from './support/deployment.js';

/** An operator may take five minutes; Prometheus scrapes every half minute and an alert waits two. */
const shownWithinMs = 60_000;

let deployment: Deployment;
let database: DatabaseProxy;
let storage: DatabaseProxy;
let service: ServiceProcess;
let metricsPort: number;
let idToken: string;

beforeAll(async () => {
  deployment = await createDeployment();
  database = await openDatabaseProxy(deployment.databaseUrl);
  storage = await openDatabaseProxy((await createTestBuckets())['S3_ENDPOINT'] ?? '');
  metricsPort = await freePort();
  const S3_ENDPOINT = new URL(storage.url).origin;
  service = await deployment.start({
    ...{ DATABASE_URL: database.url, S3_ENDPOINT, STS_ENDPOINT: S3_ENDPOINT },
    ...{ METRICS_PORT: String(metricsPort), JOBS_CONCURRENCY: '1' },
  });
  ({ idToken } = await deployment.signIn(service));
});
afterAll(async () => {
  await deployment?.close();
  await database?.close();
  await storage?.close();
});

/** Waits until metrics and log show an outage, and prints how long it took. */
async function shows(name: string, metric: RegExp, line: RegExp, from = service, at = metricsPort) {
  const started = performance.now();
  await eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${at}/metrics`)).text();
    return metric.test(metrics) && line.test(from.output());
  });
  const ms = performance.now() - started;
  printResult(`${name}: shown after ${(ms / 1000).toFixed(1)} s`);
  expect(ms).toBeLessThan(shownWithinMs);
}

const create = (customer = newCustomer()) =>
  deployment.call(service, '/customers/create', { method: 'POST', idToken, body: customer });

const readyz = async () => (await fetch(`${service.url}/readyz`)).json();

test('D-55 the database: it is not up, and the log has the code of the connection', async () => {
  await database.cut();
  await shows(
    'database',
    /^adx_dependency_up\{dependency="database"\} 0$/m,
    /"level":"warn".*The database does not respond.*"msg":"not ready"/,
  );
  await database.restore();
  await eventually(readyz, ({ status }) => status === 'ready');
});

test('D-55 the storage: it is not up, and the log names the bucket', async () => {
  await storage.cut();
  await shows(
    'storage',
    /^adx_dependency_up\{dependency="storage"\} 0$/m,
    /does not respond for the bucket .*"msg":"degraded: the storage fails"/,
  );
  expect((await create()).status).toBe(200);
  await storage.restore();
  await eventually(readyz, ({ status }) => status === 'ready');
});

test('D-55 mail: attempts fail, and the log has the reason with the task', async () => {
  // There is no mail server.
  await create(newCustomer({ bankAccounts: [{ iban: newIban() }] }));
  await shows(
    'mail',
    /^adx_mails_total\{outcome="failed"\} [1-9]/m,
    /"task":"sendSignatureRequest".*ECONNREFUSED/,
  );
});

test('D-55 the disk: calls that write are unavailable, those that read are not, and the log has 53100', async () => {
  const { knex } = deployment;
  const disk = await mountDisk(await ownerOfDatabase());
  const rest = join(disk, 'rest');
  await knex.raw(`create tablespace small location '${disk}'`);
  // Before the disk is unmounted: what was registered last is done first.
  onTestFinished(async () => {
    rmSync(rest, { force: true });
    await knex.raw('alter table customers set tablespace pg_default');
    await knex.raw('drop tablespace small');
  });
  await knex.raw('alter table customers set tablespace small');
  fill(rest);
  // Until the pages that the table has are full too.
  const answered = await eventually(
    async () => (await create()).status,
    (status) => status !== 200,
  );
  expect(answered).toBe(503);
  expect((await deployment.call(service, '/customers', { idToken })).status).toBe(200);
  expect(await readyz()).toMatchObject({ status: 'ready' });
  await shows(
    'disk',
    /^adx_errors_total\{operation="createCustomer",code="unavailable",partner="Tests"\} 1$/m,
    /"level":"error".*No space left on device.*"code":"53100"/,
  );
  rmSync(rest);
  expect((await create()).status).toBe(200);
});

/** Returns the user and the group of PostgreSQL. */
async function ownerOfDatabase(): Promise<{ readonly uid: number; readonly gid: number }> {
  const { rows } = await deployment.knex.raw('show data_directory');
  return statSync(rows[0].data_directory);
}

/** Mounts a disk of 2 MiB in memory, which needs root, and returns its folder. */
async function mountDisk({ uid, gid }: { readonly uid: number; readonly gid: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'adx-disk-'));
  const options = `size=2m,mode=700,uid=${uid},gid=${gid}`;
  await runCommand('mount', ['-t', 'tmpfs', '-o', options, 'adx-disk', folder]);
  onTestFinished(async () => {
    await runCommand('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Writes a file until the disk has no room. */
function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

test('D-55 the identity provider: only sign-ins are unavailable, and the log has its address', async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const another = await deployment.start({
    ...{ IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'adx' },
    METRICS_PORT: String(port),
  });
  await deployment.signIn(another);
  expect((await deployment.call(another, '/customers', { idToken })).status).toBe(200);
  await shows(
    'identity provider',
    /^adx_errors_total\{operation="getToken",code="unavailable",partner="Tests"\} 1$/m,
    /"level":"error".*ECONNREFUSED/,
    another,
    port,
  );
});
