import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createFirmStore, createKnex, migrate } from '@adx/server';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Knex } from 'knex';
import { newObjectId } from '../../packages/server/src/identifiers/object-id.js';
import { createS3Client } from '../../packages/server/src/storage/s3-client.js';
import { toStorageSettings } from '../../packages/server/src/storage/storage-settings.js';
import { insertApiKey, insertUser } from '../../packages/server/test/support/rows.js';
import { startSandboxPart } from '../../packages/server/test/support/sandbox-part.js';
import { createdFirm } from '../../packages/server/test/support/users.js';
import { seedCustomers } from './seeds/seed-customers.js';

/** A firm that uploads files. */
export interface UploadingFirm {
  /** The IBANs of its customers, one of each. */
  readonly ibans: readonly string[];
  /** Puts a CODA file into the upload bucket. */
  upload(name: string, bytes: Uint8Array): Promise<void>;
  /** The number of its listed files. */
  countListed(): Promise<number>;
  /** The number of its uploads that were put and have no outcome yet. */
  countUnfinished(): Promise<number>;
}

/** A worker process with its own database and storage. */
export interface UploadService {
  createFirm(customers: number): Promise<UploadingFirm>;
  /** The CPU time of the worker since its start in seconds, and its largest resident memory in MiB. */
  usage(): Promise<{ cpuSeconds: number; peakMebibytes: number }>;
  stop(): Promise<void>;
}

/** Starts a database, a storage and a worker that reads uploads, with the default settings. */
export async function startUploadService(): Promise<UploadService> {
  const database = await startSandboxPart('database');
  const { DATABASE_URL: url = '' } = database.settings;
  const storage = await startSandboxPart('storage', '--port', '0', '--database', url);
  const knex = createKnex(url, { poolSize: 4 });
  await migrate(knex);
  const client = createS3Client(toStorageSettings(storage.settings));
  const worker = spawn(
    process.execPath,
    [
      ...['--conditions=adx-source', '--import=tsx'],
      fileURLToPath(new URL('../../packages/server/src/cli.ts', import.meta.url)),
      'worker',
    ],
    {
      env: {
        ...{ PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'error' },
        ...{ ...database.settings, ...storage.settings },
        ...{ PUBLIC_URL: 'http://localhost:3000', SMTP_URL: 'smtp://127.0.0.1:9' },
        MAIL_FROM: 'Bench <bench@adx.example>',
        LINK_SECRET: 'a secret of at least thirty-two characters',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const closed = once(worker, 'close');
  const bucket = storage.settings['S3_BUCKET_CODA_UPLOADS'] ?? '';
  let customers = 0;
  return {
    async createFirm(count) {
      const first = customers + 1;
      customers += count;
      return createUploadingFirm(knex, { first, count }, (Key, Body) =>
        client.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
      );
    },
    async usage() {
      const stat = await readFile(`/proc/${worker.pid}/stat`, 'utf8');
      const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
      // User and system time, in the hundredths of a second of Linux.
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
      return {
        cpuSeconds: (Number(user) + Number(system)) / 100,
        peakMebibytes: Number(peak) / 1024,
      };
    },
    async stop() {
      worker.kill('SIGTERM');
      await closed;
      client.destroy();
      await knex.destroy();
      await storage.stop();
      await database.stop();
    },
  };
}

async function createUploadingFirm(
  knex: Knex,
  { first, count }: { readonly first: number; readonly count: number },
  put: (key: string, bytes: Uint8Array) => Promise<unknown>,
): Promise<UploadingFirm> {
  const firm = createdFirm(
    await createFirmStore(knex).create({ name: `Kantoor ${first}`, codbUpload: false }),
  );
  await seedCustomers(knex, firm.id, first, count);
  const id = newObjectId();
  const prefix = `uploads/kantoor-${id}`;
  await knex('upload_grants').insert({
    ...{ id, prefix, product: 'CODA', firm_id: firm.id, issued_on: new Date() },
    ...{ user_id: await insertUser(knex, firm.id), api_key_id: await insertApiKey(knex) },
    ...{ access_level: 'administrator', sees_customers: 'all' },
  });
  const ibans = await knex('bank_accounts as a')
    .join('customers as c', 'c.id', 'a.customer_id')
    .where('c.firm_id', firm.id)
    .orderBy('a.id')
    .pluck<string[]>('a.iban');
  let uploads = 0;
  return {
    ibans,
    async upload(name, bytes) {
      uploads += 1;
      await put(`${prefix}/${name}`, bytes);
    },
    countListed: () => countOf(knex('files').where({ firm_id: firm.id })),
    countUnfinished: async () =>
      uploads - (await countOf(knex('uploads').where({ grant_id: id }).whereNotNull('settled_on'))),
  };
}

async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count();
  return Number(row?.count);
}

/** Waits until a firm has this many listed files. */
export async function untilListed(firm: UploadingFirm, count: number): Promise<void> {
  while ((await firm.countListed()) < count) await wait(20);
}
