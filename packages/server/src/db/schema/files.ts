/** Listed statements and payroll files, their acknowledgements, and missing statements. */
export const files = `
create table files (
  id text check (id ~ '^[0-9a-f]{24}$'),
  firm_id text,
  customer_id text not null,
  product text not null check (product in ('CODA', 'CODB')),
  arrival bigint not null check (arrival > 0),
  processed_on timestamptz(3) not null,
  statement_number bigint not null check (statement_number >= 0),
  old_balance bigint,
  new_balance bigint,
  year integer not null,
  statement_date date not null,
  created_on date,
  account_period integer check (account_period >= 100001 and account_period <= 999912),
  is_delivered boolean not null,
  iban text collate "C" check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  extension text collate "C",
  payroll_provider text collate "und-x-icu" check (payroll_provider <> ''),
  file_name text not null check (file_name <> ''),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  upload_id text not null,
  primary key (id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  check ((product = 'CODA') = (iban is not null and currency is not null
    and extension is not null)),
  check ((product = 'CODB') = (payroll_provider is not null and account_period is not null)),
  constraint files_check_balances check ((old_balance is null) = (new_balance is null)
    and (old_balance is null) = (created_on is null))
);
comment on table files is
  'never changes; its content is in the storage, under a key of product, customer and id';
comment on column files.arrival is
  'number within the customer and product; files become visible in this order';
comment on column files.extension is
  'distinguishes accounts that share an IBAN; empty if there is none';
comment on column files.statement_date is
  'CODA: date of the new balance, or of the file if there is none; CODB: date of generation';
comment on column files.content_hash is
  'SHA-256 of the content, however it was delivered (D-29)';
comment on column files.upload_id is
  'the upload that it came in, whose record may have been removed since (D-63)';
comment on column files.created_on is
  'CODA: when the file was created; null, as the balances, for CODB and separate applications';
comment on column files.old_balance is 'in thousandths';
comment on column files.new_balance is
  'in thousandths; the old balance if the statement has no new one';
comment on column files.is_delivered is
  'true if a bank or payroll provider delivered it first, false if it was uploaded';
create index files_by_age on files (statement_date);
create index files_by_arrival on files (customer_id, product, arrival);
create index files_by_content on files using hash (content_hash);
comment on index files_by_content is
  'recognises a document (D-29); the lock of file_arrivals keeps contents of a customer unique';
create unique index files_by_name on files (firm_id, lower(file_name collate "C"));
comment on index files_by_name is
  'whatever the case of letters, because programs save files under them; also counts versions';
create index files_by_processing on files (customer_id, product, processed_on);
create index files_by_statement_date on files (customer_id, product, statement_date);
create index files_coda_versions
  on files (customer_id, iban, currency, year, statement_number, arrival) where product = 'CODA';
create index files_codb_versions
  on files (customer_id, payroll_provider, year, statement_number, arrival) where product = 'CODB';
create index files_in_chain
  on files (customer_id, iban, currency, extension, statement_date)
  where old_balance is not null;
create index files_of_upload on files (upload_id);

create table unprinted_files (
  file_id text,
  firm_id text,
  status text not null default 'missing' check (status in ('missing', 'failed', 'present')),
  attempts smallint not null default 0,
  failure text,
  primary key (file_id, firm_id)
);
comment on table unprinted_files is
  'the listed files without a PDF, and those with one that processes are still printing (D-38)';
comment on column unprinted_files.status is
  'missing until the file has been printed; failed if it cannot be printed';
comment on column unprinted_files.attempts is 'attempts to print it that began and did not end';
comment on column unprinted_files.failure is 'why the last attempt to print it failed';
create index unprinted_files_of_firm on unprinted_files (status, firm_id, file_id);

create table file_arrivals (
  firm_id text,
  customer_id text,
  product text,
  latest bigint not null,
  primary key (firm_id, customer_id, product),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on table file_arrivals is
  'the latest arrivals; locked by who lists files, so that these become visible in their order';

create table acknowledged_arrivals (
  api_key_id text references api_keys,
  user_id text,
  firm_id text,
  customer_id text,
  product text,
  up_to bigint not null default 0,
  primary key (api_key_id, user_id, firm_id, customer_id, product),
  foreign key (user_id, firm_id) references users (id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on column acknowledged_arrivals.up_to is
  'all files up to this arrival are acknowledged; the next one is not, unless it was erased';
create index acknowledged_arrivals_of_customer on acknowledged_arrivals (customer_id);
-- A user has one firm. Otherwise PostgreSQL expects a fraction of the rows of a user.
create statistics acknowledged_arrivals_of_user (dependencies)
  on user_id, firm_id from acknowledged_arrivals;

create table file_acknowledgements (
  api_key_id text,
  user_id text,
  firm_id text,
  customer_id text,
  product text,
  arrival bigint,
  primary key (api_key_id, user_id, customer_id, product, arrival, firm_id),
  foreign key (api_key_id, user_id, customer_id, product, firm_id) references acknowledged_arrivals
    (api_key_id, user_id, customer_id, product, firm_id) on delete cascade
);
comment on table file_acknowledgements is
  'acknowledged files beyond acknowledged_arrivals, because an earlier one is not (D-49)';

create table missing_statements (
  id text check (id ~ '^[0-9a-f]{24}$'),
  firm_id text,
  customer_id text not null,
  iban text collate "C" not null,
  currency text collate "C" not null,
  extension text collate "C" not null,
  kind text not null check (kind in ('gap', 'balanceBreak', 'overdue')),
  from_number integer,
  to_number integer,
  after_date date not null,
  before_date date,
  detected_on timestamptz(3) not null,
  closed_on timestamptz(3),
  after_number integer,
  before_number integer,
  primary key (id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  check ((kind = 'gap') = (from_number is not null and to_number is not null)),
  check (from_number <= to_number),
  check ((kind = 'overdue') = (before_date is null))
);
comment on table missing_statements is 'statements of an account that are missing in a row (D-30)';
comment on column missing_statements.before_date is
  'date of the statement after them; null if overdue';
comment on column missing_statements.detected_on is
  'in the future for an account that will be overdue then, if no statement comes';
comment on column missing_statements.after_number is
  'number of the statement before them; null if it has none';
comment on column missing_statements.before_number is
  'number of the statement after them, likewise';
create index missing_statements_of_customer on missing_statements (customer_id);
create index missing_statements_open
  on missing_statements (customer_id, iban, currency, extension) where closed_on is null;

create table removed_statements (
  is_only boolean primary key default true check (is_only),
  dated_before date not null
);
comment on table removed_statements is
  'one row: what is dated before this day was removed, and is not listed again (D-63)';

create function acknowledge_arrivals(of_key text, of_user text, of_firm text, of_customer text,
  of_product text, arrivals bigint[]) returns void language plpgsql as $$
declare
  before bigint;
  reached bigint;
begin
  insert into acknowledged_arrivals (api_key_id, user_id, firm_id, customer_id, product)
  values (of_key, of_user, of_firm, of_customer, of_product) on conflict do nothing;
  select a.up_to into before from acknowledged_arrivals a
   where a.api_key_id = of_key and a.user_id = of_user and a.firm_id = of_firm
     and a.customer_id = of_customer and a.product = of_product
     for update;
  -- One statement, so that no file arrives between the two subqueries.
  select coalesce(
           (select f.arrival - 1 from files f
             where f.firm_id = of_firm and f.customer_id = of_customer and f.product = of_product
               and f.arrival > before and f.arrival <> all(arrivals)
               and not exists (select from file_acknowledgements a
                                where a.api_key_id = of_key and a.user_id = of_user
                                  and a.firm_id = of_firm and a.customer_id = of_customer
                                  and a.product = of_product and a.arrival = f.arrival)
             order by f.arrival limit 1),
           (select latest from file_arrivals n
             where n.firm_id = of_firm and n.customer_id = of_customer and n.product = of_product))
    into reached;
  if reached > before then
    update acknowledged_arrivals a set up_to = reached
     where a.api_key_id = of_key and a.user_id = of_user and a.firm_id = of_firm
       and a.customer_id = of_customer and a.product = of_product;
    delete from file_acknowledgements a
     where a.api_key_id = of_key and a.user_id = of_user and a.firm_id = of_firm
       and a.customer_id = of_customer and a.product = of_product and a.arrival <= reached;
  end if;
  insert into file_acknowledgements (api_key_id, user_id, firm_id, customer_id, product, arrival)
  select of_key, of_user, of_firm, of_customer, of_product, each
    from unnest(arrivals) each where each > reached
  on conflict do nothing;
end $$;

create function chain_around(of_firm text, of_customer text, of_iban text, of_currency text, of_extension text, first_date date, last_date date)
  returns table(statements json, missing json, after date, before date) language plpgsql stable as $$
begin
  return query
  with of_account as not materialized (
       select f.id, f.arrival, f.statement_number, f.statement_date, f.created_on, f.old_balance, f.new_balance
         from files f
        where f.old_balance is not null and f.firm_id = of_firm and f.customer_id = of_customer
          and f.iban = of_iban and f.currency = of_currency and f.extension = of_extension),
       around as (
       select f.*, row_number() over (partition by f.statement_number, f.statement_date, f.old_balance
                                      order by f.arrival desc) as version
         from ((select f.* from of_account f where f.statement_date < first_date
                 order by f.statement_date desc fetch first 60 rows with ties)
                union all
               (select f.* from of_account f where f.statement_date between first_date and last_date)
                union all
               (select f.* from of_account f where f.statement_date > last_date
                 order by f.statement_date fetch first 60 rows with ties)) f),
       chain as (
       select json_agg(json_build_array(f.id, f.statement_number, f.statement_date, f.created_on,
                         f.old_balance, f.new_balance)
                       order by f.arrival) as statements,
              min(f.statement_date) as first, max(f.statement_date) as last
         from (select f.* from around f where f.version <= 20 limit 5001) f
       having count(*) <= 5000)
  select c.statements,
         (select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'detectedOn', m.detected_on,
                            'fromNumber', m.from_number, 'toNumber', m.to_number,
                            'after', m.after_date, 'afterNumber', m.after_number,
                            'before', m.before_date, 'beforeNumber', m.before_number))
            from missing_statements m
           where m.closed_on is null and m.firm_id = of_firm and m.customer_id = of_customer and m.iban = of_iban
             and m.currency = of_currency and m.extension = of_extension
             and (m.before_date is null or m.before_date between c.first and c.last
                                           and m.after_date between c.first and c.last)),
         case when exists (select from of_account f where f.statement_date < c.first) then c.first end,
         case when exists (select from of_account f where f.statement_date > c.last) then c.last end
    from chain c;
end $$;
`;
