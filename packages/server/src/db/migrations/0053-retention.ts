import { sqlMigration } from './migration.js';

const schema = `
create table removed_statements (
  is_only        boolean primary key default true check (is_only),
  dated_before   date not null
);
comment on table removed_statements is
  'one row: statements and payroll files dated before this day were removed because their retention ended, and are not listed again (D-63)';

create index if not exists files_by_age on files (statement_date);
create index if not exists mandates_by_end on mandates (closed_on) where closed_on is not null;
create index if not exists customers_by_end on customers (archived_on) where archived_on is not null;
create index if not exists audit_seals_by_age on audit_seals (sealed_on, number);

create or replace function remove_audit_entries(before timestamptz) returns bigint language plpgsql as $$
declare
  last audit_seals;
  removed bigint;
begin
  -- By age, which is the order of the numbers, so that the index is read and not all later seals.
  select * into last from audit_seals where sealed_on < before order by sealed_on desc, number desc limit 1;
  if last is null then
    return 0;
  end if;
  perform set_config('adx.removes_audit_entries', 'yes', true);
  delete from audit_entries where seal <= last.number;
  get diagnostics removed = row_count;
  delete from audit_seals where number <= last.number;
  perform set_config('adx.removes_audit_entries', '', true);
  insert into audit_removals (seal, hash, entries) values (last.number, last.hash, removed);
  return removed;
end $$;
`;

/** Data is removed when its retention ends (D-63). */
export const retention = sqlMigration('0053-retention', schema);
