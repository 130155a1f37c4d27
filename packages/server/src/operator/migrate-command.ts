import type { Command } from 'commander';
import { createKnex } from '../db/knex.js';
import { migrate, pendingMigrations } from '../db/migrate.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';

/** `adx-server migrate`: brings the schema of the database up to this version. */
export function addMigrateCommand(program: Command, context: OperatorContext): void {
  program
    .command('migrate')
    .description(
      'bring the schema of DATABASE_URL up to this version; the embedded one does it itself',
    )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const { databaseUrl } = context.readConfig();
      const applied =
        databaseUrl === undefined
          ? await context.withDatabase(async () => [])
          : await migrateOwn(databaseUrl);
      printResult(context, options, { applied }, () =>
        applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}.\n`,
      );
    });
}

async function migrateOwn(url: string): Promise<readonly string[]> {
  const knex = createKnex(url, { poolSize: 1, statementTimeoutMs: 0 });
  try {
    const pending = await pendingMigrations(knex);
    await migrate(knex);
    return pending;
  } finally {
    await knex.destroy();
  }
}
