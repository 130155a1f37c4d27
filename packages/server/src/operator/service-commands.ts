import type { Command } from 'commander';
import { createKnex } from '../db/knex.js';
import { migrate, pendingMigrations } from '../db/migrate.js';
import { createSigningKeyStore, SUPERSEDED_KEY_SECONDS } from '../identity/signing-keys.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';

/** `adx-server serve`: runs the service until it is asked to stop. */
export function addServeCommand(program: Command, context: OperatorContext): void {
  program
    .command('serve')
    .description('run the service until it gets SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('service');
      const stopped = context.stopRequested();
      // Express and the validators take half of the time that a command needs to start: only this one loads them.
      const { startService } = await import('../service.js');
      const service = await startService(config);
      context.print(`The Accounting Data Exchange listens on ${service.url}/v1\n`);
      await stopped;
      await service.close();
    });
}

/** `adx-server worker`: works on jobs until it is told to stop. */
export function addWorkerCommand(program: Command, context: OperatorContext): void {
  program
    .command('worker')
    .description('work on jobs (uploads, mail, periods that end) until it gets SIGTERM or SIGINT')
    .action(async () => {
      const config = context.readConfig('worker');
      const stopped = context.stopRequested();
      // Only this command needs what the tasks are made of.
      const { startWorkerService } = await import('../worker.js');
      const worker = await startWorkerService(config);
      context.print('The worker of the Accounting Data Exchange is running.\n');
      await stopped;
      await worker.close();
    });
}

/** `adx-server migrate`: brings the schema of the database up to this version. */
export function addMigrateCommand(program: Command, context: OperatorContext): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to this version')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      // A migration may take longer than a statement of the service.
      const { databaseUrl } = context.readConfig('command');
      const knex = createKnex(databaseUrl, { poolSize: 1, statementTimeoutMs: 0 });
      try {
        const applied = await pendingMigrations(knex);
        await migrate(knex);
        printResult(context, options, { applied }, () =>
          applied.length === 0
            ? 'The database is up to date.\n'
            : `Applied ${applied.join(', ')}.\n`,
        );
      } finally {
        await knex.destroy();
      }
    });
}

/** `adx-server signing-key …`: the keys that sign ID tokens. */
export function addSigningKeyCommands(program: Command, context: OperatorContext): void {
  const signingKey = program.command('signing-key').description('keys that sign ID tokens');

  signingKey
    .command('rotate')
    .description('sign with a new key; tokens of the old one stay valid until they expire')
    .option('--now', 'end the old keys and all tokens of them, as when a key has leaked')
    .option('--json', 'print JSON')
    .action(async ({ now = false, ...options }: JsonOption & { now?: boolean }) => {
      const outOfUse = new Date(Date.now() - SUPERSEDED_KEY_SECONDS * 1000);
      const { kid, createdOn } = await context.withDatabase((knex) => {
        const keys = createSigningKeyStore(knex);
        return now ? keys.replaceAll() : keys.rotate(outOfUse);
      });
      printResult(context, options, { kid, createdOn }, () =>
        now
          ? `Running services accept tokens of key ${kid} alone within a minute.\n`
          : `Running services sign with key ${kid} within a minute.\n`,
      );
    });
}
