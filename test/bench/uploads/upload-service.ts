import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createFirmStore, createKnex, migrate } from '@adx/server';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Knex } from 'knex';
import { newObjectId } from '../../../packages/server/src/identifiers/object-id.js';
import { createS3Client } from '../../../packages/server/src/storage/s3-client.js';
import { toStorageSettings } from '../../../packages/server/src/storage/storage-settings.js';
import { listedFiles } from '../../../packages/server/test/support/files.js';
import {
  completeRows,
  insertApiKey,
  insertUser,
} from '../../../packages/server/test/support/rows.js';
import {
  type SandboxPart,
  startSandboxPart,
} from '../../../packages/server/test/support/sandbox-part.js';
import { createdFirm } from '../../../packages/server/test/support/users.js';
import { surviveCrashes } from '../calls/bench-database.js';
import { seedCustomers } from '../seeds/seed-customers.js';
import { until } from '../until.js';
import { type ProcessUsage, usageOf } from './process-usage.js';

export interface UploadingFirm {
  readonly ibans: readonly string[];
  upload(name: string, bytes: Uint8Array): Promise<void>;
  countListed(): Promise<number>;
  /** The number of its uploads that were put and have no outcome yet. */
  countUnfinished(): Promise<number>;
}

export interface UploadService {
  /** Creates a firm with customers, one IBAN of each. */
  createFirm(customers: number): Promise<UploadingFirm>;
  /** Lets a firm upload whose customers were seeded. */
  uploadsOf(firmId: string): Promise<UploadingFirm>;
  countUnprinted(): Promise<number>;
  /** The CPU time of the worker since its start, and its largest resident memory. */
  usage(): Promise<ProcessUsage>;
  stop(): Promise<void>;
}

/** Starts a worker; by default also its database and storage, each with a cluster of its own. */
export async function startUploadService(
  given?: Readonly<Record<string, string>>,
): Promise<UploadService> {
  const parts: SandboxPart[] = [];
  if (given === undefined) {
    parts.push(
      await startSandboxPart('database'),
      await startSandboxPart('storage', '--port', '0'),
    );
  }
  const settings: Record<string, string> = { SMTP_URL: 'smtp://127.0.0.1:9', ...given };
  for (const part of parts) Object.assign(settings, part.settings);
  const knex = createKnex(settings['DATABASE_URL'] ?? '', { poolSize: 4 });
  if (given === undefined) await surviveCrashes(knex);
  await migrate(knex);
  const client = createS3Client(toStorageSettings(settings));
  const worker = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('../../../packages/server/bin/adx-server.mjs', import.meta.url)),
      'worker',
    ],
    {
      env: {
        ...{ PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'error' },
        ...settings,
        PUBLIC_URL: 'http://localhost:3000',
        MAIL_FROM: 'Bench <bench@adx.example>',
        LINK_SECRET: 'a secret of at least thirty-two characters',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  // A benchmark that fails does not leave it behind.
  const kill = () => worker.kill();
  process.once('exit', kill);
  const closed = once(worker, 'close');
  const bucket = settings['S3_BUCKET_CODA_UPLOADS'] ?? '';
  let customers = 0;
  const uploadsOf = (firmId: string) =>
    letUpload(knex, firmId, (Key, Body) =>
      client.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
    );
  return {
    async createFirm(count) {
      const first = customers + 1;
      customers += count;
      const name = `Kantoor ${first}`;
      const firm = createdFirm(await createFirmStore(knex).create({ name, codbUpload: false }));
      await seedCustomers(knex, firm.id, first, count);
      await completeRows(knex);
      return uploadsOf(firm.id);
    },
    uploadsOf,
    countUnprinted: () => countOf(listedFiles(knex).whereNot({ pdf_status: 'present' })),
    usage: () => usageOf(worker.pid),
    async stop() {
      worker.kill('SIGTERM');
      await closed;
      process.off('exit', kill);
      client.destroy();
      await knex.destroy();
      for (const part of parts.toReversed()) await part.stop();
    },
  };
}

/**
 * Grants a firm to upload CODA files.
 *
 * @param put - puts an object into the upload bucket
 */
async function letUpload(
  knex: Knex,
  firmId: string,
  put: (key: string, bytes: Uint8Array) => Promise<unknown>,
): Promise<UploadingFirm> {
  const id = newObjectId();
  const [tenant] = await knex('firms').where({ id: firmId }).pluck<string[]>('tenant');
  const prefix = `uploads/${tenant}-${id}`;
  await knex('upload_grants').insert({
    ...{ id, prefix, product: 'CODA', firm_id: firmId, issued_on: new Date() },
    ...{ user_id: await insertUser(knex, firmId), api_key_id: await insertApiKey(knex) },
    ...{ access_level: 'administrator', sees_customers: 'all' },
  });
  const ibans = await knex('bank_accounts as a')
    .join('customers as c', 'c.id', 'a.customer_id')
    .where('c.firm_id', firmId)
    .orderBy('a.id')
    .pluck<string[]>('a.iban');
  let uploads = 0;
  return {
    ibans,
    async upload(name, bytes) {
      uploads += 1;
      await put(`${prefix}/${name}`, bytes);
    },
    countListed: () => countOf(knex('files').where({ firm_id: firmId })),
    countUnfinished: async () =>
      uploads - (await countOf(knex('uploads').where({ grant_id: id }).whereNotNull('settled_on'))),
  };
}

async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const [row] = await query.count();
  return Number(row?.count);
}

export async function untilListed(firm: UploadingFirm, count: number): Promise<void> {
  await until(`${count} files are listed`, 50, async () => (await firm.countListed()) >= count);
}

export async function untilPrinted(service: UploadService): Promise<void> {
  await until('all files are printed', 500, async () => (await service.countUnprinted()) === 0);
}

/** Waits until all uploads are read, and looks seldom, because looking costs CPU time too. */
export async function untilRead(firm: UploadingFirm): Promise<void> {
  await until('all uploads are read', 500, async () => (await firm.countUnfinished()) === 0);
}
