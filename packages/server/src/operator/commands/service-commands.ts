import { formatChecks } from '@adx/command/check';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { distributed } from '../../db/distribution.js';
import { createKnex } from '../../db/knex.js';
import { migrate, newerMigrations, pendingMigrations } from '../../db/migrate.js';
import { allMigrations } from '../../db/migrations/all-migrations.js';
import type { Migration } from '../../db/migrations/migration.js';
import { hasCitus, isDistributed } from '../../db/nodes.js';
import { countPartitions, inPartitions } from '../../db/partitions.js';
import { createSigningKeyStore } from '../../identity/signing-keys.js';
import { createLogger, logConsole } from '../../logger.js';
import { stopRequested } from '../../stop-requested.js';
import { version } from '../../version.js';
import { parsePartitions } from '../arguments.js';
import { runChecks } from '../doctor/run-checks.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';

export function addServiceCommands(program: Command, context: OperatorContext): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('service');
      logConsole(createLogger(config.logLevel));
      const stopped = stopRequested();
      // It is loaded here: Express and the validators take half of the start-up time.
      const { startService } = await import('../../service.js');
      const service = await startService(config, context.options);
      context.print(readyLine(`The Accounting Data Exchange listens on ${service.url}/v1`));
      await service.close(await stopped);
    });

  program
    .command('worker')
    .description('run jobs, such as reading uploads and sending messages, until SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('worker');
      logConsole(createLogger(config.logLevel));
      const stopped = stopRequested();
      const { startWorkerService } = await import('../../worker.js');
      const worker = await startWorkerService(config);
      context.print(readyLine('The worker of the Accounting Data Exchange is running'));
      await worker.close(await stopped);
    });

  program
    .command('migrate')
    .description('apply pending migrations to the database')
    .option(
      '--partitions <number>',
      'create the large tables of a new database in this many partitions',
      parsePartitions,
    )
    .addOption(
      new Option(
        '--distributed',
        'distribute the firms of a new database over the nodes of Citus',
      ).conflicts('partitions'),
    )
    .action(async (options: NewTables) => {
      // A migration may take longer than a statement of the service.
      const { databaseUrl } = context.readConfig('command');
      const knex = createKnex(databaseUrl, {
        poolSize: 1,
        statementTimeoutMs: 0,
        applicationName: 'adx-server migrate',
      });
      try {
        const applied = await pendingMigrations(knex);
        const migrations = await migrationsFor(knex, options);
        await migrate(knex, migrations, (sentence) => context.printError(`${sentence}\n`));
        if (options.partitions !== undefined) await requirePartitions(knex, options.partitions);
        const newer = await newerMigrations(knex);
        const state =
          newer.length > 0
            ? `The database has migrations of a newer release: ${newer.join(', ')}.\n`
            : 'The database is up to date.\n';
        const text = applied.length > 0 ? `Applied ${applied.join(', ')}.\n` : state;
        context.printResult({ applied, newer }, text);
      } finally {
        await knex.destroy();
      }
    });

  program
    .command('signing-key')
    .description('keys that sign ID tokens')
    .command('rotate')
    .description('sign ID tokens with a new key; existing tokens stay valid until they expire')
    .option(
      '--now',
      'delete the old keys, which invalidates all existing tokens, for example after a leak',
    )
    .action(async ({ now = false }: { now?: boolean }) => {
      const { signingKeySecret } = context.readConfig('signingKeys');
      const { kid, createdOn, isSameSecret } = await context.change(async (knex) => {
        const keys = createSigningKeyStore(knex, signingKeySecret);
        const isSameSecret = await keys.opensNewest();
        return { ...(await (now ? keys.replaceAll() : keys.rotate())), isSameSecret };
      });
      if (!isSameSecret) {
        context.printError(
          'The newest key was encrypted with another SIGNING_KEY_SECRET: services that have that one sign with a key of their own.\n',
        );
      }
      context.printResult(
        { kid, createdOn },
        now
          ? `Within a minute, services accept no token of the former keys, and sign with key ${kid}.\n`
          : `Within a minute, services sign with key ${kid}.\n`,
      );
    });

  program
    .command('doctor')
    .description('check settings, database, storage and mail server, and say how to mend problems')
    .action(async () => {
      const checks = await runChecks(context);
      context.printResult(checks, formatChecks(checks));
      const problems = checks.filter(({ result }) => result === 'problem');
      if (problems.length === 0) return;
      throw new OperatorFailure(
        `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found.`,
        { exitCode: problems.some(({ exitCode }) => exitCode === 2) ? 2 : 1 },
      );
    });
}

/** Returns a line for any log level, because programs that start the service wait for it. */
function readyLine(msg: string): string {
  return `${JSON.stringify({ level: 'info', time: new Date().toISOString(), version, msg })}\n`;
}

/** The form of the tables of a new database. */
interface NewTables {
  readonly partitions?: number;
  readonly distributed?: boolean;
}

const decided = 'is decided when a database is created.';

/** @throws OperatorFailure if the database cannot be distributed, before anything is changed */
async function migrationsFor(
  knex: Knex,
  { partitions = 0, distributed: isNew = false }: NewTables,
): Promise<readonly Migration[]> {
  if (isNew && !(await hasCitus(knex))) {
    throw new OperatorFailure('The database has no Citus: see "Several database servers".');
  }
  const isOnNodes = await isDistributed(knex);
  const isEmpty = (await pendingMigrations(knex)).length === allMigrations.length;
  if (isNew && !isOnNodes && !isEmpty) {
    throw new OperatorFailure(`The firms of this database are on one server. This ${decided}`);
  }
  if (isNew || isOnNodes) return distributed(allMigrations);
  return partitions > 0 ? inPartitions(allMigrations, partitions) : allMigrations;
}

/** @throws OperatorFailure if the database was created with another number */
async function requirePartitions(knex: Knex, partitions: number): Promise<void> {
  const found = await countPartitions(knex);
  if (found === partitions) return;
  const has = `The tables of this database have ${found === 0 ? 'no' : found} partitions.`;
  throw new OperatorFailure(`${has} Their number ${decided}`);
}
