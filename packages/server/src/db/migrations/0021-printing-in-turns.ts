import { sqlMigration } from './migration.js';

const schema = `
alter table files add column print_attempts smallint not null default 0;
comment on column files.print_attempts is 'attempts to print it that began and did not end (D-38)';
alter table files add column print_failure text;
comment on column files.print_failure is 'why it cannot be printed, if its PDF is failed';
drop index files_without_pdf;
create index files_without_pdf on files (pdf_status, firm_id, id) where pdf_status <> 'present';
`;

/** Files are printed in turns by firm, and attempts to print one are counted. */
export const printingInTurns = sqlMigration('0021-printing-in-turns', schema);
