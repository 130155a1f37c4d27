import { setTimeout as wait } from 'node:timers/promises';
import { createKnex } from '@adx/server';
import { createObjectStore } from '../../../packages/server/src/storage/object-store.js';
import { createS3Client } from '../../../packages/server/src/storage/s3-client.js';
import { toStorageSettings } from '../../../packages/server/src/storage/storage-settings.js';
import { startMailServer } from '../../../packages/server/test/mail/mail-server.js';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { bankStatement, bankStatements } from '../bank-statement.js';
import { benchDatabase } from '../bench-database.js';
import { load, prepareRequest } from '../load.js';
import { startServer } from '../server-under-load.js';
import type { Table } from '../table.js';
import { startUploadService, untilPrinted, untilRead } from '../upload-service.js';
import { assumed } from './assumptions.js';
import { startCountingProxy } from './counting-proxy.js';
import { createMeter, resources } from './resources.js';
import { history, seedFirms } from './seed-firms.js';
import { signMandates } from './sign-mandates.js';

/** The firms that upload and call, at most. */
const activeFirms = 10;
/** The number of files with one statement that each of them uploads. */
const singles = 50;
/** The number of files with `statementsPerFile` statements that each of them uploads. */
const files = 3;
const perFirm = singles + files * assumed.statementsPerFile;
const mandates = 100;
const idleMs = 15_000;
const once = { connections: 1, durationMs: 0 };
const aSecond = { connections: 2, durationMs: 1_000 };

/** Measures what a statement, a poll and a mandate cost: CPU time, bytes and requests of each. */
export async function benchUnitCosts(): Promise<Table> {
  const database = await benchDatabase(assumed.accounts);
  const knex = createKnex(database.url, { poolSize: 1, statementTimeoutMs: 0 });
  const seeded = (await seedFirms(database, knex)).slice(0, activeFirms);
  const storage = await startSandboxPart('storage', '--port', '0');
  const proxy = await startCountingProxy(storage.settings['S3_ENDPOINT'] ?? '');
  const mail = await startMailServer();
  const worker = await startUploadService({
    ...{ ...storage.settings, DATABASE_URL: database.url, S3_ENDPOINT: proxy.url },
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  });
  const service = await startServer('service', database.url);
  const client = createS3Client(toStorageSettings(storage.settings));
  const store = createObjectStore(client);
  const bucket = storage.settings['S3_BUCKET_FILES'] ?? '';

  const rows: string[][] = [];
  const used = await createMeter({ knex, service, worker, store, bucket, proxy });
  async function measure(work: () => Promise<number>): Promise<number[]> {
    await knex.raw('checkpoint');
    const before = await used();
    const count = await work();
    const after = await used();
    return after.map((value, index) => (value - (before[index] ?? 0)) / count);
  }
  function addRow(name: string, each: readonly number[]): void {
    rows.push([name, ...each.map((value, index) => value.toFixed(index < 3 ? 2 : 1))]);
  }

  try {
    const firms = await Promise.all(
      seeded.map(async ({ firmId, username }) => ({
        uploads: await worker.uploadsOf(firmId),
        credentials: await database.signIn(service.port, username),
      })),
    );
    const read = () => Promise.all(firms.map(({ uploads }) => untilRead(uploads)));
    for (const { uploads } of firms) {
      await uploads.upload('first.cod', bankStatement(uploads.ibans[0] ?? '', history + 1));
    }
    await read();
    await untilPrinted(worker);
    const [, ...idle] = await measure(async () => {
      await wait(idleMs);
      return idleMs / 1000;
    });
    addRow('a second without work', idle);

    /** Adds the costs of one unit of work, without the idle use. The work returns how many units it did. */
    async function add(name: string, work: () => Promise<number>): Promise<void> {
      const [seconds = 0, ...each] = await measure(work);
      addRow(
        name,
        each.map((value, index) => Math.max(0, value - seconds * (idle[index] ?? 0))),
      );
    }

    await add('statement, a file of its own', async () => {
      for (const { uploads } of firms) {
        for (const iban of uploads.ibans.slice(1, 1 + singles)) {
          await uploads.upload(`${iban}.cod`, bankStatement(iban, history + 1));
        }
      }
      await read();
      await untilPrinted(worker);
      return firms.length * singles;
    });
    await add('statement, in a file of 50', async () => {
      for (let file = 0; file < files; file += 1) {
        const first = 1 + singles + file * assumed.statementsPerFile;
        for (const { uploads } of firms) {
          const ibans = uploads.ibans.slice(first, first + assumed.statementsPerFile);
          await uploads.upload(`many-${file}.cod`, bankStatements(ibans, history + 1));
        }
      }
      await read();
      await untilPrinted(worker);
      return firms.length * files * assumed.statementsPerFile;
    });
    const missing = await knex('missing_statements').whereNot({ kind: 'overdue' });
    if (missing.length > 0) throw new Error('The statements do not continue each other');
    await add('PDF of a statement', async () => {
      const again = knex('files')
        .whereNotNull('upload_id')
        .limit(firms.length * singles);
      await knex('files').whereIn('id', again.select('id')).update({ pdf_status: 'missing' });
      await untilPrinted(worker);
      return firms.length * singles;
    });

    /** Calls an operation for each firm in turn, for a second, and returns the number of calls. */
    async function callOften(path: string, body: object): Promise<number> {
      let calls = 0;
      for (const { credentials } of firms) {
        const request = prepareRequest(path, 'POST', path, credentials, body);
        calls += (await load(service.port, request, aSecond)).length;
      }
      return calls;
    }
    const list = { includePdf: true };
    await add('file in a list, with its PDF', async () => {
      return (await callOften('/v1/coda-files', list)) * (1 + perFirm);
    });
    const ids = await Promise.all(
      seeded.map(({ firmId }) =>
        knex('files').where({ firm_id: firmId }).whereNotNull('upload_id').pluck<string[]>('id'),
      ),
    );
    await add('file acknowledged, 100 at once', async () => {
      for (const [index, { credentials }] of firms.entries()) {
        const ofFirm = ids[index] ?? [];
        for (let first = 0; first < ofFirm.length; first += 100) {
          const path = '/v1/coda-files/acknowledgements';
          const body = { fileIds: ofFirm.slice(first, first + 100) };
          await load(service.port, prepareRequest(path, 'POST', path, credentials, body), once);
        }
      }
      return ids.flat().length;
    });
    await add('poll of files without news', () => callOften('/v1/coda-files', list));
    const since = { updatedSince: new Date().toISOString(), includeFinished: true };
    await add('poll of mandates without news', () => callOften('/v1/mandates', since));
    const { credentials = {} } = firms[0] ?? {};
    await add('customer with a mandate that is signed', () =>
      signMandates({ port: service.port, credentials, mail, count: mandates }),
    );
    return { head: ['each', ...resources], rows };
  } finally {
    service.stop();
    await worker.stop();
    await mail.close();
    proxy.close();
    client.destroy();
    await storage.stop();
    await knex.destroy();
    await database.drop();
  }
}
