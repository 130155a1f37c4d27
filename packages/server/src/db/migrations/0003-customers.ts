import { sqlMigration } from './migration.js';

/*
 * Names are lower-cased and sorted by the root collation of Unicode, which every PostgreSQL with ICU
 * has, so that the order does not depend on the locale of the database.
 */
const schema = `
create table customers (
  id                 text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id            text not null references firms,
  enterprise_number  text not null check (enterprise_number ~ '^[01][0-9]{9}$'),
  name               text not null check (name <> ''),
  accounting_ref     text check (accounting_ref <> ''),
  street             text not null,
  street2            text check (street2 <> ''),
  zip_code           text not null,
  municipality       text not null,
  country            text not null,
  contact_name       text not null,
  contact_function   text not null,
  contact_email      text not null,
  contact_language   text not null check (contact_language in ('fr', 'nl', 'de', 'en')),
  is_confidential    boolean not null default false,
  created_on         timestamptz(3) not null default now(),
  updated_on         timestamptz(3) not null default now(),
  archived_on        timestamptz(3),
  name_sort          text collate "und-x-icu" not null
                     generated always as (lower(name collate "und-x-icu")) stored,
  search_text        text not null generated always as (
                       lower(name collate "und-x-icu")
                       || chr(10) || substr(enterprise_number, 1, 4)
                       || '.' || substr(enterprise_number, 5, 3)
                       || '.' || substr(enterprise_number, 8, 3)
                       || chr(10) || enterprise_number
                       || chr(10) || lower(coalesce(accounting_ref, '') collate "und-x-icu")
                     ) stored,
  unique (id, firm_id)
);
comment on column customers.enterprise_number is 'ten digits, check digits verified';
comment on column customers.search_text is 'the text that a search matches (§4.4, D-07)';
create unique index customers_active_enterprise_number on customers (enterprise_number)
  where archived_on is null;
comment on index customers_active_enterprise_number is 'unique across all firms until archived (D-16)';
create index customers_by_name on customers (firm_id, name_sort, id) where archived_on is null;
create index customers_by_accounting_ref on customers (firm_id, accounting_ref)
  where archived_on is null;

create table user_customers (
  user_id      text not null,
  customer_id  text not null,
  firm_id      text not null,
  primary key (user_id, customer_id),
  foreign key (user_id, firm_id) references users (id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on table user_customers is 'the customers of users who see only assigned customers (D-18)';
comment on column user_customers.firm_id is 'ensures that user and customer belong to the same firm';
create index user_customers_customer_id on user_customers (customer_id);

create table bank_accounts (
  id           text primary key check (id ~ '^[0-9a-f]{24}$'),
  customer_id  text not null references customers,
  iban         text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  currency     text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  bank_code    text generated always as (
                 case when iban like 'BE%' then substr(iban, 5, 3) end
               ) stored,
  created_on   timestamptz(3) not null default now(),
  disabled_on  timestamptz(3),
  unique (id, customer_id)
);
comment on column bank_accounts.bank_code is
  'national bank code of a Belgian IBAN, assigned or not; null for a foreign IBAN (D-17)';
create unique index bank_accounts_active_iban on bank_accounts (iban) where disabled_on is null;
comment on index bank_accounts_active_iban is 'unique across the service until disabled (D-16)';
create index bank_accounts_active_customer_id on bank_accounts (customer_id)
  where disabled_on is null;

create table customer_payroll_providers (
  id           text primary key check (id ~ '^[0-9a-f]{24}$'),
  customer_id  text not null references customers,
  code         text not null references payroll_providers,
  created_on   timestamptz(3) not null default now(),
  removed_on   timestamptz(3),
  unique (id, customer_id)
);
create unique index customer_payroll_providers_active on customer_payroll_providers (customer_id, code)
  where removed_on is null;
`;

/** Customers, the users they are assigned to, and their bank accounts and payroll providers. */
export const customers = sqlMigration('0003-customers', schema);
