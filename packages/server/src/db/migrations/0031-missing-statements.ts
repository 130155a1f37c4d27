import { sqlMigration } from './migration.js';

const schema = `
create table missing_statements (
  id           text primary key check (id ~ '^[0-9a-f]{24}$'),
  customer_id  text not null references customers,
  iban         text collate "C" not null,
  currency     text collate "C" not null,
  extension    text collate "C" not null,
  kind         text not null check (kind in ('gap', 'balanceBreak', 'overdue')),
  from_number  integer,
  to_number    integer,
  after_date   date not null,
  before_date  date,
  detected_on  timestamptz(3) not null,
  closed_on    timestamptz(3),
  check ((kind = 'gap') = (from_number is not null and to_number is not null)),
  check (from_number <= to_number),
  check ((kind = 'overdue') = (before_date is null))
);
comment on table missing_statements is 'statements of an account that are missing in a row (D-30)';
comment on column missing_statements.before_date is 'date of the statement after them; null if overdue';
comment on column missing_statements.detected_on is
  'in the future for an account that will be overdue then, if no statement comes';
comment on column missing_statements.closed_on is 'when they arrived';
create index missing_statements_open
  on missing_statements (customer_id, iban, currency, extension) where closed_on is null;

create index files_in_chain on files (customer_id, iban, currency, extension, statement_date)
  where old_balance is not null;
`;

/** What is missing in the chains of accounts (D-30). */
export const missingStatements = sqlMigration('0031-missing-statements', schema);
