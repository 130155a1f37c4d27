import { sqlMigration } from './migration.js';

const schema = `
comment on column files.print_failure is
  'why the last attempt to print it failed; a file whose PDF is missing is tried again (D-38)';
`;

/** A file that is to be printed again has the reason of its last failure. */
export const printFailures = sqlMigration('0057-print-failures', schema);
