/**
 * The audit trail, its seals, and the ids that have none yet; and what says whether a replica has a
 * change.
 */
export const audit = `
create table audit_seals (
  number bigint primary key,
  sealed_on timestamptz(3) not null,
  entries int8multirange not null,
  previous bytea not null check (octet_length(previous) = 32),
  hash bytea not null check (octet_length(hash) = 32)
);
comment on table audit_seals is 'the chain of hashes over the entries (D-58)';
comment on column audit_seals.entries is 'the ids of exactly the entries that it covers';
comment on column audit_seals.previous is 'the hash of the seal before; zeros for the first';
create index audit_seals_of_entry on audit_seals (upper(entries));

create table audit_entries (
  -- Without a cache, which would let a later transaction take an earlier id.
  id bigint generated always as identity (cache 1),
  occurred_on timestamptz(3) not null,
  request_id uuid,
  change xid8,
  firm_id text not null default '',
  user_id text,
  api_key_id text,
  customer_id text,
  object_id text,
  actor text not null check (actor in ('user', 'operator', 'signer', 'visitor', 'service')),
  operator text,
  action text not null,
  outcome text not null,
  address text,
  primary key (firm_id, id),
  check ((actor = 'operator') = (operator is not null)),
  check ((actor = 'user') = (user_id is not null and api_key_id is not null))
);
comment on table audit_entries is
  'who did or read what of which customer (D-58), without foreign keys, so that entries stay';
comment on column audit_entries.change is
  'the transaction of the change that it records; null for reads (D-71)';
comment on column audit_entries.action is
  'an operation, an operator command, an event of a signature request, or that a link gave way';
comment on column audit_entries.outcome is
  'done, begun, refused, repeated, or the code of the error that refused a call';
create index audit_entries_by_id on audit_entries (id);
create index audit_entries_of_user on audit_entries (user_id, id) where user_id is not null;
create index audit_entries_of_customer
  on audit_entries (customer_id, id) where customer_id is not null;

create index audit_entries_of_changes
  on audit_entries (firm_id, change) where change is not null;
comment on index audit_entries_of_changes is 'finds the changes that a replica may lack';

create table replica_marks (
  id uuid primary key default gen_random_uuid(),
  made_on timestamptz not null default now(),
  snapshot pg_snapshot not null default pg_current_snapshot()
);
comment on table replica_marks is 'a replica that shows one has all that its snapshot shows (D-71)';

create table audit_sealing (
  is_only boolean primary key default true check (is_only),
  unsettled int8multirange not null default '{[1,)}',
  closing int8multirange not null default '{}',
  closing_before xid8 not null default '0'
);
comment on table audit_sealing is 'one row: the ids that have no seal and may get one (D-58)';
comment on column audit_sealing.unsettled is
  'the gaps below the last sealed id, and all ids after it';
comment on column audit_sealing.closing is
  'gaps that nothing can fill once the transactions before closing_before have ended';
insert into audit_sealing default values;

create table audit_removals (
  seal bigint primary key,
  hash bytea not null check (octet_length(hash) = 32),
  entries bigint not null,
  removed_on timestamptz(3) not null default now()
);
comment on table audit_removals is 'what retention removed: all entries up to the end of a seal';
comment on column audit_removals.hash is 'the hash of that seal, with which the chain goes on';

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_argv[0] = 'removable'
     and current_setting('adx.removes_audit_entries', true) = 'yes' then
    return old;
  end if;
  raise exception 'the audit trail is append-only' using errcode = 'restrict_violation';
end $$;

create trigger audit_seals_append_only before delete or update on audit_seals
  for each row execute function refuse_audit_change('removable');

create trigger audit_seals_not_truncated before truncate on audit_seals
  for each statement execute function refuse_audit_change();

create trigger audit_entries_append_only before delete or update on audit_entries
  for each row execute function refuse_audit_change('removable');

create trigger audit_entries_not_truncated before truncate on audit_entries
  for each statement execute function refuse_audit_change();

create trigger audit_sealing_stays before delete on audit_sealing
  for each row execute function refuse_audit_change();

create trigger audit_sealing_not_truncated before truncate on audit_sealing
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
  -- The next 50 seals from the beginning, each of at most 1,000 entries.
  select * into last
    from (select * from audit_seals order by number limit 50) first
   where sealed_on < before order by number desc limit 1;
  if last is null then
    return 0;
  end if;
  set local adx.removes_audit_entries = 'yes';
  delete from audit_entries e
   using audit_seals s, unnest(s.entries) as ids
   where s.number <= last.number and e.id >= lower(ids) and e.id < upper(ids);
  get diagnostics removed = row_count;
  delete from audit_seals where number <= last.number;
  set local adx.removes_audit_entries = '';
  insert into audit_removals (seal, hash, entries) values (last.number, last.hash, removed);
  return removed;
end $$;
`;
