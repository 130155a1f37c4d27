import { createKnex } from '@adx/server';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { pino } from 'pino';
import { sealEntries } from '../../../packages/server/src/audit/seal-entries.js';
import { oneServer } from '../../../packages/server/src/db/nodes.js';
import { retentionWork } from '../../../packages/server/src/erasure/retention.js';
import { removeDueObjects } from '../../../packages/server/src/files/object-removals.js';
import { openStorage, type Storage } from '../../../packages/server/src/storage/open-storage.js';
import { toStorageSettings } from '../../../packages/server/src/storage/storage-settings.js';
import { scanUploads } from '../../../packages/server/src/uploads/scan-uploads.js';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { benchDatabase } from '../calls/bench-database.js';
import { seedCodaFiles } from '../seeds/seed-files.js';
import type { Table } from '../table.js';
import { works } from './unit-table.js';

const customers = 200;
const filesOfEach = 100;
const entries = 50_000;
const objects = 3_000;
const firms = 30;
const customersOfOthers = 10;

/** Measures how much of the work that is repeated for all firms one worker does in a second. */
export async function benchOneWorker(): Promise<Table> {
  const database = await benchDatabase(customers);
  const part = await startSandboxPart('storage', '--port', '0');
  const knex = createKnex(database.url, { poolSize: 4, statementTimeoutMs: 0 });
  const logger = pino({ level: 'silent' });
  const storage = await openStorage(toStorageSettings(part.settings), logger);
  const now = () => new Date();
  const rows: string[][] = [];
  async function measure(name: string, count: number, work: () => Promise<unknown>) {
    await knex.raw('vacuum analyze');
    const started = performance.now();
    await work();
    rows.push([name, ((count * 1000) / (performance.now() - started)).toFixed(0)]);
  }
  try {
    await insertEntries(knex, database.firmId);
    await measure(works.sealed, entries, async () => {
      while ((await sealEntries(knex, now())) !== undefined);
    });
    await putDueObjects(knex, storage);
    await measure(works.removed, objects, async () => {
      while ((await removeDueObjects({ knex, storage }, now())).isLeft);
    });
    await seedCodaFiles(knex, filesOfEach);
    await makeFilesOld(knex);
    const years = { statements: 10, evidence: 10, uploads: 2, audit: 10 };
    const { run } = retentionWork({ knex, storage, now, logger }, years);
    await measure(works.erased, customers * filesOfEach, async () => {
      while ((await run()) === 'moreLeft');
    });
    await database.addOtherFirms(firms * customersOfOthers, customersOfOthers);
    await putUploads(knex, storage, database.passwordHash);
    await measure(works.found, objects, () =>
      scanUploads({ knex, storage, nodes: oneServer }, now()),
    );
    return { head: ['work', 'one worker/s'], rows };
  } finally {
    await storage.close();
    await knex.destroy();
    await part.stop();
    await database.drop();
  }
}

async function insertEntries(knex: Knex, firmId: string): Promise<void> {
  await knex.raw(
    `insert into audit_entries (occurred_on, actor, user_id, api_key_id, firm_id, action, outcome, address,
                                request_id)
     select now(), 'user', substr(md5(n::text), 1, 24), substr(md5(n::text), 1, 24), ?,
            'listCodaFiles', 'done', '192.0.2.1', gen_random_uuid()
       from generate_series(1, ?::int) n`,
    [firmId, entries],
  );
}

async function putDueObjects(knex: Knex, storage: Storage): Promise<void> {
  const keys = Array.from({ length: objects }, (_, object) => `held/${object}.cod`);
  await putAll(storage, storage.buckets.files, keys);
  await knex.raw(
    `insert into object_removals (object_key, remove_after)
     select key, now() from unnest(?::text[]) key`,
    [keys],
  );
}

/** Gives the files a day whose retention has ended. */
async function makeFilesOld(knex: Knex): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('set local session_replication_role = replica');
    await trx('files').update({ statement_date: '2010-01-01' });
  });
}

/** Uploads files of other firms, fewer of each than a scan takes at once. */
async function putUploads(knex: Knex, storage: Storage, passwordHash: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { prefix: string }[] }>(
    `with added as (
       insert into users (id, firm_id, username, password_hash, access_level, sees_customers)
       select substr(md5(f.id), 1, 24), f.id, f.id, ?, 'administrator', 'all'
         from firms f where not exists (select from users u where u.firm_id = f.id)
       returning id, firm_id)
     insert into upload_grants (id, firm_id, user_id, api_key_id, product, prefix, access_level,
                                sees_customers, issued_on)
     select id, firm_id, id, (select id from api_keys limit 1), 'CODA', 'uploads/kantoor-' || id,
            'administrator', 'all', now()
       from added returning prefix`,
    [passwordHash],
  );
  const keys = rows.flatMap(({ prefix }) =>
    Array.from({ length: objects / firms }, (_, file) => `${prefix}/${file}.cod`),
  );
  await putAll(storage, storage.buckets.codaUploads, keys);
}

async function putAll({ store }: Storage, bucket: string, keys: readonly string[]): Promise<void> {
  await pLimit(8).map(keys, (key) => store.put(bucket, key, Buffer.from(key), 'text/plain'));
}
