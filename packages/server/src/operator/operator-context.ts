import { text } from 'node:stream/consumers';
import { explainFileError, isFileError } from '@adx/command/file-error';
import { type Cell, formatLines, formatRecords } from '@adx/command/print-lines';
import type { BarStream } from '@adx/command/progress-bar';
import { escapeLines } from '@adx/command/unprintable';
import type { Knex } from 'knex';
import { type Configs, loadConfig } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { inTransaction } from '../db/transaction.js';
import { createFirmStore, type Firm } from '../identity/firms.js';
import { type OperatorScope, operatorScope } from '../identity/operator-scope.js';
import type { ServiceOptions } from '../service.js';
import type { UploadDependencies } from '../uploads/process-documents.js';
import {
  type AuditedCommand,
  type ObjectOutcome,
  recordCommand,
  sameForAll,
} from './audited-command.js';

/** One connection for the command, and one for the checks of its transaction. */
const POOL_SIZE = 2;

/** The parts of `process` that commands use, and what `serve` passes on to the service. */
interface CommandProcess extends Pick<ServiceOptions, 'inFront'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Buffer>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: BarStream;
}

/** A list, and the cells of each of its rows by their headings. */
interface List<Row> {
  read(knex: Knex, scope: OperatorScope): Promise<readonly Row[]>;
  cells(row: Row): Readonly<Record<string, Cell>>;
}

export type OperatorContext = ReturnType<typeof createProcessContext>;

export function createProcessContext({ env, stdin, stdout, stderr, ...options }: CommandProcess) {
  let command: AuditedCommand | undefined;
  let printsJson = false;

  const begun = (): AuditedCommand => {
    if (command === undefined) throw new Error('No command has begun');
    return command;
  };

  const connect = async <Result>(
    work: (knex: Knex, operator: string | undefined) => Promise<Result>,
  ) => {
    const { databaseUrl, operator } = loadConfig(env, 'command');
    const database = await openDatabase({ databaseUrl, databasePoolSize: POOL_SIZE });
    try {
      return await work(database.knex, operator);
    } finally {
      await database.close();
    }
  };

  /**
   * Connects to the database while `work` runs. The command is in the audit trail before it begins
   * (D-58): it reads, or its effects do not fit into one transaction.
   */
  const withDatabase = <Result>(work: (knex: Knex) => Promise<Result>): Promise<Result> =>
    connect(async (knex, operator) => {
      const command = begun();
      await recordCommand(knex, command, sameForAll(command.objectIds, 'begun'), operator);
      return work(knex);
    });

  const readConfig = <Kind extends keyof Configs>(kind: Kind): Configs[Kind] =>
    loadConfig(env, kind);

  // Names from files and from partners may contain anything.
  const print = (text: string): void => {
    stdout.write(escapeLines(text));
  };

  /** Writes a result as JSON with `--json`, and otherwise a text, or lines with their labels. */
  const printResult = (result: unknown, shown: string | Readonly<Record<string, Cell>>): void => {
    const text = typeof shown === 'string' ? shown : formatLines(shown);
    print(printsJson ? `${JSON.stringify(result, null, 2)}\n` : text);
  };

  return {
    readConfig,
    withDatabase,
    print,
    printResult,

    begin(next: AuditedCommand, isJson: boolean): void {
      command = next;
      printsJson = isJson;
    },

    withUploads: <Result>(work: (parts: UploadDependencies) => Promise<Result>) =>
      withDatabase(async (knex) => {
        // The storage client is loaded here, because it is slow to load.
        const { openStorage } = await import('../storage/open-storage.js');
        const { createCoverage } = await import('../mandates/coverage.js');
        const { createLogger } = await import('../logger.js');
        const now = () => new Date();
        const storage = await openStorage(readConfig('files').storage, createLogger('silent'));
        try {
          return await work({ knex, storage, coverage: createCoverage(now), now });
        } finally {
          await storage.close();
        }
      }),

    /**
     * Runs a change in a transaction with its audit entries, and retries it. One that throws an
     * OperatorFailure is rolled back, and recorded as refused.
     *
     * @param outcomesOf - by default the same outcome for each object that the command names
     */
    change<Result>(
      work: (trx: Knex.Transaction) => Promise<Result>,
      outcomesOf?: (result: Result) => readonly ObjectOutcome[],
    ): Promise<Result> {
      const command = begun();
      return connect(async (knex, operator) => {
        try {
          return await inTransaction(knex, async (trx) => {
            const result = await work(trx);
            const outcomes = outcomesOf?.(result) ?? outcomesFor(command, result);
            await recordCommand(trx, command, outcomes, operator);
            return result;
          });
        } catch (error) {
          if (error instanceof OperatorFailure) {
            await recordCommand(knex, command, sameForAll(command.objectIds, 'refused'), operator);
          }
          throw error;
        }
      });
    },

    /** Writes a list of all firms, or of the one that the option `--firm` names. */
    async printList<Row>({ read, cells }: List<Row>): Promise<void> {
      const { firmId } = begun();
      const rows = await withDatabase(async (knex) => {
        if (firmId !== undefined) await requireFirm(knex, firmId);
        return read(knex, operatorScope(firmId));
      });
      printResult(rows, formatRecords(rows, cells));
    },

    async readStandardInput(): Promise<string> {
      const input = await text(stdin).catch(
        fileFailure((reason) => `The standard input cannot be read: ${reason}.`),
      );
      return input.replace(/\r?\n$/, '');
    },

    printError(text: string): void {
      stderr.write(escapeLines(text));
    },

    stderr,
    options,
  };
}

/**
 * Returns the outcome for the objects of a command; without objects, for the one it created. Stores
 * return undefined, false or a word if they changed nothing.
 */
function outcomesFor({ objectIds }: AuditedCommand, result: unknown): ObjectOutcome[] {
  const isRefused = result === undefined || result === false || typeof result === 'string';
  const hasId = typeof result === 'object' && result !== null && 'id' in result;
  const created = hasId && typeof result.id === 'string' ? [result.id] : [];
  return sameForAll(objectIds.length > 0 ? objectIds : created, isRefused ? 'refused' : 'done');
}

/** A command that cannot be carried out. The message is one sentence. */
export class OperatorFailure extends Error {
  /** 2 if settings are wrong (D-33). */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.name = 'OperatorFailure';
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Creates what catches an error of the file system, and throws it with a message for operators. */
export function fileFailure(messageFor: (reason: string) => string): (error: unknown) => never {
  return (error) => {
    const reason = explainFileError(error) ?? (isFileError(error) ? error.message : undefined);
    if (reason === undefined) throw error;
    throw new OperatorFailure(messageFor(reason), { cause: error });
  };
}

/** @throws OperatorFailure if the value is undefined or false: there is no such record */
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

/**
 * Returns a firm. Lists use it too: a mistyped id would look like a firm that has nothing.
 *
 * @throws OperatorFailure
 */
export async function requireFirm(knex: Knex, id: string): Promise<Firm> {
  return requireFound(await createFirmStore(knex).find(id), 'firm', id);
}
