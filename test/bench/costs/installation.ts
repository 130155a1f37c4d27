import { createKnex } from '@adx/server';
import type { Knex } from 'knex';
import { createObjectStore } from '../../../packages/server/src/storage/object-store.js';
import { createS3Client } from '../../../packages/server/src/storage/s3-client.js';
import { toStorageSettings } from '../../../packages/server/src/storage/storage-settings.js';
import {
  type MailServer,
  startMailServer,
} from '../../../packages/server/test/mail/mail-server.js';
import { type BenchDatabase, benchDatabase } from '../calls/bench-database.js';
import { type ServerUnderLoad, startServer } from '../calls/server-under-load.js';
import { cpuOfFamily, parentOf } from '../uploads/process-usage.js';
import {
  startUploadService,
  type UploadingFirm,
  type UploadService,
} from '../uploads/upload-service.js';
import { startCountedStorage } from './counted-storage.js';
import { accounts, seedFirms } from './seed-firms.js';
import type { Resource } from './unit-table.js';

export interface ActiveFirm {
  readonly id: string;
  readonly uploads: UploadingFirm;
  readonly credentials: Readonly<Record<string, string>>;
}

export interface Installation {
  readonly database: BenchDatabase;
  readonly knex: Knex;
  readonly firms: readonly ActiveFirm[];
  readonly service: ServerUnderLoad;
  readonly worker: UploadService;
  readonly mail: MailServer;
  used(): Promise<Record<Resource, number>>;
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const database = await benchDatabase(accounts);
  const knex = createKnex(database.url, { poolSize: 2, statementTimeoutMs: 0 });
  const seeded = await seedFirms(database, knex);
  const storage = await startCountedStorage();
  const mail = await startMailServer();
  const settings = { ...storage.settings, DATABASE_URL: database.url };
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${mail.port}` };
  const worker = await startUploadService({ ...settings, ...smtp });
  const service = await startServer('service', settings);
  const client = createS3Client(toStorageSettings(storage.directSettings));
  const store = createObjectStore(client);
  const { rows } = await knex.raw('select pg_backend_pid() as pid');
  const postgres = await parentOf(rows[0].pid);
  return {
    ...{ database, knex, service, worker, mail },
    firms: await Promise.all(
      seeded.map(async ({ id, username }) => ({
        id,
        uploads: await worker.uploadsOf(id),
        credentials: await database.signIn(service.port, username),
      })),
    ),
    async used() {
      let stored = 0;
      for await (const object of store.list(storage.directSettings['S3_BUCKET_FILES'] ?? '', '')) {
        stored += object.size;
      }
      const { rows } = await knex.raw(
        `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal, pg_database_size(datname) as size,
                tup_inserted + tup_updated + tup_deleted as rows,
                (select n_tup_ins from pg_stat_user_tables where relname = 'audit_entries') as entries
           from pg_stat_database where datname = current_database()`,
      );
      return {
        'service CPU ms': (await service.usage()).cpuMicros / 1000,
        'worker CPU ms': (await worker.usage()).cpuSeconds * 1000,
        'database CPU ms': (await cpuOfFamily(postgres)) * 1000,
        'rows written': Number(rows[0].rows),
        'audit entries': Number(rows[0].entries),
        'WAL KiB': Number(rows[0].wal) / 1024,
        'database KiB': Number(rows[0].size) / 1024,
        'storage KiB': stored / 1024,
        'storage requests': storage.count(),
      };
    },
    async stop() {
      service.stop();
      await worker.stop();
      await mail.close();
      client.destroy();
      await storage.stop();
      await knex.destroy();
      await database.drop();
    },
  };
}
