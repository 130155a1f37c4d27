/** The audit trail and its seals. */
export const audit = `
create table audit_seals (
  number bigint primary key,
  sealed_on timestamptz(3) not null,
  entry_ids bigint[] not null,
  previous text not null check (previous ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);
comment on table audit_seals is 'the chain of hashes over the entries (D-58)';
comment on column audit_seals.previous is 'the hash of the seal before; zeros for the first';
create index audit_seals_by_age on audit_seals (sealed_on, number);

create table audit_entries (
  id bigint primary key generated always as identity,
  occurred_on timestamptz(3) not null,
  actor text not null check (actor in ('user', 'operator', 'signer', 'visitor', 'service')),
  user_id text,
  api_key_id text,
  operator text,
  firm_id text,
  customer_id text,
  object_id text,
  action text not null,
  outcome text not null,
  address text,
  request_id uuid,
  seal bigint,
  check ((actor = 'operator') = (operator is not null)),
  check ((actor = 'user') = (user_id is not null and api_key_id is not null))
);
comment on table audit_entries is
  'who did or read what of which customer (D-58); only ids, and without foreign keys, so that '
  'entries outlive what they name';
comment on column audit_entries.object_id is 'the mandate, file, upload and so on';
comment on column audit_entries.action is
  'an operation of the interface, an operator command, what was done with a signature request, '
  'or that a link gave way';
comment on column audit_entries.outcome is
  'done; of a command also begun or refused; of a call also repeated, or the code of the error '
  'that refused it';
comment on column audit_entries.seal is 'null until it is sealed';
create index audit_entries_of_customer
  on audit_entries (customer_id, id) where customer_id is not null;
create index audit_entries_of_firm on audit_entries (firm_id, id);
create index audit_entries_of_user on audit_entries (firm_id, user_id, id);
create index audit_entries_sealed on audit_entries (seal, id);

create table audit_removals (
  seal bigint primary key,
  hash text not null,
  entries bigint not null,
  removed_on timestamptz(3) not null default now()
);
comment on table audit_removals is 'what retention removed: all entries up to the end of a seal';
comment on column audit_removals.hash is 'the hash of that seal, with which the chain goes on';

create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  sealed audit_entries;
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    sealed := old;
    sealed.seal := new.seal;
    if old.seal is null and new is not distinct from sealed then
      return new;
    end if;
  elsif tg_op = 'DELETE' and tg_table_name <> 'audit_removals'
        and current_setting('adx.removes_audit_entries', true) = 'yes' then
    return old;
  end if;
  raise exception 'the audit trail is append-only' using errcode = 'restrict_violation';
end $$;

create trigger audit_seals_append_only before delete or update on audit_seals
  for each row execute function refuse_audit_change();

create trigger audit_seals_not_truncated before truncate on audit_seals
  for each statement execute function refuse_audit_change();

create trigger audit_entries_append_only before delete or update on audit_entries
  for each row execute function refuse_audit_change();

create trigger audit_entries_not_truncated before truncate on audit_entries
  for each statement execute function refuse_audit_change();

create trigger audit_removals_append_only before delete or update on audit_removals
  for each row execute function refuse_audit_change();

create trigger audit_removals_not_truncated before truncate on audit_removals
  for each statement execute function refuse_audit_change();

create function remove_audit_entries(before timestamptz) returns bigint language plpgsql as $$
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
