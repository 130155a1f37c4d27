import { text } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { type Configs, loadConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { explainFileError } from '../explain-file-error.js';
import { escapeLines } from '../identifiers/unprintable.js';
import type { UploadDependencies } from '../uploads/process-documents.js';
import type { BarStream } from './progress-bar.js';

/** The environment of an operator command: settings, database and standard streams. */
export interface OperatorContext {
  /** @throws ConfigError with all missing and malformed settings */
  readConfig<Kind extends keyof Configs>(kind: Kind): Configs[Kind];
  /** Connects to the database while `work` runs. */
  withDatabase<Result>(work: (knex: Knex) => Promise<Result>): Promise<Result>;
  /** Reads standard input to its end, without the final line break. */
  readStandardInput(): Promise<string>;
  print(text: string): void;
  printError(text: string): void;
  /** Standard error, for a progress bar. */
  readonly stderr: BarStream;
}

/** One connection for the command, and one for the checks of its transaction. */
const POOL_SIZE = 2;

/** The parts of `process` that commands use. */
interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Buffer>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: BarStream;
}

/** Creates a context from an environment and standard streams. */
export function createProcessContext({
  env,
  stdin,
  stdout,
  stderr,
}: CommandProcess): OperatorContext {
  return {
    readConfig: (kind) => loadConfig(env, kind),

    async withDatabase(work) {
      const { databaseUrl } = loadConfig(env, 'command');
      const database = await openDatabase({ databaseUrl, databasePoolSize: POOL_SIZE });
      try {
        return await work(database.knex);
      } finally {
        await database.close();
      }
    },

    async readStandardInput() {
      const input = await text(stdin).catch((error: unknown) => {
        const reason = explainFileError(error) ?? String(error);
        throw new OperatorFailure(`The standard input cannot be read: ${reason}.`, {
          cause: error,
        });
      });
      return input.replace(/\r?\n$/, '');
    },

    // Names from files and from partners may contain anything.
    print(text) {
      stdout.write(escapeLines(text));
    },

    printError(text) {
      stderr.write(escapeLines(text));
    },

    stderr,
  };
}

/** A command that cannot be carried out. The message is one sentence for the operator. */
export class OperatorFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OperatorFailure';
  }
}

/** @throws OperatorFailure if the value is undefined or false: there is no such firm, user and so on */
export function requireFound<Value>(
  value: Value | undefined | false,
  kind: string,
  id: string,
): Value {
  if (value === undefined || value === false) {
    throw new OperatorFailure(`There is no ${kind} with the id ${id}.`);
  }
  return value;
}

/** Connects to the database and the object storage while `work` runs, as a worker does. */
export function withUploads<Result>(
  context: OperatorContext,
  work: (parts: UploadDependencies) => Promise<Result>,
): Promise<Result> {
  return context.withDatabase(async (knex) => {
    // Loaded here, because the storage client is slow to load and few commands need it.
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
