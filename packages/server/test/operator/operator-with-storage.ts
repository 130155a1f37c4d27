import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { afterAll } from 'vitest';
import { createLogger } from '../../src/logger.js';
import { createConsents } from '../../src/mandates/consents.js';
import { captureProgram } from '../../src/operator/program.js';
import { openStorage, type Storage } from '../../src/storage/open-storage.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import type { UploadDependencies } from '../../src/uploads/process-documents.js';
import { createTestBuckets } from '../support/buckets.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import type { CommandResult, Settings } from './adx-server.js';

/** An operator's settings, and the database and storage to which they lead. */
export interface OperatorWithStorage {
  readonly settings: Settings;
  readonly knex: Knex;
  readonly storage: Storage;
  /** The dependencies of the functions that read uploads. */
  readonly dependencies: UploadDependencies;
  /** A folder for the files of the tests. */
  readonly folder: string;
  /** Creates a folder in it. */
  newFolder(): string;
  /** Runs a command of `adx-server` in this process. */
  run(...parameters: string[]): Promise<CommandResult>;
  /** Runs a command with `--json`. The caller names the type of the JSON that it prints. */
  json<Printed = unknown>(...parameters: string[]): Promise<JsonResult<Printed>>;
}

interface JsonResult<Printed> {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly printed: Printed;
}

/** An object as JSON: its dates are texts. */
export type AsJson<Value> = {
  readonly [Key in keyof Value]: Value[Key] extends Date ? string : Value[Key];
};

/**
 * Prepares a database and storage for the operator of a test file, removed when the file is done.
 */
export async function operatorForFile(): Promise<OperatorWithStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'adx-operator-'));
  const database = await createTestDatabase();
  const knex = createTestKnex(database.url, { poolSize: 4 });
  const buckets = await createTestBuckets();
  const storage = await openStorage(toStorageSettings(buckets), createLogger('silent'));
  const settings = { ...buckets, DATABASE_URL: database.url };
  const now = () => new Date();
  const run = (...parameters: string[]) => captureProgram(parameters, settings);
  afterAll(async () => {
    await storage.close();
    await knex.destroy();
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  return {
    settings,
    knex,
    storage,
    dependencies: { knex, storage, consents: createConsents(now), now },
    folder,
    newFolder: () => mkdtempSync(join(folder, 'bank-')),
    run,
    async json(...parameters) {
      const { exitCode, stdout, stderr } = await run(...parameters, '--json');
      return { exitCode, stderr, printed: JSON.parse(stdout) };
    },
  };
}
