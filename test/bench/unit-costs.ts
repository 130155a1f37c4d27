import { createKnex } from '@adx/server';
import { createObjectStore } from '../../packages/server/src/storage/object-store.js';
import { createS3Client } from '../../packages/server/src/storage/s3-client.js';
import { toStorageSettings } from '../../packages/server/src/storage/storage-settings.js';
import { startMailServer } from '../../packages/server/test/mail/mail-server.js';
import { startSandboxPart } from '../../packages/server/test/support/sandbox-part.js';
import { bankStatement, bankStatements } from './bank-statement.js';
import { benchDatabase } from './bench-database.js';
import { startCountingProxy } from './counting-proxy.js';
import { load, prepareRequest } from './load.js';
import { cpuOfFamily, parentOf } from './process-usage.js';
import { startServer } from './server-under-load.js';
import { signMandates } from './sign-mandates.js';
import type { Table } from './table.js';
import { startUploadService, untilListed } from './upload-service.js';

const accounts = 500;
const polls = { connections: 4, durationMs: 5_000 };
const once = { connections: 1, durationMs: 0 };
const aSecond = { connections: 1, durationMs: 1_000 };
const listed = 1_000;
const mandates = 200;

/** Measures what a statement, a poll and a mandate cost: CPU time, bytes and requests of each (capacity). */
export async function benchUnitCosts(): Promise<Table> {
  const database = await benchDatabase(accounts);
  const knex = createKnex(database.url, { poolSize: 1 });
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
  const [connection] = (await knex.raw('select pg_backend_pid() as pid')).rows;
  const postgres = await parentOf(connection.pid);

  /** Returns what has been used so far, in the order of the columns. */
  async function used(): Promise<number[]> {
    const size =
      "pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database())";
    const { rows } = await knex.raw(`select ${size} as size`);
    let stored = 0;
    const bucket = storage.settings['S3_BUCKET_FILES'] ?? '';
    for await (const object of store.list(bucket, '')) stored += object.size;
    const requests = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0);
    return [
      (await service.usage()).cpuMicros / 1e6,
      (await worker.usage()).cpuSeconds,
      await cpuOfFamily(postgres),
      Number(rows[0].wal) / 1024,
      Number(rows[0].size) / 1024,
      stored / 1024,
      requests,
    ];
  }

  const rows: string[][] = [];
  /** Measures work that returns how often it did what is named. */
  async function measure(name: string, work: () => Promise<number>): Promise<void> {
    const before = await used();
    const count = await work();
    const after = await used();
    const each = after.map((value, index) => (value - (before[index] ?? 0)) / count);
    const [ofService = 0, ofWorker = 0, ofDatabase = 0, ...others] = each;
    rows.push([
      name,
      ...[ofService, ofWorker, ofDatabase].map((seconds) => (seconds * 1000).toFixed(2)),
      ...others.map((value) => value.toFixed(1)),
    ]);
  }

  try {
    const credentials = await database.signIn(service.port);
    const firm = await worker.uploadsOf(database.firmId);
    // Until the worker has started.
    await firm.upload('first.cod', bankStatement(firm.ibans[0] ?? '', 999));
    await untilListed(firm, 1);
    await measure('statement, a file of its own', async () => {
      for (let index = 0; index < listed; index += 1) {
        const iban = firm.ibans[index % accounts] ?? '';
        await firm.upload(`${index}.cod`, bankStatement(iban, 1 + Math.floor(index / accounts)));
      }
      await untilListed(firm, 1 + listed);
      await worker.untilPrinted();
      return listed;
    });
    await measure('statement, in a file of 50', async () => {
      for (let first = 0; first < accounts; first += 50) {
        await firm.upload(
          `many-${first}.cod`,
          bankStatements(firm.ibans.slice(first, first + 50), 3),
        );
      }
      await untilListed(firm, 1 + listed + accounts);
      await worker.untilPrinted();
      return accounts;
    });
    await measure('PDF of a statement', async () => {
      await knex('files').update({ pdf_status: 'missing' });
      await worker.untilPrinted();
      return 1 + listed + accounts;
    });
    const call = (path: string, body: object) =>
      prepareRequest(path, 'POST', path, credentials, body);
    const list = { includePdf: true };
    const all = 1 + listed + accounts;
    await measure('file in a list, with its PDF', async () => {
      const calls = await load(service.port, call('/v1/coda-files', list), aSecond);
      return calls.length * all;
    });
    const ids = await knex('files').orderBy('id').pluck<string[]>('id');
    await measure('file acknowledged, 100 at once', async () => {
      for (let first = 0; first < ids.length; first += 100) {
        const body = { fileIds: ids.slice(first, first + 100) };
        await load(service.port, call('/v1/coda-files/acknowledgements', body), once);
      }
      return ids.length;
    });
    await measure('poll of files without news', async () => {
      return (await load(service.port, call('/v1/coda-files', list), polls)).length;
    });
    const since = { updatedSince: new Date().toISOString(), includeFinished: true };
    await measure('poll of mandates without news', async () => {
      return (await load(service.port, call('/v1/mandates', since), polls)).length;
    });
    await measure('customer with a mandate that is signed', () =>
      signMandates({ port: service.port, credentials, mail, count: mandates }),
    );
    return {
      head: [
        'each',
        'service CPU ms',
        'worker CPU ms',
        'database CPU ms',
        'WAL KiB',
        'database KiB',
        'storage KiB',
        'storage requests',
      ],
      rows,
    };
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
