import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@adx/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createDatabases,
  startPostgres,
} from '../../packages/sandbox/src/postgres/start-postgres.js';
import {
  CLIENT,
  startOidcServer,
} from '../../packages/server/test/identity/openid-connect/oidc-server.js';
import { startMailServer } from '../../packages/server/test/mail/mail-server.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import { printResult } from '../proofs/print-result.js';
import { openDatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { runCommand } from '../support/run-command.js';
import { carryStatement } from './carry-statement.js';
import { installServer } from './installed-server.js';

/** An operator may take five minutes; a scrape takes half a minute and an alert two. */
const shownWithinMs = 60_000;
const username = 'an@kantoor-peeters.example';
const password = 'goed paard';

/** The things to close at the end, in reverse order. */
const closings: (() => unknown)[] = [];
const closing = <Part>(part: Part, close: (part: Part) => unknown): Part => {
  closings.push(() => close(part));
  return part;
};
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

type Installation = Awaited<ReturnType<typeof install>>;
let installation: Installation;
beforeAll(async () => {
  installation = await install();
});

/** Installs the service on parts that can be broken, and signs a user in. */
async function install() {
  const disk = closing(await mountDisk(), unmount);
  // The whole of PostgreSQL is on a small disk.
  const postgres = closing(await startPostgres({ dataDir: disk }), (each) => each.stop());
  await createDatabases(postgres.url('postgres'), ['adx']);
  const before = async (url: string) =>
    closing(await openDatabaseProxy(url), (proxy) => proxy.close());
  const database = await before(postgres.url('adx'));
  const buckets = await processSettings(database.url);
  const storage = await before(buckets['S3_ENDPOINT'] ?? '');
  const mail = closing(await startMailServer(), (each) => each.close());
  const mailProxy = await before(`smtp://127.0.0.1:${mail.port}`);
  const accounts = new Map([[username, { username, password }]]);
  const provider = closing(await startOidcServer(accounts), (each) => each.stop());
  const [port, metrics, workerMetrics] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const endpoint = new URL(storage.url).origin;
  const settings = {
    ...{ ...buckets, S3_ENDPOINT: endpoint, STS_ENDPOINT: endpoint, SMTP_URL: mailProxy.url },
    ...{ PORT: `${port}`, PUBLIC_URL: url, METRICS_PORT: `${metrics}`, LOG_LEVEL: 'info' },
    ...{ IDENTITY_PROVIDER: 'oidc', OIDC_ISSUER: provider.issuer },
    ...{ OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
  };
  const server = closing(await installServer(), (each) => each.close());
  const json = async (...parameters: string[]) =>
    JSON.parse(await server.run([...parameters, '--json'], settings));
  await json('migrate');
  const { id: firmId } = await json('firm', 'create', '--name', 'Kantoor Peeters');
  const user = ['--firm', firmId, '--username', username, '--access', 'administrator'];
  await json('user', 'create', ...user);
  const { key: apiKey } = await json('api-key', 'issue', '--partner', 'Tests', '--scopes', 'all');
  const service = await server.start(['serve'], settings, /listens on \S+"/);
  const forWorker = { ...settings, METRICS_PORT: `${workerMetrics}` };
  const worker = await server.start(['worker'], forWorker, /worker .* is running/);
  const signedIn = () =>
    createClient({ baseUrl: `${url}/v1`, apiKey, username, password, maxRetries: 0 });
  const client = signedIn();
  await client.customers.list();
  return {
    ...{ disk, database, storage, mail, mailProxy, provider, client, signedIn },
    log: () => service.output() + worker.output(),
    /** Returns the output of `doctor`. The command fails if it finds a problem. */
    doctor: () => server.run(['doctor'], settings).catch(({ stdout }) => String(stdout)),
    readyz: async () => (await fetch(`${url}/readyz`)).json(),
    async metrics() {
      const ports = [metrics, workerMetrics];
      const pages = ports.map((each) => fetch(`http://127.0.0.1:${each}/metrics`));
      return (await Promise.all((await Promise.all(pages)).map((page) => page.text()))).join('');
    },
  };
}

/** Waits until metrics and log show an outage, and prints how long it took. */
async function shows(name: string, metric: RegExp, line: RegExp) {
  const started = performance.now();
  await eventually(
    async () => metric.test(await installation.metrics()) && line.test(installation.log()),
  );
  const ms = performance.now() - started;
  printResult(`${name}: shown after ${(ms / 1000).toFixed(1)} s`);
  expect(ms).toBeLessThan(shownWithinMs);
}

/** Nothing is restarted after an outage. */
async function recovers() {
  const { readyz, signedIn, mail } = installation;
  await eventually(readyz, ({ status }) => status === 'ready');
  await carryStatement(signedIn(), mail);
}

const unavailable = { status: 503, code: 'unavailable' };

test('D-55 the database: it is not up, and the log has the code of the connection', async () => {
  const { database, client } = installation;
  await database.cut();
  await expect(client.customers.list()).rejects.toMatchObject(unavailable);
  await shows(
    'database',
    /^adx_dependency_up\{dependency="database"\} 0$/m,
    /"level":"warn".*The database does not respond.*"code":"ECONNREFUSED".*"msg":"not ready"/,
  );
  await database.restore();
  await recovers();
});

test('D-55 the storage: it is not up, and the log names the bucket', async () => {
  const { storage, client } = installation;
  await storage.cut();
  await shows(
    'storage',
    /^adx_dependency_up\{dependency="storage"\} 0$/m,
    /does not respond for the bucket .*"msg":"degraded: the storage fails"/,
  );
  await client.customers.create(newCustomer());
  await storage.restore();
  await recovers();
});

test('D-55 the mail server: attempts fail, the log has the reason with the task, and no message is lost', async () => {
  const { mail, mailProxy, client } = installation;
  const sent = mail.delivered.length;
  await mailProxy.cut();
  await client.customers.create(newCustomer({ bankAccounts: [{ iban: newIban() }] }));
  await shows(
    'mail server',
    /^adx_mails_total\{outcome="failed"\} [1-9]/m,
    /"task":"sendMail".*ECONNREFUSED/,
  );
  await mailProxy.restore();
  await eventually(async () => mail.delivered.length === sent + 1);
  await recovers();
});

test('D-55 the identity provider: only sign-ins are unavailable, and the log has its address', async () => {
  const { provider, client, signedIn } = installation;
  await provider.stop();
  await expect(signedIn().customers.list()).rejects.toMatchObject(unavailable);
  await client.customers.create(newCustomer());
  await shows(
    'identity provider',
    /^adx_errors_total\{operation="getToken",code="unavailable",partner="Tests"\} 1$/m,
    /"level":"error".*The identity provider cannot be used: .*ECONNREFUSED/,
  );
  await provider.listen();
  await recovers();
});

test('D-55 the disk: calls that write are unavailable, those that read are not, and the log has 53100', async () => {
  const { disk, client, readyz, doctor } = installation;
  const rest = join(disk, randomUUID());
  fill(rest);
  // Until the pages that the tables have are full too.
  const create = () =>
    client.customers.create(newCustomer()).then(
      () => undefined,
      (error) => error,
    );
  expect(await eventually(create)).toMatchObject(unavailable);
  await client.customers.list();
  expect(await readyz()).toMatchObject({ status: 'ready' });
  expect(await doctor()).toMatch(/^problem +database +The disk of the database is full\.$/m);
  await shows(
    'disk',
    /^adx_errors_total\{operation="createCustomer",code="unavailable",partner="Tests"\} [1-9]/m,
    /"level":"error".*No space left on device.*"code":"53100"/,
  );
  rmSync(rest);
  await recovers();
});

async function mountDisk(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'adx-disk-'));
  await runCommand('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'adx-disk', folder]);
  return folder;
}

async function unmount(folder: string): Promise<void> {
  await runCommand('umount', [folder]);
  rmSync(folder, { recursive: true });
}

function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}
