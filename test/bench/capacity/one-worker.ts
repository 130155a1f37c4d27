import { createFirmStore, createKnex, migrate } from '@adx/server';
import type { Knex } from 'knex';
import { sealEntries } from '../../../packages/server/src/audit/seal-entries.js';
import { createFilePrinter } from '../../../packages/server/src/files/print-files.js';
import { createPrintingTasks } from '../../../packages/server/src/files/print-turns.js';
import { createLogger } from '../../../packages/server/src/logger.js';
import { openStorage, type Storage } from '../../../packages/server/src/storage/open-storage.js';
import { toStorageSettings } from '../../../packages/server/src/storage/storage-settings.js';
import {
  removeDueObjects,
  scheduleRemoval,
} from '../../../packages/server/src/uploads/object-removals.js';
import { scanUploads } from '../../../packages/server/src/uploads/scan-uploads.js';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { createdFirm } from '../../../packages/server/test/support/users.js';
import { surviveCrashes } from '../calls/bench-database.js';
import { median } from '../statistics.js';
import type { Table } from '../table.js';
import { letUpload } from '../uploads/upload-service.js';
import { assumed } from './assumptions.js';
import { startCountedStorage } from './counted-storage.js';
import { sharedWorks } from './unit-table.js';

/** How often each is measured. The medians count. */
const rounds = 5;
const firmCount = 10_000;
const uploadingFirms = 50;
/** The number of uploads of each of them in a round. */
const uploadsOfEach = 20;
/** The number of entries, and of objects to remove, in a round. */
const entries = 10_000;
const removals = 2_000;

/** Measures the work that one worker does for all firms. */
export async function benchOneWorker(): Promise<Table> {
  const database = await startSandboxPart('database');
  const distant = await startCountedStorage(assumed.storageMs);
  const logger = createLogger('error');
  const storage = await openStorage(toStorageSettings(distant.settings), logger);
  const knex = createKnex(database.settings['DATABASE_URL'] ?? '', { poolSize: 2 });
  try {
    await surviveCrashes(knex);
    await migrate(knex);
    const firmIds = await createFirms(knex);
    const uploads = await prepareUploads(knex, storage, firmIds.slice(0, uploadingFirms));
    await knex.raw('vacuum analyze');

    const printer = createFilePrinter({ knex, storage, logger });
    const { run: search } = createPrintingTasks({ knex, printer }).repeating.printFiles;
    const scan = () => scanUploads({ knex, storage }, new Date());
    const rows = [
      [
        sharedWorks.entry,
        await measure(
          entries,
          () => sealAll(knex),
          () => addEntries(knex),
        ),
      ],
      [sharedWorks.firm, await measure(firmCount, search)],
      [sharedWorks.upload, await measure(uploads.count, scan, uploads.renew)],
      [sharedWorks.foundAgain, await measure(uploads.count, scan)],
      [
        sharedWorks.removal,
        await measure(
          removals,
          () => removeAll(knex, storage),
          () => addRemovals(knex, storage),
        ),
      ],
    ] as const;
    return {
      head: ['each', 'µs', 'a second'],
      rows: rows.map(([name, micros]) => [name, micros.toFixed(1), (1e6 / micros).toFixed(0)]),
    };
  } finally {
    await knex.destroy();
    await storage.close();
    await distant.stop();
    await database.stop();
  }
}

/** Returns how long some work takes for each of what it does, in µs. */
async function measure(
  count: number,
  work: () => Promise<unknown>,
  prepare: () => Promise<void> = async () => {},
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await prepare();
    const started = performance.now();
    await work();
    times.push(((performance.now() - started) * 1_000) / count);
  }
  return median(times);
}

async function createFirms(knex: Knex): Promise<string[]> {
  const firms = createFirmStore(knex);
  const ids: string[] = [];
  for (let number = 1; number <= firmCount; number += 1) {
    const created = await firms.create({ name: `Kantoor ${number}`, codbUpload: false });
    ids.push(createdFirm(created).id);
  }
  return ids;
}

/**
 * Gives firms access to the upload bucket, and returns how many files they upload together each time.
 * `renew` deletes their earlier uploads, and uploads new files.
 */
async function prepareUploads(
  knex: Knex,
  { store, buckets }: Storage,
  firmIds: readonly string[],
): Promise<{ readonly count: number; renew(): Promise<void> }> {
  const keys: string[] = [];
  const put = (key: string, bytes: Uint8Array) => {
    keys.push(key);
    return store.put(buckets.codaUploads, key, bytes, 'text/plain');
  };
  const firms = await Promise.all(firmIds.map((id) => letUpload(knex, id, put)));
  let uploads = 0;
  return {
    count: firms.length * uploadsOfEach,
    async renew() {
      await knex('uploads').delete();
      await Promise.all(keys.splice(0).map((key) => store.remove(buckets.codaUploads, key)));
      for (let each = 0; each < uploadsOfEach; each += 1) {
        uploads += 1;
        await Promise.all(firms.map((firm) => firm.upload(`${uploads}.cod`, Buffer.from('0'))));
      }
    },
  };
}

/** Puts objects whose removal is due. */
async function addRemovals(knex: Knex, { store, buckets }: Storage): Promise<void> {
  const keys = Array.from({ length: removals }, (_, number) => `coda/${number}`);
  await Promise.all(
    keys.map((key) => store.put(buckets.files, key, Buffer.from('0'), 'text/plain')),
  );
  await scheduleRemoval(knex, keys, new Date());
}

async function removeAll(knex: Knex, storage: Storage): Promise<void> {
  while ((await removeDueObjects({ knex, storage }, new Date())).isLeft);
}

/** Adds entries as polls without news write them. */
async function addEntries(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into audit_entries (occurred_on, actor, user_id, api_key_id, firm_id, action, outcome, address, request_id)
     select now(), 'user', 'user', 'key', firms.id, 'listCodaFiles', 'done', '192.0.2.1', gen_random_uuid()
       from firms limit ?`,
    [entries],
  );
}

async function sealAll(knex: Knex): Promise<void> {
  while ((await sealEntries(knex, new Date())) !== undefined);
}
