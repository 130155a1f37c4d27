import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { captureProgram } from '../../src/operator/program.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createTestKnex } from '../support/knex-for-file.js';
import { programPath } from '../support/program-path.js';

/** The settings of a command, instead of those of the environment. */
export type Settings = Readonly<Record<string, string>>;

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `adx-server` as a separate process. */
export function startAdxServer(parameters: readonly string[], settings: Settings): ChildProcess {
  return spawn(process.execPath, [programPath('adx-server'), ...parameters], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
}

/** Runs `adx-server` as a separate process until it ends. */
export async function runAdxServer(
  parameters: readonly string[],
  settings: Settings,
  standardInput = '',
): Promise<CommandResult> {
  const child = startAdxServer(parameters, settings);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('No pipes');
  // A command that refuses its arguments ends without reading standard input.
  stdin.on('error', () => {});
  stdin.end(standardInput);
  const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout: output, stderr: errors };
}

const SIGNING_KEY_SECRET = 'a secret of at least thirty-two characters';

/** Gives a test file a database, and runs operator commands on it within this process. */
export function useCommands() {
  let database: TestDatabase;
  let knex: ReturnType<typeof createTestKnex>;
  beforeAll(async () => {
    database = await createTestDatabase();
    knex = createTestKnex(database.url, { poolSize: 2 });
  });
  afterAll(async () => {
    await knex.destroy();
    await database.drop();
  });
  const run = (parameters: string[], standardInput?: string): Promise<CommandResult> =>
    captureProgram(parameters, { DATABASE_URL: database.url, SIGNING_KEY_SECRET }, standardInput);
  return {
    run,
    /** Runs a command with `--json`, which must succeed, and returns its output. */
    async json(parameters: string[], standardInput?: string) {
      const { exitCode, stdout, stderr } = await run([...parameters, '--json'], standardInput);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      return JSON.parse(stdout);
    },
    get knex() {
      return knex;
    },
    get url() {
      return database.url;
    },
  };
}
