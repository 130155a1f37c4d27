import { sqlMigration } from './migration.js';

/*
 * Callers have acknowledged most files that they could list. To skip these, the files of a customer
 * are numbered as they arrive, and `acknowledged_arrivals` has the number up to which each caller has
 * acknowledged all of them.
 */
const schema = `
create table uploads (
  id           text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id      text references firms,
  product      text not null check (product in ('CODA', 'CODB')),
  bucket       text not null,
  object_key   text not null,
  etag         text not null,
  size         bigint not null check (size >= 0),
  received_on  timestamptz(3) not null,
  status       text not null default 'received' check (status in ('received', 'processed', 'rejected')),
  settled_on   timestamptz(3),
  findings     jsonb not null default '[]' check (jsonb_typeof(findings) = 'array'),
  unique (bucket, object_key, etag, received_on),
  check ((status = 'received') = (settled_on is null))
);
comment on table uploads is 'objects that were uploaded or delivered, with their outcome';
comment on column uploads.firm_id is 'null for a delivery through the operator';
comment on column uploads.received_on is 'when the storage received it';
comment on column uploads.settled_on is 'when it was processed or rejected';
create index uploads_by_arrival on uploads (received_on, id);
create index uploads_to_process on uploads (received_on, id) where status = 'received';

create table files (
  id                text primary key check (id ~ '^[0-9a-f]{24}$'),
  product           text not null check (product in ('CODA', 'CODB')),
  firm_id           text not null,
  customer_id       text not null,
  arrival           bigint not null check (arrival > 0),
  iban              text collate "C" check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  currency          text collate "C" check (currency ~ '^[A-Z]{3}$'),
  extension         text collate "C",
  payroll_provider  text collate "und-x-icu" check (payroll_provider <> ''),
  account_period    integer check (account_period between 100001 and 999912),
  year              integer not null,
  statement_number  bigint not null check (statement_number >= 0),
  statement_date    date not null,
  file_name         text not null check (file_name <> ''),
  processed_on      timestamptz(3) not null,
  content_hash      bytea not null check (octet_length(content_hash) = 32),
  object_key        text not null,
  pdf_key           text not null,
  upload_id         text references uploads,
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  unique (customer_id, product, arrival),
  check ((product = 'CODA') = (iban is not null and currency is not null and extension is not null)),
  check ((product = 'CODB') = (payroll_provider is not null and account_period is not null))
);
comment on table files is 'one row per listed statement or payroll file; its content is in the storage';
comment on column files.arrival is
  'number within the customer and product; files become visible in this order';
comment on column files.extension is 'distinguishes accounts that share an IBAN; empty if there is none';
comment on column files.payroll_provider is 'as written in the file';
comment on column files.statement_date is 'CODA: date of the new balance, or of the file if there is none; CODB: date of generation';
comment on column files.content_hash is 'SHA-256 of the statement, whichever upload it was part of';

create unique index files_coda_statement on files
  (customer_id, iban, currency, year, statement_number, extension, statement_date, content_hash)
  where product = 'CODA';
comment on index files_coda_statement is
  'recognises a statement that was received before; one with other content is a correction and is listed too';
create unique index files_codb_statement on files
  (customer_id, payroll_provider, year, statement_number, account_period, content_hash)
  where product = 'CODB';
comment on index files_codb_statement is 'as files_coda_statement';
create index files_by_processing on files (customer_id, product, processed_on);
create index files_by_statement_date on files (customer_id, product, statement_date);
create index files_upload_id on files (upload_id);

create table file_arrivals (
  customer_id  text not null references customers,
  product      text not null,
  latest       bigint not null,
  primary key (customer_id, product)
);
comment on table file_arrivals is 'the number of the latest file of each customer and product';

create function take_arrival() returns trigger language plpgsql as $$
begin
  insert into file_arrivals as taken (customer_id, product, latest)
  values (new.customer_id, new.product, 1)
  on conflict (customer_id, product) do update set latest = taken.latest + 1
  returning latest into new.arrival;
  return new;
end $$;
comment on function take_arrival() is
  'numbers a file; the next file of the customer waits for this transaction, so files become visible in order';
create trigger take_arrival before insert on files
  for each row execute function take_arrival();

create table file_acknowledgements (
  api_key_id       text not null references api_keys,
  user_id          text not null references users,
  file_id          text not null references files,
  acknowledged_on  timestamptz(3) not null,
  primary key (api_key_id, user_id, file_id)
);

create table acknowledged_arrivals (
  api_key_id   text not null references api_keys,
  user_id      text not null references users,
  customer_id  text not null references customers,
  product      text not null,
  up_to        bigint not null default 0,
  primary key (api_key_id, user_id, customer_id, product)
);
comment on column acknowledged_arrivals.up_to is
  'all files up to this arrival are acknowledged, and the next one, if any, is not';

create function follow_acknowledgement() returns trigger language plpgsql as $$
declare
  file files;
  before bigint;
  reached bigint;
begin
  select * into file from files where id = new.file_id;
  insert into acknowledged_arrivals (api_key_id, user_id, customer_id, product)
  values (new.api_key_id, new.user_id, file.customer_id, file.product)
  on conflict do nothing;
  select a.up_to into before from acknowledged_arrivals a
   where a.api_key_id = new.api_key_id and a.user_id = new.user_id
     and a.customer_id = file.customer_id and a.product = file.product
     for update;
  -- One statement, so that no file arrives between the two subqueries.
  select coalesce(
           (select f.arrival - 1 from files f
             where f.customer_id = file.customer_id and f.product = file.product
               and f.arrival > before
               and not exists (select from file_acknowledgements a
                                where a.api_key_id = new.api_key_id and a.user_id = new.user_id
                                  and a.file_id = f.id)
             order by f.arrival limit 1),
           (select max(f.arrival) from files f
             where f.customer_id = file.customer_id and f.product = file.product))
    into reached;
  if reached > before then
    update acknowledged_arrivals a set up_to = reached
     where a.api_key_id = new.api_key_id and a.user_id = new.user_id
       and a.customer_id = file.customer_id and a.product = file.product;
  end if;
  return null;
end $$;
comment on function follow_acknowledgement() is
  'advances up_to; acknowledgements of one caller and customer wait for each other';
create trigger follow_acknowledgement after insert on file_acknowledgements
  for each row execute function follow_acknowledgement();
`;

/** Files, their acknowledgements, and the uploads they came from. */
export const files = sqlMigration('0006-files', schema);
