import { text } from 'node:stream/consumers';
import { loadConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import type { OperatorContext } from './operator-context.js';

/** A command needs one connection, and a second for the checks of its transaction. */
const POOL_SIZE = 2;

/**
 * A signal that comes so long after the first, in ms, is from someone tired of waiting. One that
 * comes sooner is the same: Ctrl-C in a terminal reaches the process directly and through npm.
 */
const IMPATIENCE_MS = 1_000;

/** What a command is started with, as a process has it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Buffer>;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Output {
  write(text: string): unknown;
}

/** The operator's context: environment, standard input and output as given, signals of this process. */
export function createProcessContext({
  env,
  stdin,
  stdout,
  stderr,
}: Surroundings = process): OperatorContext {
  return {
    readConfig: (kind) => loadConfig(env, kind),

    async withDatabase(work) {
      const database = await openDatabase({
        ...loadConfig(env, 'command'),
        databasePoolSize: POOL_SIZE,
      });
      try {
        return await work(database.knex);
      } finally {
        await database.close();
      }
    },

    async readStandardInput() {
      return (await text(stdin)).replace(/\r?\n$/, '');
    },

    stopRequested() {
      return new Promise((resolve) => {
        let askedAt: number | undefined;
        const ask = () => {
          askedAt ??= performance.now();
          resolve();
          if (performance.now() - askedAt > IMPATIENCE_MS) process.exit(1);
        };
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ask);
      });
    },

    print(line) {
      stdout.write(line);
    },

    printError(line) {
      stderr.write(line);
    },
  };
}
