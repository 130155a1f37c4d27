import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { createLogger } from '../../src/logger.js';
import { createCoverage } from '../../src/mandates/coverage.js';
import { captureProgram } from '../../src/operator/program.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { toStorageSettings } from '../../src/storage/storage-settings.js';
import { createTestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { processSettings } from '../support/process-settings.js';

/** Prepares the settings of an operator, with the database and storage to which they lead. */
export async function operatorForFile() {
  const folder = mkdtempSync(join(tmpdir(), 'adx-operator-'));
  const database = await createTestDatabase();
  const knex = createTestKnex(database.url, { poolSize: 4 });
  const settings = await processSettings(database.url);
  const storage = await openStorage(toStorageSettings(settings), createLogger('silent'));
  const now = () => new Date();
  afterAll(async () => {
    await storage.close();
    await knex.destroy();
    await database.release();
    rmSync(folder, { recursive: true });
  });

  const run = (...parameters: string[]) => captureProgram(parameters, settings);

  return {
    ...{ url: database.url, settings, knex, storage, folder, run },
    /** The dependencies of functions that read uploads. */
    dependencies: { knex, storage, coverage: createCoverage(now), now },
    newFolder: () => mkdtempSync(join(folder, 'bank-')),

    /** Runs a command with `--json`, which must succeed, and returns its output. */
    async json(...parameters: string[]) {
      const { exitCode, stdout, stderr } = await run(...parameters, '--json');
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return JSON.parse(stdout);
    },
  };
}

export const failure = (sentence: string) => ({
  exitCode: 1,
  stdout: '',
  stderr: `error: ${sentence}\n`,
});
