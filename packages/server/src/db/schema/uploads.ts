/** Grants, uploads, held deliveries and objects to remove. */
export const uploads = `
create table upload_grants (
  id text check (id ~ '^[0-9a-f]{24}$'),
  firm_id text,
  user_id text not null,
  api_key_id text not null references api_keys,
  product text not null check (product in ('CODA', 'CODB')),
  prefix text collate "C" not null,
  access_level text not null check (access_level in ('administrator', 'user')),
  sees_customers text not null check (sees_customers in ('all', 'assigned')),
  issued_on timestamptz(3) not null,
  upload_count integer not null default 0 check (upload_count >= 0),
  trace jsonb,
  primary key (id, firm_id),
  foreign key (user_id, firm_id) references users (id, firm_id)
);
comment on table upload_grants is
  'one row per issue of upload credentials, so that every upload has an owner (D-31)';
comment on column upload_grants.prefix is
  'the only prefix under which the credentials can store objects; it ends with the id of the grant';
comment on column upload_grants.access_level is
  'when the credentials were issued; with sees_customers, limits whose files can be uploaded';
comment on column upload_grants.upload_count is 'so that lists of uploads need not count them';
create index upload_grants_by_prefix on upload_grants (product, prefix);
create index upload_grants_issued_on on upload_grants (issued_on);
create index upload_grants_owner on upload_grants (firm_id, user_id) include (upload_count);

create table uploads (
  id text check (id ~ '^[0-9a-f]{24}$'),
  firm_id text default '',
  grant_id text,
  product text not null check (product in ('CODA', 'CODB')),
  bucket text not null,
  object_key text not null,
  etag text not null,
  size bigint not null check (size >= 0),
  received_on timestamptz(3) not null,
  settled_on timestamptz(3),
  copy_removed_on timestamptz(3),
  checkpoint integer not null default 0 check (checkpoint >= 0),
  omitted_findings integer not null default 0 check (omitted_findings >= 0),
  has_copy boolean not null default false,
  status text not null default 'received' check (status in ('received', 'failed',
    'processed', 'rejected')),
  source text not null check (source in ('upload', 'bank', 'payrollProvider')),
  sender text,
  findings jsonb not null default '[]'::jsonb check (jsonb_typeof(findings) = 'array'),
  failure text,
  primary key (id, firm_id),
  foreign key (grant_id, firm_id) references upload_grants (id, firm_id),
  check ((grant_id is null) = (firm_id = '')),
  check ((status in ('received', 'failed')) = (settled_on is null)),
  check (failure is null or status = 'failed'),
  check (grant_id is null or source = 'upload')
);
comment on column uploads.id is
  'seconds of received_on, and SHA-256 of bucket, key, ETag and instant: recorded once';
comment on column uploads.firm_id is 'empty without a grant';
comment on column uploads.received_on is 'when the storage received it';
comment on column uploads.source is
  'upload: stored with the credentials of a grant; otherwise delivered through the operator';
comment on column uploads.grant_id is 'null for a delivery, and for an object that no grant covers';
comment on column uploads.copy_removed_on is
  'when the removal of copy and findings was scheduled; it cannot be read again';
comment on column uploads.checkpoint is
  'documents and refused parts whose outcomes are recorded (D-38)';
comment on column uploads.has_copy is 'true if a copy or findings may be kept under rejected/';
comment on column uploads.sender is
  'of the bank or payroll provider that delivered it (D-66); null for an upload';
create index uploads_by_arrival on uploads (received_on, id);
create index uploads_of_grant on uploads (grant_id, received_on, id);

create table unprocessed_uploads (
  upload_id text,
  firm_id text,
  grant_id text,
  status text not null,
  received_on timestamptz(3) not null,
  rejected_on timestamptz(3),
  primary key (upload_id, firm_id)
);
comment on table unprocessed_uploads is
  'the few uploads that are not processed, which triggers on uploads keep: with its status in an '
  'index, PostgreSQL would write all index entries of an upload again when it is processed';
comment on column unprocessed_uploads.rejected_on is 'null unless a copy is kept';
create index unprocessed_uploads_of_grant
  on unprocessed_uploads (grant_id, status, received_on, upload_id);

create table held_deliveries (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null default '',
  upload_id text not null,
  product text not null check (product in ('CODA', 'CODB')),
  bank_account_id text,
  payroll_link_id text,
  iban text collate "C",
  enterprise_number text collate "C",
  payroll_provider text collate "und-x-icu",
  statement_number bigint not null,
  statement_date date not null,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  object_key text not null,
  held_on timestamptz(3) not null,
  primary key (id, firm_id),
  foreign key (bank_account_id, firm_id) references bank_accounts (id, firm_id),
  foreign key (payroll_link_id, firm_id) references customer_payroll_providers (id, firm_id),
  check ((firm_id = '') = (num_nonnulls(bank_account_id, payroll_link_id) = 0)),
  check ((product = 'CODA') = (iban is not null)),
  check ((product = 'CODB') = (enterprise_number is not null)),
  check ((product = 'CODB') = (payroll_provider is not null)),
  check (bank_account_id is null or product = 'CODA'),
  check (payroll_link_id is null or product = 'CODB')
);
comment on table held_deliveries is 'no signed mandate covers them (D-28)';
comment on column held_deliveries.firm_id is 'empty without a bank account and a payroll link';
comment on column held_deliveries.bank_account_id is
  'without it and a payroll link, only the operator can release it';
create index held_deliveries_bank_account_id on held_deliveries (bank_account_id);
create index held_deliveries_held_on on held_deliveries (held_on);
create unique index held_deliveries_once
  on held_deliveries (content_hash, coalesce(bank_account_id, payroll_link_id, ''), firm_id);
comment on index held_deliveries_once is 'a repeated delivery is held once';
create index held_deliveries_payroll_link_id on held_deliveries (payroll_link_id);
create index held_deliveries_upload_id on held_deliveries (upload_id);

create table object_removals (
  object_key text primary key,
  remove_after timestamptz(3) not null,
  is_begun boolean not null default false
);
comment on table object_removals is
  'inserted before the object is stored, deleted by the transaction that refers to it';
comment on column object_removals.is_begun is
  'true once the object may be gone, so nothing can refer to it any more';
create index object_removals_remove_after on object_removals (remove_after);

create function follow_status() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from unprocessed_uploads where upload_id = old.id and firm_id = old.firm_id;
  end if;
  if tg_op <> 'DELETE' and new.status <> 'processed' then
    insert into unprocessed_uploads (upload_id, firm_id, grant_id, status, received_on, rejected_on)
    values (new.id, new.firm_id, new.grant_id, new.status, new.received_on,
            case when new.source = 'upload' and new.copy_removed_on is null then new.settled_on end);
  end if;
  return null;
end $$;

create trigger follow_status
  after insert or delete or update of id, received_on, status, settled_on, copy_removed_on on uploads
  for each row execute function follow_status();
`;
