import { text } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { type Configs, loadConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import type { UploadDependencies } from '../uploads/process-documents.js';

/** What the operator commands need of the world around them. */
export interface OperatorContext {
  /** @throws ConfigError naming what is missing or wrong in the environment */
  readConfig<Kind extends keyof Configs>(kind: Kind): Configs[Kind];
  /** Does some work with the database of the service. */
  withDatabase<Result>(work: (knex: Knex) => Promise<Result>): Promise<Result>;
  /** The whole of standard input, without the line end that closes it. */
  readStandardInput(): Promise<string>;
  /** Fulfilled when the process is asked to end. From the call on, the process no longer ends by itself. */
  stopRequested(): Promise<void>;
  print(text: string): void;
  printError(text: string): void;
}

/** A command needs one connection, and a second for the checks of its transaction. */
const POOL_SIZE = 2;

/**
 * A signal that comes so long after the first, in ms, is from someone tired of waiting. One that
 * comes sooner is the same: Ctrl-C in a terminal reaches the process directly and through npm.
 */
const IMPATIENCE_MS = 1_000;

/** What a command is started with, as a process has it. */
interface Surroundings {
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

/** Runs work that needs the database and the storage of the deployment, as a worker has them. */
export function withUploads<Result>(
  context: OperatorContext,
  work: (parts: UploadDependencies) => Promise<Result>,
): Promise<Result> {
  return context.withDatabase(async (knex) => {
    // The storage client is slow to load, and few commands need it.
    const { openStorage } = await import('../storage/open-storage.js');
    const { createConsents } = await import('../mandates/consents.js');
    const { createLogger } = await import('../logger.js');
    const now = () => new Date();
    const storage = await openStorage(context.readConfig('files').storage, createLogger('silent'));
    try {
      return await work({ knex, storage, consents: createConsents(now), now });
    } finally {
      await storage.close();
    }
  });
}
