import { sqlMigration } from './migration.js';

const schema = `
alter table files
  add column hash_version smallint not null default 1,
  add column created_on date,
  add column old_balance bigint,
  add column new_balance bigint,
  add constraint files_check_balances
    check ((old_balance is null) = (new_balance is null) and (old_balance is null) = (created_on is null));
-- Processes of an earlier version, which cannot recognise these statements, can list no more from here on.
alter table files alter column hash_version drop default;
comment on column files.content_hash is 'SHA-256 of the content, however it was delivered (D-29)';
comment on column files.hash_version is
  '1 for the rule of former versions, which worker processes replace with 2 (D-29)';
comment on column files.created_on is
  'CODA: the date on which the file was created; null, as the balances, for CODB and separate applications';
comment on column files.old_balance is 'in thousandths';
comment on column files.new_balance is 'in thousandths; the old balance if the statement has no new one';

create unique index files_by_content on files (customer_id, product, content_hash);
comment on index files_by_content is 'recognises a document that was received before (D-29)';
create index files_of_former_version on files (customer_id, product, statement_number)
  where hash_version = 1;
create index files_coda_versions on files (customer_id, iban, currency, year, statement_number, id)
  where product = 'CODA';
create index files_codb_versions on files (customer_id, payroll_provider, year, statement_number, id)
  where product = 'CODB';
drop index files_coda_statement;
drop index files_codb_statement;
`;

/** Statements are recognised by their content, however they are delivered (D-29). */
export const statementIdentity = sqlMigration('0030-statement-identity', schema);
