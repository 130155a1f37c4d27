import type { Migration } from './migrations/migration.js';

/**
 * The tables that each node has whole, because rows of firms refer to them or are joined with them.
 * The usernames are unique across firms, so the firm cannot place the users.
 */
const referenceTables = new Set([
  ...['firms', 'users', 'api_keys'],
  ...['banks', 'bank_codes', 'payroll_providers', 'audit_seals', 'audit_sealing'],
]);

/** The tables in which rows are found by a secret, which does not say on which node its firm is. */
const foundBySecret = new Set(['refresh_tokens', 'signing_urls']);

const isOfFirms = /primary key \([^)]*\bfirm_id\b|^ *firm_id text primary key/m;

const definition = /^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)$/;

/**
 * Distributes each table as soon as it is created, because foreign keys between distributed tables
 * need that order. Citus takes one statement at a time.
 */
export function distributed(migrations: readonly Migration[]): Migration[] {
  return migrations.map(({ name, sql, up }) => ({
    name,
    // The triggers of distributed tables touch only rows of the same firm.
    sql: `set local citus.multi_shard_modify_mode = 'sequential';
          set local citus.enable_unsafe_triggers = on`,
    async up(trx) {
      for (const statement of statementsOf(sql)) {
        const distribution = distributionOf(statement);
        // Otherwise a foreign key would make the new table one that Citus manages as a local one.
        await trx.raw(
          `set local citus.enable_local_reference_table_foreign_keys = ${distribution === undefined}`,
        );
        await trx.raw(statement);
        if (distribution !== undefined) await trx.raw(distribution);
      }
      await up?.(trx);
    },
  }));
}

/** Statements end with a semicolon at the end of a line, but not those within a function. */
function statementsOf(sql: string): string[] {
  return [...sql.matchAll(/(?:[^$]|\$(?!\$)|\$\$[\s\S]*?\$\$)+?;$/gm)].map(([text]) =>
    text.replace(/^(\s*--.*\n|\s)+|;$/g, ''),
  );
}

/** Returns the statement that places the rows of a new table, unless the coordinator has them. */
function distributionOf(statement: string): string | undefined {
  const [, table, columns = ''] = definition.exec(statement) ?? [];
  if (table === undefined) return undefined;
  if (referenceTables.has(table)) return `select create_reference_table('${table}')`;
  if (foundBySecret.has(table) || !isOfFirms.test(columns)) return undefined;
  return `select create_distributed_table('${table}', 'firm_id')`;
}
