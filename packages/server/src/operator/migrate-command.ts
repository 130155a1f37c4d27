import type { Command } from 'commander';
import { createKnex } from '../db/knex.js';
import { migrate, pendingMigrations } from '../db/migrate.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';

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
