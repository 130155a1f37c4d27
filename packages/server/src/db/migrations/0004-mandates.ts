import { sqlMigration } from './migration.js';

/*
 * `mandates` repeats columns of other tables that lists sort and filter by: each sort of §4.15 reads an
 * index of one firm instead of sorting all its mandates.
 */
const schema = `
create table mandate_clocks (
  firm_id   text primary key references firms,
  moved_on  timestamptz(3) not null
);
comment on table mandate_clocks is
  'the latest updated_on of the mandates of the firm; a transaction that changes a mandate locks the row until its end, so that changes become visible in the order of updated_on (§4.15)';

create table signature_requests (
  id                 text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id            text not null,
  customer_id        text not null,
  delivery           integer not null default 1 check (delivery > 0),
  failed_sendings    integer not null default 0,
  created_on         timestamptz(3) not null,
  sent_on            timestamptz(3),
  sent_to            text,
  expires_on         timestamptz(3),
  answer             text check (answer in ('signed', 'declined')),
  answered_on        timestamptz(3),
  signer_name        text,
  signer_address     text,
  signer_user_agent  text,
  unique (id, customer_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  check ((sent_on is null) = (expires_on is null)),
  check (sent_to is null or sent_on is not null),
  check ((answer is null) = (answered_on is null)),
  check (answer is distinct from 'signed' or signer_name is not null)
);
comment on table signature_requests is
  'one message to the contact of a customer, for the mandates created together';
comment on column signature_requests.delivery is
  'number of addresses it was sent to; links that were sent to an earlier address no longer work (D-14)';
comment on column signature_requests.failed_sendings is
  'number of attempts that the mail server refused, for the present address';
comment on column signature_requests.sent_on is 'when it was sent first';
comment on column signature_requests.sent_to is 'the e-mail address it was sent to last';
comment on column signature_requests.expires_on is '30 days after it was sent first';
create index signature_requests_unanswered on signature_requests (customer_id) where answer is null;

create table signature_links (
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  request_id  text not null references signature_requests,
  delivery    integer not null
);
comment on table signature_links is 'the links that were sent, by the SHA-256 of their token (D-20)';
create index signature_links_request_id on signature_links (request_id);

create table mandates (
  id                     text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id                text not null,
  customer_id            text not null,
  product                text not null check (product in ('CODA', 'CODB')),
  status                 text collate "C" not null check (status in (
                           'created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'waitingForBank',
                           'confirmedByBank', 'rejectedByBank', 'unsupportedBank', 'finished',
                           'renewalRequired', 'error', 'waitingForPayrollProvider',
                           'rejectedByPayrollProvider', 'unsupportedPayrollProvider')),
  bank_account_id        text unique,
  payroll_link_id        text unique,
  connector_id           integer,
  valid_until            date,
  error_code             text check (error_code in ('recipientRefused', 'deliveryFailed')),
  error_message          text,
  signature_request_id   text,
  customer_name_sort     text collate "und-x-icu" not null,
  enterprise_number      text collate "C" not null,
  iban                   text collate "C",
  bank_code              text,
  bank_name_sort         text collate "und-x-icu",
  payroll_provider_code  text collate "C",
  created_on             timestamptz(3) not null,
  updated_on             timestamptz(3) not null,
  closed_on              timestamptz(3),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  foreign key (bank_account_id, customer_id) references bank_accounts (id, customer_id),
  foreign key (payroll_link_id, customer_id) references customer_payroll_providers (id, customer_id),
  foreign key (signature_request_id, customer_id) references signature_requests (id, customer_id),
  check ((product = 'CODA') = (bank_account_id is not null and iban is not null)),
  check ((product = 'CODB') = (payroll_link_id is not null and payroll_provider_code is not null)),
  check ((status = 'error') = (error_code is not null)),
  check ((error_code is null) = (error_message is null)),
  check (connector_id is null or product = 'CODA'),
  check (valid_until is null or connector_id is not null),
  check (valid_until is not null or connector_id is null or status <> 'finished'),
  check (status <> 'renewalRequired' or connector_id is not null),
  check (status not like '%Bank' or product = 'CODA'),
  check (status not like '%PayrollProvider' or product = 'CODB')
);
comment on column mandates.payroll_link_id is 'the link from the customer to the payroll provider';
comment on column mandates.connector_id is
  'the light connector of the bank when the mandate was created; such a mandate is a consent';
comment on column mandates.valid_until is 'last day of a consent, Europe/Brussels';
comment on column mandates.signature_request_id is 'the latest signature request for it';
comment on column mandates.closed_on is
  'when its account was disabled or its provider removed; it is no longer listed and does not change any more';

create index mandates_customer_id on mandates (customer_id) where closed_on is null;
create index mandates_signature_request_id on mandates (signature_request_id);
create index mandates_by_created_on on mandates (firm_id, created_on, id) where closed_on is null;
create index mandates_by_updated_on on mandates (firm_id, updated_on, id) where closed_on is null;
create index mandates_by_customer_name on mandates (firm_id, customer_name_sort, id)
  where closed_on is null;
create index mandates_by_enterprise_number on mandates (firm_id, enterprise_number, id)
  where closed_on is null;
create index mandates_by_iban on mandates (firm_id, iban, id) where closed_on is null;
create index mandates_by_status on mandates (firm_id, status, id) where closed_on is null;
create index mandates_by_bank_name on mandates (firm_id, bank_name_sort, id) where closed_on is null;
create index mandates_by_payroll_provider on mandates (firm_id, payroll_provider_code, id)
  where closed_on is null;

create table asked_mandates (
  request_id   text not null references signature_requests,
  mandate_id   text not null references mandates,
  is_answered  boolean not null default false,
  primary key (request_id, mandate_id)
);
comment on table asked_mandates is 'the mandates of each signature request';
comment on column asked_mandates.is_answered is
  'part of the proof: true if the mandate was open when the contact answered, so that the answer covers it';
create index asked_mandates_mandate_id on asked_mandates (mandate_id);

create table mandate_history (
  id           bigint primary key generated always as identity,
  mandate_id   text not null references mandates,
  from_status  text,
  to_status    text,
  trigger      text not null,
  actor        text not null check (actor in ('user', 'signer', 'operator', 'service')),
  actor_id     text,
  happened_on  timestamptz(3) not null
);
comment on column mandate_history.from_status is 'null when the mandate begins';
comment on column mandate_history.to_status is 'null when the mandate is closed';
comment on column mandate_history.actor_id is 'the user, or the signature request that was answered';
create index mandate_history_mandate_id on mandate_history (mandate_id, id);

create function follow_bank_names() returns trigger language plpgsql as $$
begin
  -- A code that is no longer assigned has no name. Mandates are locked by id, as everywhere.
  update mandates m set bank_name_sort = named.name_sort
    from (select m.id, lower(b.name collate "und-x-icu") as name_sort
            from mandates m
            left join bank_codes bc on bc.code = m.bank_code
            left join banks b on b.id = bc.bank_id
           where m.bank_code is not null
             and m.bank_name_sort is distinct from lower(b.name collate "und-x-icu")
           order by m.id for update of m) named
   where m.id = named.id;
  return null;
end $$;
comment on function follow_bank_names() is
  'updates the sort of mandates by bank name when a new edition of the bank codes is loaded';
create trigger follow_bank_names after insert or update on bank_codes
  for each statement execute function follow_bank_names();
`;

/** Mandates, their history, and signature requests. */
export const mandates = sqlMigration('0004-mandates', schema);
