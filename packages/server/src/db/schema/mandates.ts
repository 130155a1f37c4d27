/** Mandates, and signature requests with their mails. */
export const mandates = String.raw`
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    rtrim(lower(address), '.'),
    '([^@])[+][^@]*@', '\1@'),
    '@googlemail[.]com$', '@gmail.com'),
    '@(me|mac)[.]com$', '@icloud.com'),
    '@(protonmail[.](com|ch)|pm[.]me)$', '@proton.me'),
    '[.](\?=[^@]*@gmail[.]com$)|[._-](\?=[^@]*@proton[.]me$)', '', 'g')
$$;

create table signature_requests (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null,
  customer_id text not null,
  delivery integer not null default 1 check (delivery > 0),
  created_on timestamptz(3) not null,
  sent_on timestamptz(3),
  sent_to text,
  expires_on timestamptz(3),
  answer text check (answer in ('signed', 'declined')),
  answered_on timestamptz(3),
  signer_name text,
  signer_address text,
  signer_user_agent text,
  renews_until date,
  primary key (id, firm_id),
  unique (id, customer_id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  check ((sent_on is null) = (expires_on is null)),
  check (sent_to is null or sent_on is not null),
  check ((answer is null) = (answered_on is null)),
  check (answer is distinct from 'signed' or signer_name is not null)
);
comment on table signature_requests is
  'one message to the contact of a customer, for the mandates created together';
comment on column signature_requests.delivery is
  'number of the address, from 1; URLs for an earlier address no longer work (D-14)';
comment on column signature_requests.expires_on is
  '30 days after it was sent first, or the end of the consents that it renews';
comment on column signature_requests.renews_until is
  'last day of the consents that it renews, after which it cannot be answered';
create index signature_requests_of_customer on signature_requests (customer_id);
create index signature_requests_unanswered on signature_requests (customer_id) where answer is null;

create table mandates (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null,
  customer_id text not null,
  product text not null check (product in ('CODA', 'CODB')),
  status text collate "C" not null check (status in ('created', 'waitingForSigner', 'expired',
    'rejectedBySigner', 'waitingForBank', 'confirmedByBank', 'rejectedByBank', 'unsupportedBank',
    'finished', 'renewalRequired', 'error', 'waitingForPayrollProvider',
    'rejectedByPayrollProvider', 'unsupportedPayrollProvider')),
  bank_account_id text,
  payroll_link_id text,
  connector_id integer,
  valid_until date,
  error_code text check (error_code in ('recipientRefused', 'deliveryFailed')),
  error_message text,
  signature_request_id text,
  customer_name_sort text collate "und-x-icu" not null,
  enterprise_number text collate "C" not null,
  iban text collate "C",
  bank_code text,
  bank_name_sort text collate "und-x-icu",
  payroll_provider_code text collate "C",
  created_on timestamptz(3) not null,
  updated_on timestamptz(3) not null,
  closed_on timestamptz(3),
  renewal_status text check (renewal_status in ('renewalOffered', 'renewalDeclined',
    'renewalUndeliverable')),
  is_contested boolean not null default false,
  primary key (id, firm_id),
  unique (bank_account_id, firm_id),
  unique (payroll_link_id, firm_id),
  foreign key (customer_id, firm_id) references customers (id, firm_id),
  foreign key (bank_account_id, customer_id, firm_id)
    references bank_accounts (id, customer_id, firm_id),
  foreign key (payroll_link_id, customer_id, firm_id)
    references customer_payroll_providers (id, customer_id, firm_id),
  foreign key (signature_request_id, customer_id, firm_id)
    references signature_requests (id, customer_id, firm_id),
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
comment on column mandates.connector_id is
  'the light connector when the mandate was created; such a mandate is a consent';
comment on column mandates.valid_until is 'last day of a consent, Europe/Brussels';
comment on column mandates.closed_on is
  'when its account or provider ended; it is no longer listed and does not change any more';
comment on column mandates.renewal_status is
  'of a consent that is finished and whose renewal was offered (D-24)';
comment on column mandates.is_contested is
  'others had the link before: deliveries wait for the confirmation of bank or provider (D-66)';
create index mandates_by_bank_name
  on mandates (firm_id, bank_name_sort, id) where closed_on is null;
create index mandates_by_created_on on mandates (firm_id, created_on, id) where closed_on is null;
create index mandates_by_customer_name
  on mandates (firm_id, customer_name_sort, id) where closed_on is null;
create index mandates_by_end on mandates (closed_on) where closed_on is not null;
create index mandates_by_enterprise_number
  on mandates (firm_id, enterprise_number, id) where closed_on is null;
create index mandates_by_iban on mandates (firm_id, iban, id) where closed_on is null;
create index mandates_by_payroll_provider
  on mandates (firm_id, payroll_provider_code, id) where closed_on is null;
create index mandates_by_status on mandates (firm_id, status, id) where closed_on is null;
create index mandates_by_updated_on on mandates (firm_id, updated_on, id) where closed_on is null;
create index mandates_customer_id on mandates (customer_id) where closed_on is null;
create index mandates_of_customer on mandates (customer_id);
create index mandates_of_firm on mandates (firm_id, created_on, status);
create index mandates_signature_request_id on mandates (signature_request_id);
create index mandates_to_renew
  on mandates (valid_until)
  where closed_on is null and status = 'finished' and renewal_status is null and valid_until is not null;

create table mandate_history (
  id bigint generated always as identity,
  firm_id text not null,
  mandate_id text not null,
  from_status text,
  to_status text,
  trigger text not null,
  actor text not null check (actor in ('user', 'signer', 'operator', 'service')),
  actor_id text,
  happened_on timestamptz(3) not null,
  primary key (id, firm_id),
  foreign key (mandate_id, firm_id) references mandates (id, firm_id)
);
comment on column mandate_history.from_status is 'null when the mandate begins';
comment on column mandate_history.to_status is 'null when the mandate is closed';
comment on column mandate_history.actor_id is
  'the user, or the signature request that was answered';
create index mandate_history_mandate_id on mandate_history (mandate_id, id);

create table mandate_clocks (
  firm_id text primary key references firms,
  latest_ms bigint not null
);
comment on table mandate_clocks is
  'the latest updated_on, in ms since 1970; locked by who changes a mandate, so that changes show in order (§4.15)';

create table asked_mandates (
  firm_id text not null,
  request_id text not null,
  mandate_id text not null,
  is_answered boolean not null default false,
  is_declined boolean not null default false,
  primary key (request_id, mandate_id, firm_id),
  foreign key (request_id, firm_id) references signature_requests (id, firm_id),
  foreign key (mandate_id, firm_id) references mandates (id, firm_id)
);
comment on column asked_mandates.is_answered is
  'part of the proof: true if the mandate was open when the contact answered';
comment on column asked_mandates.is_declined is
  'true if the contact signed others and excluded this one';
create index asked_mandates_mandate_id on asked_mandates (mandate_id);

create table signing_urls (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  firm_id text not null,
  request_id text not null,
  delivery integer not null,
  primary key (token_hash, firm_id)
);
comment on table signing_urls is
  'the signing URLs that were sent, by the SHA-256 of their token (D-20); without foreign keys, because a token does not say on which server its firm is (D-72)';
create index signing_urls_request_id on signing_urls (request_id);

create table outgoing_mails (
  id text not null,
  kind text not null check (kind in ('request', 'reminder', 'confirmation', 'evidence')),
  request_id text not null,
  firm_id text not null,
  customer_id text not null,
  delivery integer not null default 1 check (delivery > 0),
  reminder smallint not null default 0 check (reminder >= 0 and reminder <= 3),
  address text,
  waits_for text check (waits_for in ('customer', 'firm', 'address')),
  allowed_on timestamptz(3),
  sent_on timestamptz(3),
  failures integer not null default 0,
  last_failure text,
  reminders_due smallint not null default 0 check (reminders_due >= 0 and reminders_due <= 3),
  primary key (id, firm_id),
  foreign key (request_id, customer_id, firm_id)
    references signature_requests (id, customer_id, firm_id),
  check ((kind = 'reminder') = (reminder > 0)),
  check (waits_for is null or kind = 'request'),
  check (allowed_on is null or address is not null)
);
comment on table outgoing_mails is
  'requests, one per address, their reminders, and the evidence of the answer';
comment on column outgoing_mails.id is 'the Message-ID, without @ and host name';
comment on column outgoing_mails.delivery is
  'number of the address within the request; one that the contact gets back keeps it';
comment on column outgoing_mails.reminder is 'n for the nth reminder of a request (D-25)';
comment on column outgoing_mails.address is 'null until the budgets allow it';
comment on column outgoing_mails.waits_for is
  'whose budget of mails is used up, so that it is not sent yet (D-36)';
comment on column outgoing_mails.last_failure is 'for the operator; without addresses';
comment on column outgoing_mails.reminders_due is
  'reminders of a request that have become due, sent or not';
create index outgoing_mails_by_customer on outgoing_mails (customer_id, allowed_on);
create index outgoing_mails_by_firm on outgoing_mails (firm_id, allowed_on);
create index outgoing_mails_of_mailbox on outgoing_mails (mailbox_of(address), allowed_on);
create index outgoing_mails_of_request on outgoing_mails (request_id);
create index outgoing_mails_to_remind
  on outgoing_mails (reminders_due, sent_on) where kind = 'request' and reminders_due < 3;
create index outgoing_mails_unsent
  on outgoing_mails (firm_id) where kind = 'request' and sent_on is null;
create index outgoing_mails_waiting on outgoing_mails (firm_id) where waits_for is not null;
`;
