/** Customers, their bank accounts and payroll providers, and what is remembered of them. */
export const customers = `
create table customers (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null references firms,
  enterprise_number text not null check (enterprise_number ~ '^[01][0-9]{9}$'),
  name text not null check (name <> ''),
  accounting_ref text check (accounting_ref <> ''),
  street text not null,
  street2 text check (street2 <> ''),
  zip_code text not null,
  municipality text not null,
  country text not null,
  contact_name text not null,
  contact_function text not null,
  contact_email text not null,
  contact_language text not null check (contact_language in ('fr', 'nl', 'de', 'en')),
  is_confidential boolean not null default false,
  created_on timestamptz(3) not null default now(),
  updated_on timestamptz(3) not null default now(),
  archived_on timestamptz(3),
  name_sort text collate "und-x-icu" not null
    generated always as (lower(name collate "und-x-icu")) stored,
  search_text text not null generated always as (lower(name collate "und-x-icu") || chr(10)
    || substr(enterprise_number, 1, 4) || '.' || substr(enterprise_number, 5, 3) || '.'
    || substr(enterprise_number, 8, 3) || chr(10) || enterprise_number || chr(10)
    || lower(coalesce(accounting_ref, '') collate "und-x-icu")) stored,
  transferred_to text,
  transfer_agreed_by text check (transfer_agreed_by <> ''),
  primary key (id, firm_id),
  check (transfer_agreed_by is null or transferred_to is not null),
  check (transferred_to is null or archived_on is not null)
);
comment on column customers.search_text is 'the text that a search matches (§4.4, D-07)';
comment on column customers.transferred_to is
  'the customer of another firm that this one became, also once that one is erased (D-48)';
comment on column customers.transfer_agreed_by is
  'the person who agreed for the end customer; null if it gave way to another firm (D-66)';
create index customers_by_accounting_ref
  on customers (firm_id, accounting_ref) where archived_on is null;
create index customers_by_created_on on customers (firm_id, created_on);
create index customers_by_end on customers (archived_on) where archived_on is not null;
create index customers_by_enterprise_number on customers (firm_id, enterprise_number);
create index customers_by_name
  on customers (firm_id, name_sort, id) include (is_confidential, archived_on)
  where archived_on is null or transferred_to is not null;
comment on index customers_by_name is
  'has all that a search needs, so that deep pages and totals read only the index (D-39)';

create table claimed_enterprise_numbers (
  enterprise_number text primary key,
  firm_id text not null references firms,
  customer_id text not null
);
comment on table claimed_enterprise_numbers is
  'the customer that has an enterprise number, across all firms, until it is archived (D-16, D-68)';

create table bank_accounts (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null,
  customer_id text not null,
  iban text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  bank_code text generated always as (case when iban like 'BE%' then substr(iban, 5, 3) end) stored,
  created_on timestamptz(3) not null default now(),
  disabled_on timestamptz(3),
  primary key (id, firm_id),
  unique (id, customer_id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on column bank_accounts.bank_code is
  'national bank code of a Belgian IBAN, assigned or not; null for a foreign IBAN (D-17)';
create index bank_accounts_active_customer_id
  on bank_accounts (customer_id) where disabled_on is null;
create index bank_accounts_of_customer on bank_accounts (customer_id);

create table claimed_ibans (
  iban text primary key,
  firm_id text not null references firms,
  customer_id text not null,
  bank_account_id text not null
);
comment on table claimed_ibans is
  'the account that has an IBAN, across all firms, until it is disabled (D-16, D-68)';

create table customer_payroll_providers (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null,
  customer_id text not null,
  code text not null references payroll_providers (code),
  created_on timestamptz(3) not null default now(),
  removed_on timestamptz(3),
  primary key (id, firm_id),
  unique (id, customer_id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
create unique index customer_payroll_providers_active
  on customer_payroll_providers (customer_id, code, firm_id) where removed_on is null;
create index payroll_providers_of_customer on customer_payroll_providers (customer_id);

create table user_customers (
  user_id text not null,
  customer_id text not null,
  firm_id text not null,
  primary key (user_id, customer_id, firm_id),
  foreign key (user_id, firm_id) references users (id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on table user_customers is 'the customers of users who see only assigned customers (D-18)';
comment on column user_customers.firm_id is
  'ensures that user and customer belong to the same firm';
create index user_customers_customer_id on user_customers (customer_id);

create table former_names (
  firm_id text not null,
  customer_id text not null,
  name text not null,
  primary key (firm_id, customer_id, name),
  foreign key (customer_id, firm_id) references customers (id, firm_id) on delete cascade
);
comment on table former_names is
  'former names of customers, so that erasing finds them in file names and findings (D-63)';

create table link_holders (
  subject bytea not null,
  holder text not null,
  primary key (subject, holder)
);
comment on table link_holders is
  'who ever had an enterprise number, an account or a payroll provider of a customer (D-66)';
comment on column link_holders.subject is
  'SHA-256 of the enterprise number, the IBAN, or the enterprise number and the provider code';
comment on column link_holders.holder is
  'id of a firm, "erased", or "delivered" if something was delivered before any firm had it';

create function keep_former_names() returns trigger language plpgsql as $$
begin
  insert into former_names (firm_id, customer_id, name)
  select new.firm_id, new.id, former.name
    from unnest(array[old.name, old.contact_name, old.contact_email]) as former (name)
   where former.name <> all (array[new.name, new.contact_name, new.contact_email])
  on conflict do nothing;
  return null;
end $$;

create trigger keep_former_names after update on customers
  for each row execute function keep_former_names();
`;
