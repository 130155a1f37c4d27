import { sqlMigration } from './migration.js';

const schema = `
create table upload_grants (
  id              text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id         text not null,
  user_id         text not null,
  api_key_id      text not null references api_keys,
  product         text not null check (product in ('CODA', 'CODB')),
  prefix          text not null unique,
  access_level    text not null check (access_level in ('administrator', 'user')),
  sees_customers  text not null check (sees_customers in ('all', 'assigned')),
  issued_on       timestamptz(3) not null,
  foreign key (user_id, firm_id) references users (id, firm_id)
);
comment on table upload_grants is
  'one row per issue of upload credentials, so that every upload has an owner (D-31)';
comment on column upload_grants.prefix is
  'the only prefix under which the credentials can store objects; it ends with the id of the grant';
comment on column upload_grants.access_level is
  'of the user when the credentials were issued; with sees_customers, it limits the customers whose files can be uploaded';
create index upload_grants_issued_on on upload_grants (issued_on);

alter table uploads
  add column source text check (source in ('upload', 'bank', 'payrollProvider')),
  add column grant_id text references upload_grants;
update uploads set source = case when bucket <> 'operator' then 'upload'
                                 when product = 'CODA' then 'bank' else 'payrollProvider' end;
alter table uploads
  alter column source set not null,
  add check (grant_id is null or source = 'upload'),
  drop column firm_id;
comment on column uploads.source is
  'upload: stored with the credentials of a grant; bank, payrollProvider: delivered through the operator';
comment on column uploads.grant_id is 'null for a delivery, and for an object that no grant covers';
create index uploads_grant_id on uploads (grant_id);

create table held_deliveries (
  id                 text primary key check (id ~ '^[0-9a-f]{24}$'),
  upload_id          text not null references uploads,
  product            text not null check (product in ('CODA', 'CODB')),
  bank_account_id    text references bank_accounts,
  payroll_link_id    text references customer_payroll_providers,
  iban               text collate "C",
  enterprise_number  text collate "C",
  payroll_provider   text collate "und-x-icu",
  statement_number   bigint not null,
  statement_date     date not null,
  content_hash       bytea not null check (octet_length(content_hash) = 32),
  object_key         text not null,
  held_on            timestamptz(3) not null,
  settled_on         timestamptz(3),
  check ((product = 'CODA') = (iban is not null)),
  check ((product = 'CODB') = (enterprise_number is not null)),
  check ((product = 'CODB') = (payroll_provider is not null)),
  check (bank_account_id is null or product = 'CODA'),
  check (payroll_link_id is null or product = 'CODB')
);
comment on table held_deliveries is
  'delivered statements and payroll files that no signed mandate covers (D-28)';
comment on column held_deliveries.bank_account_id is
  'the account it was delivered for; without a bank account and a payroll link, only the operator can release it';
comment on column held_deliveries.payroll_provider is 'as written in the file';
comment on column held_deliveries.settled_on is
  'when it was listed or expired; the row is deleted once its object is removed';
create unique index held_deliveries_once on held_deliveries
  (content_hash, coalesce(bank_account_id, payroll_link_id, '')) where settled_on is null;
comment on index held_deliveries_once is 'a repeated delivery is held once';
create index held_deliveries_bank_account_id on held_deliveries (bank_account_id);
create index held_deliveries_payroll_link_id on held_deliveries (payroll_link_id);
create index held_deliveries_held_on on held_deliveries (held_on);
create index held_deliveries_upload_id on held_deliveries (upload_id);
`;

/** Grants of upload credentials, and deliveries that are held until a mandate is signed. */
export const grantsAndDeliveries = sqlMigration('0007-grants-and-deliveries', schema);
