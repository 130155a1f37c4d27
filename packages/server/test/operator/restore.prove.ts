import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { migrate } from '../../src/db/migrate.js';
import { createFilePrinter } from '../../src/files/print-files.js';
import { createLogger } from '../../src/logger.js';
import { createCoverage } from '../../src/mandates/coverage.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { createLinkedCustomer, newPrincipal } from '../mandates/linked-customer.js';
import { createTestBuckets } from '../support/buckets.js';
import { printMissing } from '../support/files.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { programPath } from '../support/program-path.js';
import { deliverFile } from '../uploads/deliver-file.js';
import { codaFile } from '../uploads/sample-files.js';
import { requirePrograms, startDebianPostgres } from './debian-postgres.js';

const bin = '/usr/lib/postgresql/15/bin';
const script = (name: string) =>
  fileURLToPath(new URL(`../../deploy/backup/${name}.sh`, import.meta.url));

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
const folder = mkdtempSync(join(tmpdir(), 'adx-backup-'));
const ending: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  requirePrograms({ [`${bin}/pg_dump`]: 'postgresql', '/usr/bin/rclone': 'rclone' });
  postgres = await startDebianPostgres(bin);
  await postgres.query('create role reader login bypassrls in role pg_read_all_data');
});
afterAll(async () => {
  for (const end of ending.reverse()) await end();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function newInstallation(database: string) {
  await postgres.query(`create database ${database}`);
  const buckets = await createTestBuckets();
  const storage = await openStorage(toStorageSettings(buckets), createLogger('silent'));
  const url = postgres.urlOf(database);
  const knex = createTestKnex(url, { poolSize: 2 });
  ending.push(async () => {
    await storage.close();
    await knex.destroy();
  });
  const parts = {
    knex,
    storage,
    coverage: createCoverage(() => new Date()),
    now: () => new Date(),
  };
  // The file has no line break, as with Docker and Kubernetes.
  const file = join(folder, `${database}-url`);
  writeFileSync(file, url.replace('adx@', 'adx:ge%27heim%20%24@'));
  const fileOfReader = join(folder, `${database}-reader-url`);
  writeFileSync(fileOfReader, url.replace('adx@', 'reader@'));
  const settings = { ...buckets, ADX_SERVER: programPath('adx-server') };
  return {
    ...{ knex, storage, settings: { ...settings, DATABASE_URL_FILE: file } },
    /** The settings of a user who only reads. */
    backupSettings: { ...settings, DATABASE_URL_FILE: fileOfReader },
    /** Delivers files as a bank does, and prints what is listed. */
    async deliver(...files: readonly Uint8Array[]) {
      for (const bytes of files) await deliverFile(parts, bytes);
      await printMissing(knex, createFilePrinter({ ...parts, logger: createLogger('silent') }));
    },
  };
}

async function factsOf({ knex, storage }: Awaited<ReturnType<typeof newInstallation>>) {
  const objects: string[] = [];
  for await (const { key } of storage.store.list(storage.buckets.files, '')) objects.push(key);
  const { rows } = await knex.raw(
    `select (select count(*)::int from files) as files,
            (select count(*)::int from held_deliveries) as held,
            (select max(name) from knex_migrations) as migration`,
  );
  return { ...rows[0], objects: objects.sort() };
}

const run = (name: string, settings: Record<string, string>, ...parameters: string[]) =>
  promisify(execFile)('sh', [script(name), folder, ...parameters], {
    env: {
      ...{ PATH: `${bin}:${process.env['PATH']}`, HOME: process.env['HOME'] },
      // Machines with a private certificate authority have this variable, with which rclone would
      // fail.
      ...{ AWS_CA_BUNDLE: '/etc/ssl/certs/ca-certificates.crt', ...settings },
    },
  });

test('D-62 a backup is restored whole, also after objects were removed and replaced, and nothing is overwritten', async () => {
  const original = await newInstallation('original');
  const { knex, storage, deliver } = original;
  await migrate(knex);
  const [listed, held] = [newIban(), newIban()];
  const customerId = await createLinkedCustomer(knex, await newPrincipal(knex), {
    ibans: [listed],
  });
  await knex('mandates').where({ customer_id: customerId }).update({ status: 'finished' });
  await deliver(codaFile({ iban: listed, number: 1 }), codaFile({ iban: held, number: 1 }));
  const atFirst = await factsOf(original);
  expect(atFirst).toMatchObject({ files: 1, held: 1, objects: expect.any(Array) });
  expect(atFirst.objects).toHaveLength(3);
  const first = (await run('backup', original.backupSettings)).stdout.trim();

  // Later the held delivery is gone, a PDF is another one, and a statement is new.
  await knex('held_deliveries').delete();
  for (const key of atFirst.objects) {
    if (key.startsWith('held/')) await storage.store.remove(storage.buckets.files, key);
    if (key.endsWith('.pdf')) {
      await storage.store.put(
        storage.buckets.files,
        key,
        Buffer.from('%PDF-1.7 new'),
        'application/pdf',
      );
    }
  }
  await deliver(codaFile({ iban: listed, number: 2 }));
  const atLast = await factsOf(original);
  expect(atLast).toMatchObject({ files: 2, held: 0 });
  await setTimeout(1_100);
  const second = (await run('backup', original.backupSettings)).stdout.trim();
  expect(second > first).toBe(true);

  const last = await newInstallation('last');
  const { stdout } = await run('restore', last.settings);
  expect(stdout).toContain('2 files and held deliveries are complete.');
  expect(await factsOf(last)).toEqual(atLast);

  const before = await newInstallation('before');
  expect((await run('restore', before.settings, first)).stdout).toContain(
    '2 files and held deliveries are complete.',
  );
  // The objects of the newest state are there too: a copy of the bucket may be newer than the
  // database.
  const restored = await factsOf(before);
  expect(restored).toMatchObject({ files: 1, held: 1 });
  expect(restored.objects).toEqual(expect.arrayContaining([...atFirst.objects]));

  await expect(run('restore', last.settings)).rejects.toThrow(
    'The database last at 127.0.0.1 is not empty.',
  );
  const empty = await newInstallation('empty');
  const { DATABASE_URL_FILE } = empty.settings;
  await expect(run('restore', { ...last.settings, DATABASE_URL_FILE })).rejects.toThrow(
    /The bucket files-\S+ at http:\S+ is not empty\./,
  );
  for (const wrong of [{ S3_BUCKET_FILES: 'no-such-bucket' }, { S3_SECRET_ACCESS_KEY: 'wrong' }]) {
    await expect(run('restore', { ...empty.settings, ...wrong })).rejects.toThrow(
      /The bucket \S+ at http:\S+ cannot be listed\./,
    );
  }
  expect(
    (await empty.knex.raw('select from pg_tables where schemaname = ?', ['public'])).rows,
  ).toEqual([]);
  expect(await factsOf(last)).toEqual(atLast);
});

test('D-62 a backup that lacks an object is restored, and says what is missing', async () => {
  const damaged = await newInstallation('damaged');
  const [key] = readdirSync(join(folder, 'files')).filter((name) => /^\w+$/.test(name));
  rmSync(join(folder, 'files', key ?? ''), { recursive: true });
  await expect(run('restore', damaged.settings)).rejects.toThrow(
    /Faulty files and held deliveries/,
  );
  expect((await factsOf(damaged)).files).toBe(2);
});
