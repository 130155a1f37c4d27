import type { Migration } from './migrations/migration.js';

/**
 * The tables that each node has whole, because rows of firms refer to them or are joined with them.
 * The usernames are unique across firms, so the firm cannot place the users.
 */
const referenceTables = new Set([
  ...['firms', 'users', 'api_keys'],
  ...['banks', 'bank_codes', 'payroll_providers', 'audit_seals', 'audit_sealing'],
]);

type Placement = 'by firm' | 'on each node' | 'on the coordinator';

/** Returns where a table lies: the firm places the rows of each table whose key has it (D-68). */
export function placementOf(table: string, columns: string): Placement {
  if (referenceTables.has(table)) return 'on each node';
  const isOfFirms = /primary key \([^)]*\bfirm_id\b|^ *firm_id text primary key/m.test(columns);
  return isOfFirms ? 'by firm' : 'on the coordinator';
}

const definition = /^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\)$/;

/**
 * Distributes each table as soon as it is created, because foreign keys between distributed tables
 * need that order. Citus takes one statement at a time.
 */
export function distributed(migrations: readonly Migration[]): Migration[] {
  return migrations.map(({ sql, up, ...migration }) => ({
    ...migration,
    sql: `set local citus.multi_shard_modify_mode = 'sequential';
          set local citus.enable_local_reference_table_foreign_keys = off;
          set local citus.enable_unsafe_triggers = on`,
    async up(trx) {
      for (const statement of statementsOf(sql)) {
        await trx.raw(
          `set local citus.enable_local_reference_table_foreign_keys = ${distributionOf(statement) === undefined ? 'on' : 'off'}`,
        );
        await trx.raw(statement);
        const call = distributionOf(statement);
        if (call !== undefined) await trx.raw(call);
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

function distributionOf(statement: string): string | undefined {
  const [, table, columns = ''] = definition.exec(statement) ?? [];
  if (table === undefined) return undefined;
  switch (placementOf(table, columns)) {
    case 'by firm':
      return `select create_distributed_table('${table}', 'firm_id')`;
    case 'on each node':
      return `select create_reference_table('${table}')`;
    case 'on the coordinator':
      return undefined;
  }
}
