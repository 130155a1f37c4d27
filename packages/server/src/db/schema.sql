-- The schema after all migrations. Written by: npm run schema -w @adx/server

create table acknowledged_arrivals (
  api_key_id text not null,
  user_id text not null,
  customer_id text not null,
  product text not null,
  up_to bigint not null default 0,
  constraint acknowledged_arrivals_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint acknowledged_arrivals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint acknowledged_arrivals_pkey PRIMARY KEY (api_key_id, user_id, customer_id, product),
  constraint acknowledged_arrivals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX acknowledged_arrivals_of_customer ON public.acknowledged_arrivals USING btree (customer_id);
comment on column acknowledged_arrivals.up_to is 'all files up to this arrival are acknowledged, and the next one, if any, is not';

create table api_keys (
  id text not null,
  partner text not null,
  key_hash bytea not null,
  key_hint text not null,
  scopes text[] not null,
  created_on timestamp(3) with time zone not null default now(),
  revoked_on timestamp(3) with time zone,
  old_hash bytea,
  old_hint text,
  old_until timestamp(3) with time zone,
  constraint api_keys_check CHECK ((num_nulls(old_hash, old_hint, old_until) = ANY (ARRAY[0, 3]))),
  constraint api_keys_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_old_hash_check CHECK ((octet_length(old_hash) = 32)),
  constraint api_keys_old_hash_key UNIQUE (old_hash),
  constraint api_keys_partner_check CHECK ((partner <> ''::text)),
  constraint api_keys_pkey PRIMARY KEY (id)
);
comment on column api_keys.key_hash is 'SHA-256 of the key; the key itself is not stored (D-20)';
comment on column api_keys.old_hash is 'SHA-256 of the secret before the last rotation, which works until old_until (D-35)';

create table api_usage (
  day date not null,
  api_key_id text not null,
  operation text not null,
  field text not null,
  value text not null,
  calls bigint not null,
  constraint api_usage_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint api_usage_calls_check CHECK ((calls > 0)),
  constraint api_usage_check CHECK (((value = ''::text) OR (field <> ''::text))),
  constraint api_usage_operation_check CHECK ((operation <> ''::text)),
  constraint api_usage_pkey PRIMARY KEY (day, api_key_id, operation, field, value)
);
comment on table api_usage is 'how often an API key used an operation, a field of its request or a value of an enumeration, on a day in UTC (D-41)';
comment on column api_usage.field is 'name in the spec, such as body.address.street2; empty for the operation itself';
comment on column api_usage.operation is 'operationId of the spec';
comment on column api_usage.value is 'value of an enumeration of the spec as JSON, such as "nl"; empty for the field itself';

create table asked_mandates (
  request_id text not null,
  mandate_id text not null,
  is_answered boolean not null default false,
  is_declined boolean not null default false,
  constraint asked_mandates_mandate_id_fkey FOREIGN KEY (mandate_id) REFERENCES mandates(id),
  constraint asked_mandates_pkey PRIMARY KEY (request_id, mandate_id),
  constraint asked_mandates_request_id_fkey FOREIGN KEY (request_id) REFERENCES signature_requests(id)
);
CREATE INDEX asked_mandates_mandate_id ON public.asked_mandates USING btree (mandate_id);
comment on table asked_mandates is 'the mandates of each signature request';
comment on column asked_mandates.is_answered is 'part of the proof: true if the mandate was open when the contact answered, so that the answer covers it';
comment on column asked_mandates.is_declined is 'true if the contact signed others of the request and excluded this one';

create table audit_entries (
  id bigint not null generated always as identity,
  occurred_on timestamp(3) with time zone not null,
  actor text not null,
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
  constraint audit_entries_actor_check CHECK ((actor = ANY (ARRAY['user'::text, 'operator'::text, 'signer'::text, 'visitor'::text, 'service'::text]))) NOT VALID,
  constraint audit_entries_check CHECK (((actor = 'operator'::text) = (operator IS NOT NULL))),
  constraint audit_entries_check1 CHECK (((actor = 'user'::text) = ((user_id IS NOT NULL) AND (api_key_id IS NOT NULL)))),
  constraint audit_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entries_of_customer ON public.audit_entries USING btree (customer_id, id) WHERE (customer_id IS NOT NULL);
CREATE INDEX audit_entries_of_firm ON public.audit_entries USING btree (firm_id, id);
CREATE INDEX audit_entries_of_user ON public.audit_entries USING btree (firm_id, user_id, id);
CREATE INDEX audit_entries_sealed ON public.audit_entries USING btree (seal, id);
comment on table audit_entries is 'who did or read what of which customer (D-58); only ids, and without foreign keys, so that entries outlive what they name';
comment on column audit_entries.action is 'an operation of the interface, an operator command, what was done with a signature request, or that a link gave way';
comment on column audit_entries.object_id is 'the mandate, file, upload and so on';
comment on column audit_entries.outcome is 'done; of a command also begun or refused; of a call also repeated, or the code of the error that refused it';
comment on column audit_entries.seal is 'null until it is sealed';

create table audit_removals (
  seal bigint not null,
  hash text not null,
  entries bigint not null,
  removed_on timestamp(3) with time zone not null default now(),
  constraint audit_removals_pkey PRIMARY KEY (seal)
);
comment on table audit_removals is 'what retention removed: all entries up to the end of a seal';
comment on column audit_removals.hash is 'the hash of that seal, with which the chain goes on';

create table audit_seals (
  number bigint not null,
  sealed_on timestamp(3) with time zone not null,
  entry_ids bigint[] not null,
  previous text not null,
  hash text not null,
  constraint audit_seals_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint audit_seals_pkey PRIMARY KEY (number),
  constraint audit_seals_previous_check CHECK ((previous ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX audit_seals_by_age ON public.audit_seals USING btree (sealed_on, number);
comment on table audit_seals is 'the chain of hashes over the entries (D-58)';
comment on column audit_seals.previous is 'the hash of the seal before; zeros for the first';

create table bank_accounts (
  id text not null,
  customer_id text not null,
  iban text not null,
  currency text not null default 'EUR'::text,
  bank_code text generated always as (
CASE
    WHEN (iban ~~ 'BE%'::text) THEN substr(iban, 5, 3)
    ELSE NULL::text
END) stored,
  created_on timestamp(3) with time zone not null default now(),
  disabled_on timestamp(3) with time zone,
  constraint bank_accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint bank_accounts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint bank_accounts_iban_check CHECK ((iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'::text)),
  constraint bank_accounts_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint bank_accounts_id_customer_id_key UNIQUE (id, customer_id),
  constraint bank_accounts_pkey PRIMARY KEY (id)
);
CREATE INDEX bank_accounts_active_customer_id ON public.bank_accounts USING btree (customer_id) WHERE (disabled_on IS NULL);
CREATE UNIQUE INDEX bank_accounts_active_iban ON public.bank_accounts USING btree (iban) WHERE (disabled_on IS NULL);
CREATE INDEX bank_accounts_of_customer ON public.bank_accounts USING btree (customer_id);
comment on column bank_accounts.bank_code is 'national bank code of a Belgian IBAN, assigned or not; null for a foreign IBAN (D-17)';
comment on index bank_accounts_active_iban is 'unique across the service until disabled (D-16)';

create table bank_codes (
  code text not null,
  bank_id integer not null,
  constraint bank_codes_bank_id_fkey FOREIGN KEY (bank_id) REFERENCES banks(id),
  constraint bank_codes_code_check CHECK ((code ~ '^[0-9]{3}$'::text)),
  constraint bank_codes_pkey PRIMARY KEY (code)
);
CREATE INDEX bank_codes_bank_id ON public.bank_codes USING btree (bank_id);
comment on table bank_codes is 'assigned national bank codes, digits 1-3 of a Belgian account number';

create table banks (
  id integer not null generated by default as identity,
  bic text,
  name text not null,
  coda_supported boolean not null,
  connector_id integer,
  constraint banks_bic_check CHECK (((bic ~ '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3}){0,1}$'::text) AND (bic !~ 'XXX$'::text))),
  constraint banks_name_check CHECK ((name <> ''::text)),
  constraint banks_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX banks_bic_name ON public.banks USING btree (COALESCE(bic, ''::text), name);
comment on table banks is 'one row per pair of BIC and name: a BIC can have two names, a name two BICs';
comment on column banks.connector_id is 'the light connector that serves the accounts of the bank';

create table customer_payroll_providers (
  id text not null,
  customer_id text not null,
  code text not null,
  created_on timestamp(3) with time zone not null default now(),
  removed_on timestamp(3) with time zone,
  constraint customer_payroll_providers_code_fkey FOREIGN KEY (code) REFERENCES payroll_providers(code),
  constraint customer_payroll_providers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint customer_payroll_providers_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint customer_payroll_providers_id_customer_id_key UNIQUE (id, customer_id),
  constraint customer_payroll_providers_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX customer_payroll_providers_active ON public.customer_payroll_providers USING btree (customer_id, code) WHERE (removed_on IS NULL);
CREATE INDEX payroll_providers_of_customer ON public.customer_payroll_providers USING btree (customer_id);

create table customers (
  id text not null,
  firm_id text not null,
  enterprise_number text not null,
  name text not null,
  accounting_ref text,
  street text not null,
  street2 text,
  zip_code text not null,
  municipality text not null,
  country text not null,
  contact_name text not null,
  contact_function text not null,
  contact_email text not null,
  contact_language text not null,
  is_confidential boolean not null default false,
  created_on timestamp(3) with time zone not null default now(),
  updated_on timestamp(3) with time zone not null default now(),
  archived_on timestamp(3) with time zone,
  name_sort text collate "und-x-icu" not null generated always as (lower((name COLLATE "und-x-icu"))) stored,
  search_text text not null generated always as (((((((((((lower((name COLLATE "und-x-icu")) || chr(10)) || substr(enterprise_number, 1, 4)) || '.'::text) || substr(enterprise_number, 5, 3)) || '.'::text) || substr(enterprise_number, 8, 3)) || chr(10)) || enterprise_number) || chr(10)) || lower((COALESCE(accounting_ref, ''::text) COLLATE "und-x-icu")))) stored,
  transferred_to text,
  transfer_agreed_by text,
  constraint customers_accounting_ref_check CHECK ((accounting_ref <> ''::text)),
  constraint customers_check CHECK (((transfer_agreed_by IS NULL) OR (transferred_to IS NOT NULL))),
  constraint customers_check1 CHECK (((transferred_to IS NULL) OR (archived_on IS NOT NULL))),
  constraint customers_contact_language_check CHECK ((contact_language = ANY (ARRAY['fr'::text, 'nl'::text, 'de'::text, 'en'::text]))),
  constraint customers_enterprise_number_check CHECK ((enterprise_number ~ '^[01][0-9]{9}$'::text)),
  constraint customers_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES firms(id),
  constraint customers_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint customers_id_firm_id_key UNIQUE (id, firm_id),
  constraint customers_name_check CHECK ((name <> ''::text)),
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_street2_check CHECK ((street2 <> ''::text)),
  constraint customers_transfer_agreed_by_check CHECK ((transfer_agreed_by <> ''::text))
);
CREATE UNIQUE INDEX customers_active_enterprise_number ON public.customers USING btree (enterprise_number) WHERE (archived_on IS NULL);
CREATE INDEX customers_by_accounting_ref ON public.customers USING btree (firm_id, accounting_ref) WHERE (archived_on IS NULL);
CREATE INDEX customers_by_created_on ON public.customers USING btree (firm_id, created_on);
CREATE INDEX customers_by_end ON public.customers USING btree (archived_on) WHERE (archived_on IS NOT NULL);
CREATE INDEX customers_by_name ON public.customers USING btree (firm_id, name_sort, id) INCLUDE (is_confidential, archived_on) WHERE ((archived_on IS NULL) OR (transferred_to IS NOT NULL));
comment on column customers.enterprise_number is 'ten digits, check digits verified';
comment on column customers.search_text is 'the text that a search matches (§4.4, D-07)';
comment on column customers.transfer_agreed_by is 'who agreed to it for the end customer, as the operator wrote it; null if it gave way to another firm (D-66)';
comment on column customers.transferred_to is 'the customer of another firm that this one became when it was archived, also once that one is erased; its files stay listed (D-48)';
comment on index customers_active_enterprise_number is 'unique across all firms until archived (D-16)';
comment on index customers_by_name is 'has all that decides which customers a search returns to most users, so that deep pages and totals read only the index (D-39); also for the lists of files';

create table evidence_mails (
  request_id text not null,
  recipient text not null,
  address text not null,
  sent_on timestamp(3) with time zone,
  failures integer not null default 0,
  last_failure text,
  constraint evidence_mails_pkey PRIMARY KEY (request_id, recipient),
  constraint evidence_mails_recipient_check CHECK ((recipient = ANY (ARRAY['signer'::text, 'firm'::text]))),
  constraint evidence_mails_request_id_fkey FOREIGN KEY (request_id) REFERENCES signature_evidence(request_id) ON DELETE CASCADE
);
comment on table evidence_mails is 'the mails with the evidence of a signature, one per recipient';
comment on column evidence_mails.failures is 'number of failed attempts to send it';
comment on column evidence_mails.sent_on is 'when the mail server accepted it';

create table file_acknowledgements (
  api_key_id text not null,
  user_id text not null,
  file_id text not null,
  acknowledged_on timestamp(3) with time zone not null,
  constraint file_acknowledgements_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint file_acknowledgements_file_id_fkey FOREIGN KEY (file_id) REFERENCES files(id),
  constraint file_acknowledgements_pkey PRIMARY KEY (api_key_id, user_id, file_id),
  constraint file_acknowledgements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX file_acknowledgements_of_file ON public.file_acknowledgements USING btree (file_id);

create table file_arrivals (
  customer_id text not null,
  product text not null,
  latest bigint not null,
  constraint file_arrivals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint file_arrivals_pkey PRIMARY KEY (customer_id, product)
);
comment on table file_arrivals is 'the number of the latest file of each customer and product';

create table files (
  id text not null,
  product text not null,
  firm_id text not null,
  customer_id text not null,
  arrival bigint not null,
  iban text collate "C",
  currency text collate "C",
  extension text collate "C",
  payroll_provider text collate "und-x-icu",
  account_period integer,
  year integer not null,
  statement_number bigint not null,
  statement_date date not null,
  file_name text not null,
  processed_on timestamp(3) with time zone not null,
  content_hash bytea not null,
  object_key text not null,
  pdf_key text not null,
  upload_id text,
  pdf_status text not null default 'present'::text,
  print_attempts smallint not null default 0,
  print_failure text,
  hash_version smallint not null,
  created_on date,
  old_balance bigint,
  new_balance bigint,
  is_delivered boolean,
  constraint files_account_period_check CHECK (((account_period >= 100001) AND (account_period <= 999912))),
  constraint files_arrival_check CHECK ((arrival > 0)),
  constraint files_check CHECK (((product = 'CODA'::text) = ((iban IS NOT NULL) AND (currency IS NOT NULL) AND (extension IS NOT NULL)))),
  constraint files_check1 CHECK (((product = 'CODB'::text) = ((payroll_provider IS NOT NULL) AND (account_period IS NOT NULL)))),
  constraint files_check_balances CHECK ((((old_balance IS NULL) = (new_balance IS NULL)) AND ((old_balance IS NULL) = (created_on IS NULL)))),
  constraint files_content_hash_check CHECK ((octet_length(content_hash) = 32)),
  constraint files_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint files_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint files_customer_id_product_arrival_key UNIQUE (customer_id, product, arrival),
  constraint files_file_name_check CHECK ((file_name <> ''::text)),
  constraint files_iban_check CHECK ((iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'::text)),
  constraint files_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint files_payroll_provider_check CHECK ((payroll_provider <> ''::text)),
  constraint files_pdf_status_check CHECK ((pdf_status = ANY (ARRAY['present'::text, 'missing'::text, 'failed'::text]))),
  constraint files_pkey PRIMARY KEY (id),
  constraint files_product_check CHECK ((product = ANY (ARRAY['CODA'::text, 'CODB'::text]))),
  constraint files_statement_number_check CHECK ((statement_number >= 0)),
  constraint files_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id)
);
CREATE INDEX files_by_age ON public.files USING btree (statement_date);
CREATE UNIQUE INDEX files_by_content ON public.files USING btree (customer_id, product, content_hash);
CREATE UNIQUE INDEX files_by_name ON public.files USING btree (firm_id, lower((file_name COLLATE "C")));
CREATE INDEX files_by_processing ON public.files USING btree (customer_id, product, processed_on);
CREATE INDEX files_by_statement_date ON public.files USING btree (customer_id, product, statement_date);
CREATE INDEX files_coda_versions ON public.files USING btree (customer_id, iban, currency, year, statement_number, id) WHERE (product = 'CODA'::text);
CREATE INDEX files_codb_versions ON public.files USING btree (customer_id, payroll_provider, year, statement_number, id) WHERE (product = 'CODB'::text);
CREATE INDEX files_in_chain ON public.files USING btree (customer_id, iban, currency, extension, statement_date) WHERE ((old_balance IS NOT NULL) OR (hash_version < 2));
CREATE INDEX files_of_former_version ON public.files USING btree (customer_id, product, statement_number) WHERE (hash_version = 1);
CREATE INDEX files_upload_id ON public.files USING btree (upload_id);
CREATE INDEX files_without_pdf ON public.files USING btree (pdf_status, firm_id, id) WHERE (pdf_status <> 'present'::text);
comment on table files is 'one row per listed statement or payroll file; its content is in the storage';
comment on column files.arrival is 'number within the customer and product; files become visible in this order';
comment on column files.content_hash is 'SHA-256 of the content, however it was delivered (D-29)';
comment on column files.created_on is 'CODA: the date on which the file was created; null, as the balances, for CODB and separate applications';
comment on column files.extension is 'distinguishes accounts that share an IBAN; empty if there is none';
comment on column files.hash_version is '1 for the rule of former versions, which worker processes replace with 2, or with 0 if the object cannot be read (D-29)';
comment on column files.is_delivered is 'true if a bank or payroll provider delivered it first, false if it was uploaded; null for what the former release listed';
comment on column files.new_balance is 'in thousandths; the old balance if the statement has no new one';
comment on column files.old_balance is 'in thousandths';
comment on column files.payroll_provider is 'as written in the file';
comment on column files.pdf_status is 'missing until the file has been printed; failed if it cannot be printed (D-38)';
comment on column files.print_attempts is 'attempts to print it that began and did not end (D-38)';
comment on column files.print_failure is 'why the last attempt to print it failed; a file whose PDF is missing is tried again (D-38)';
comment on column files.statement_date is 'CODA: date of the new balance, or of the file if there is none; CODB: date of generation';
comment on index files_by_content is 'recognises a document that was received before (D-29)';
comment on index files_by_name is 'file names are unique within a firm, whatever the case of their letters, because programs save files under them; also counts the versions of a name';

create table firms (
  id text not null,
  name text not null,
  tenant text not null,
  codb_upload boolean not null default false,
  created_on timestamp(3) with time zone not null default now(),
  email text,
  phone text,
  disabled_on timestamp(3) with time zone,
  constraint firms_email_check CHECK ((email <> ''::text)),
  constraint firms_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint firms_name_check CHECK ((name <> ''::text)),
  constraint firms_phone_check CHECK ((phone <> ''::text)),
  constraint firms_pkey PRIMARY KEY (id),
  constraint firms_tenant_check CHECK ((tenant ~ '^[a-z0-9-]+$'::text)),
  constraint firms_tenant_key UNIQUE (tenant)
);
CREATE UNIQUE INDEX firms_name_key ON public.firms USING btree (lower((name COLLATE "und-x-icu")));
comment on column firms.disabled_on is 'its users cannot sign in, nothing is listed for it, and its contacts are not asked to sign (D-60)';
comment on column firms.email is 'shown to the contacts of its customers; replies to its mails go there';
comment on column firms.phone is 'shown to the contacts of its customers, as the operator wrote it';
comment on column firms.tenant is 'folder of the firm in the upload buckets; never changes (D-19)';

create table former_names (
  firm_id text not null,
  customer_id text not null,
  name text not null,
  constraint former_names_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id) ON DELETE CASCADE,
  constraint former_names_pkey PRIMARY KEY (firm_id, customer_id, name)
);
comment on table former_names is 'names, contacts and e-mail addresses that customers had before, so that erasing finds them in names of files and in findings (D-63)';

create table held_deliveries (
  id text not null,
  upload_id text not null,
  product text not null,
  bank_account_id text,
  payroll_link_id text,
  iban text collate "C",
  enterprise_number text collate "C",
  payroll_provider text collate "und-x-icu",
  statement_number bigint not null,
  statement_date date not null,
  content_hash bytea not null,
  object_key text not null,
  held_on timestamp(3) with time zone not null,
  constraint held_deliveries_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_accounts(id),
  constraint held_deliveries_check CHECK (((product = 'CODA'::text) = (iban IS NOT NULL))),
  constraint held_deliveries_check1 CHECK (((product = 'CODB'::text) = (enterprise_number IS NOT NULL))),
  constraint held_deliveries_check2 CHECK (((product = 'CODB'::text) = (payroll_provider IS NOT NULL))),
  constraint held_deliveries_check3 CHECK (((bank_account_id IS NULL) OR (product = 'CODA'::text))),
  constraint held_deliveries_check4 CHECK (((payroll_link_id IS NULL) OR (product = 'CODB'::text))),
  constraint held_deliveries_content_hash_check CHECK ((octet_length(content_hash) = 32)),
  constraint held_deliveries_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint held_deliveries_payroll_link_id_fkey FOREIGN KEY (payroll_link_id) REFERENCES customer_payroll_providers(id),
  constraint held_deliveries_pkey PRIMARY KEY (id),
  constraint held_deliveries_product_check CHECK ((product = ANY (ARRAY['CODA'::text, 'CODB'::text]))),
  constraint held_deliveries_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id)
);
CREATE INDEX held_deliveries_bank_account_id ON public.held_deliveries USING btree (bank_account_id);
CREATE INDEX held_deliveries_held_on ON public.held_deliveries USING btree (held_on);
CREATE UNIQUE INDEX held_deliveries_once ON public.held_deliveries USING btree (content_hash, COALESCE(bank_account_id, payroll_link_id, ''::text));
CREATE INDEX held_deliveries_payroll_link_id ON public.held_deliveries USING btree (payroll_link_id);
CREATE INDEX held_deliveries_upload_id ON public.held_deliveries USING btree (upload_id);
comment on table held_deliveries is 'delivered statements and payroll files that no signed mandate covers (D-28)';
comment on column held_deliveries.bank_account_id is 'the account it was delivered for; without a bank account and a payroll link, only the operator can release it';
comment on column held_deliveries.payroll_provider is 'as written in the file';
comment on index held_deliveries_once is 'a repeated delivery is held once';

create table idempotent_answers (
  api_key_id text not null,
  user_id text not null,
  key_hash bytea not null,
  fingerprint bytea not null,
  answer text not null,
  created_on timestamp with time zone not null,
  constraint idempotent_answers_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint idempotent_answers_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint idempotent_answers_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint idempotent_answers_pkey PRIMARY KEY (api_key_id, user_id, key_hash),
  constraint idempotent_answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX idempotent_answers_by_age ON public.idempotent_answers USING btree (created_on);
comment on table idempotent_answers is 'what calls with an Idempotency-Key returned, for 24 hours, written in the transaction of their effect (D-43)';
comment on column idempotent_answers.answer is 'the body of the response as JSON, in the order in which it was sent';
comment on column idempotent_answers.fingerprint is 'SHA-256 of operation, path, query and body';
comment on column idempotent_answers.key_hash is 'SHA-256 of the key';

create table job_workers (
  id text not null,
  beat_on timestamp with time zone not null,
  constraint job_workers_pkey PRIMARY KEY (id)
);
comment on table job_workers is 'workers and their latest heartbeats, by the clock of the database';

create table kept_evidence (
  request_id text not null,
  firm_id text not null,
  customer_id text not null,
  mandate_ids text[] not null,
  content text not null,
  sha256 bytea not null,
  ended_on timestamp(3) with time zone not null,
  constraint kept_evidence_pkey PRIMARY KEY (request_id),
  constraint kept_evidence_sha256_check CHECK ((octet_length(sha256) = 32))
);
CREATE INDEX kept_evidence_ended_on ON public.kept_evidence USING btree (ended_on);
CREATE INDEX kept_evidence_of_firm ON public.kept_evidence USING btree (firm_id, request_id);
comment on table kept_evidence is 'evidence of customers that were erased, until its retention ends (D-63); without foreign keys, because nothing else of them is left';
comment on column kept_evidence.content is 'JSON, exactly as it was hashed';
comment on column kept_evidence.ended_on is 'when the last mandate that it covers ended';

create table link_holders (
  subject bytea not null,
  holder text not null,
  constraint link_holders_pkey PRIMARY KEY (subject, holder)
);
comment on table link_holders is 'who ever had a customer with an enterprise number, an account or a payroll provider of a customer (D-66)';
comment on column link_holders.holder is 'id of the firm, "erased" once it is erased, or "delivered" if a bank or provider delivered for it before any firm had it';
comment on column link_holders.subject is 'SHA-256 of the enterprise number, the IBAN, or the enterprise number and the code of the provider';

create table mandate_clocks (
  firm_id text not null,
  moved_on timestamp(3) with time zone not null,
  constraint mandate_clocks_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES firms(id),
  constraint mandate_clocks_pkey PRIMARY KEY (firm_id)
);
comment on table mandate_clocks is 'the latest updated_on of the mandates of the firm; a transaction that changes a mandate locks the row until its end, so that changes become visible in the order of updated_on (§4.15)';

create table mandate_history (
  id bigint not null generated always as identity,
  mandate_id text not null,
  from_status text,
  to_status text,
  trigger text not null,
  actor text not null,
  actor_id text,
  happened_on timestamp(3) with time zone not null,
  constraint mandate_history_actor_check CHECK ((actor = ANY (ARRAY['user'::text, 'signer'::text, 'operator'::text, 'service'::text]))),
  constraint mandate_history_mandate_id_fkey FOREIGN KEY (mandate_id) REFERENCES mandates(id),
  constraint mandate_history_pkey PRIMARY KEY (id)
);
CREATE INDEX mandate_history_mandate_id ON public.mandate_history USING btree (mandate_id, id);
comment on column mandate_history.actor_id is 'the user, or the signature request that was answered';
comment on column mandate_history.from_status is 'null when the mandate begins';
comment on column mandate_history.to_status is 'null when the mandate is closed';

create table mandates (
  id text not null,
  firm_id text not null,
  customer_id text not null,
  product text not null,
  status text collate "C" not null,
  bank_account_id text,
  payroll_link_id text,
  connector_id integer,
  valid_until date,
  error_code text,
  error_message text,
  signature_request_id text,
  customer_name_sort text collate "und-x-icu" not null,
  enterprise_number text collate "C" not null,
  iban text collate "C",
  bank_code text,
  bank_name_sort text collate "und-x-icu",
  payroll_provider_code text collate "C",
  created_on timestamp(3) with time zone not null,
  updated_on timestamp(3) with time zone not null,
  closed_on timestamp(3) with time zone,
  renewal_status text,
  is_contested boolean not null default false,
  constraint mandates_bank_account_id_customer_id_fkey FOREIGN KEY (bank_account_id, customer_id) REFERENCES bank_accounts(id, customer_id),
  constraint mandates_bank_account_id_key UNIQUE (bank_account_id),
  constraint mandates_check CHECK (((product = 'CODA'::text) = ((bank_account_id IS NOT NULL) AND (iban IS NOT NULL)))),
  constraint mandates_check1 CHECK (((product = 'CODB'::text) = ((payroll_link_id IS NOT NULL) AND (payroll_provider_code IS NOT NULL)))),
  constraint mandates_check2 CHECK (((status = 'error'::text) = (error_code IS NOT NULL))),
  constraint mandates_check3 CHECK (((error_code IS NULL) = (error_message IS NULL))),
  constraint mandates_check4 CHECK (((connector_id IS NULL) OR (product = 'CODA'::text))),
  constraint mandates_check5 CHECK (((valid_until IS NULL) OR (connector_id IS NOT NULL))),
  constraint mandates_check6 CHECK (((valid_until IS NOT NULL) OR (connector_id IS NULL) OR (status <> 'finished'::text))),
  constraint mandates_check7 CHECK (((status <> 'renewalRequired'::text) OR (connector_id IS NOT NULL))),
  constraint mandates_check8 CHECK (((status !~~ '%Bank'::text) OR (product = 'CODA'::text))),
  constraint mandates_check9 CHECK (((status !~~ '%PayrollProvider'::text) OR (product = 'CODB'::text))),
  constraint mandates_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint mandates_error_code_check CHECK ((error_code = ANY (ARRAY['recipientRefused'::text, 'deliveryFailed'::text]))),
  constraint mandates_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint mandates_payroll_link_id_customer_id_fkey FOREIGN KEY (payroll_link_id, customer_id) REFERENCES customer_payroll_providers(id, customer_id),
  constraint mandates_payroll_link_id_key UNIQUE (payroll_link_id),
  constraint mandates_pkey PRIMARY KEY (id),
  constraint mandates_product_check CHECK ((product = ANY (ARRAY['CODA'::text, 'CODB'::text]))),
  constraint mandates_renewal_status_check CHECK ((renewal_status = ANY (ARRAY['renewalOffered'::text, 'renewalDeclined'::text, 'renewalUndeliverable'::text]))),
  constraint mandates_signature_request_id_customer_id_fkey FOREIGN KEY (signature_request_id, customer_id) REFERENCES signature_requests(id, customer_id),
  constraint mandates_status_check CHECK ((status = ANY (ARRAY['created'::text, 'waitingForSigner'::text, 'expired'::text, 'rejectedBySigner'::text, 'waitingForBank'::text, 'confirmedByBank'::text, 'rejectedByBank'::text, 'unsupportedBank'::text, 'finished'::text, 'renewalRequired'::text, 'error'::text, 'waitingForPayrollProvider'::text, 'rejectedByPayrollProvider'::text, 'unsupportedPayrollProvider'::text])))
);
CREATE INDEX mandates_by_bank_name ON public.mandates USING btree (firm_id, bank_name_sort, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_created_on ON public.mandates USING btree (firm_id, created_on, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_customer_name ON public.mandates USING btree (firm_id, customer_name_sort, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_end ON public.mandates USING btree (closed_on) WHERE (closed_on IS NOT NULL);
CREATE INDEX mandates_by_enterprise_number ON public.mandates USING btree (firm_id, enterprise_number, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_iban ON public.mandates USING btree (firm_id, iban, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_payroll_provider ON public.mandates USING btree (firm_id, payroll_provider_code, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_status ON public.mandates USING btree (firm_id, status, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_by_updated_on ON public.mandates USING btree (firm_id, updated_on, id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_customer_id ON public.mandates USING btree (customer_id) WHERE (closed_on IS NULL);
CREATE INDEX mandates_of_customer ON public.mandates USING btree (customer_id);
CREATE INDEX mandates_of_firm ON public.mandates USING btree (firm_id, created_on, status);
CREATE INDEX mandates_signature_request_id ON public.mandates USING btree (signature_request_id);
CREATE INDEX mandates_to_renew ON public.mandates USING btree (valid_until) WHERE ((closed_on IS NULL) AND (status = 'finished'::text) AND (renewal_status IS NULL) AND (valid_until IS NOT NULL));
comment on column mandates.closed_on is 'when its account was disabled or its provider removed; it is no longer listed and does not change any more';
comment on column mandates.connector_id is 'the light connector of the bank when the mandate was created; such a mandate is a consent';
comment on column mandates.is_contested is 'another firm had the account or enterprise number, or something was delivered for it, before: deliveries are listed once the bank or provider confirmed it (D-66)';
comment on column mandates.payroll_link_id is 'the link from the customer to the payroll provider';
comment on column mandates.renewal_status is 'where a consent stands in the lifecycle that is finished and whose renewal was offered (D-24)';
comment on column mandates.signature_request_id is 'the latest signature request for it';
comment on column mandates.valid_until is 'last day of a consent, Europe/Brussels';

create table missing_statements (
  id text not null,
  customer_id text not null,
  iban text collate "C" not null,
  currency text collate "C" not null,
  extension text collate "C" not null,
  kind text not null,
  from_number integer,
  to_number integer,
  after_date date not null,
  before_date date,
  detected_on timestamp(3) with time zone not null,
  closed_on timestamp(3) with time zone,
  after_number integer,
  before_number integer,
  constraint missing_statements_check CHECK (((kind = 'gap'::text) = ((from_number IS NOT NULL) AND (to_number IS NOT NULL)))),
  constraint missing_statements_check1 CHECK ((from_number <= to_number)),
  constraint missing_statements_check2 CHECK (((kind = 'overdue'::text) = (before_date IS NULL))),
  constraint missing_statements_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint missing_statements_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint missing_statements_kind_check CHECK ((kind = ANY (ARRAY['gap'::text, 'balanceBreak'::text, 'overdue'::text]))),
  constraint missing_statements_pkey PRIMARY KEY (id)
);
CREATE INDEX missing_statements_of_customer ON public.missing_statements USING btree (customer_id);
CREATE INDEX missing_statements_open ON public.missing_statements USING btree (customer_id, iban, currency, extension) WHERE (closed_on IS NULL);
comment on table missing_statements is 'statements of an account that are missing in a row (D-30)';
comment on column missing_statements.after_number is 'number of the statement before them; null if it has none, or until the chain is followed after the upgrade';
comment on column missing_statements.before_date is 'date of the statement after them; null if overdue';
comment on column missing_statements.before_number is 'number of the statement after them, likewise';
comment on column missing_statements.closed_on is 'when they arrived';
comment on column missing_statements.detected_on is 'in the future for an account that will be overdue then, if no statement comes';

create table object_removals (
  object_key text not null,
  remove_after timestamp(3) with time zone not null,
  is_begun boolean not null default false,
  constraint object_removals_pkey PRIMARY KEY (object_key)
);
CREATE INDEX object_removals_remove_after ON public.object_removals USING btree (remove_after);
comment on table object_removals is 'objects to remove from the bucket of files; a row is inserted before the object is stored, and deleted by the transaction that refers to it';
comment on column object_removals.is_begun is 'true once the removal has begun: the object may be gone, so nothing can refer to it any more';

create table payroll_providers (
  code text not null,
  name_fr text not null,
  name_nl text not null,
  supported boolean not null,
  constraint payroll_providers_code_check CHECK ((code <> ''::text)),
  constraint payroll_providers_name_fr_check CHECK ((name_fr <> ''::text)),
  constraint payroll_providers_name_nl_check CHECK ((name_nl <> ''::text)),
  constraint payroll_providers_pkey PRIMARY KEY (code)
);
comment on column payroll_providers.supported is 'true if the service reads CODB files of the provider';

create unlogged table rate_limit_windows (
  caller text not null,
  number bigint not null,
  drawn bigint not null,
  constraint rate_limit_windows_drawn_check CHECK ((drawn > 0)),
  constraint rate_limit_windows_pkey PRIMARY KEY (caller)
);
comment on table rate_limit_windows is 'the latest window of each rate limit: of an API key for a firm, or of an API key alone (D-23)';
comment on column rate_limit_windows.drawn is 'calls of the window that processes have drawn; the last share may exceed the limit';
comment on column rate_limit_windows.number is 'number of the window since 1970, by the clock of the database';

create table refresh_tokens (
  token_hash bytea not null,
  user_id text not null,
  partner text not null,
  created_on timestamp(3) with time zone not null default now(),
  expires_on timestamp(3) with time zone not null,
  provider text not null default 'built-in'::text,
  provider_token bytea,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX refresh_tokens_user_id ON public.refresh_tokens USING btree (user_id);
comment on column refresh_tokens.provider is 'the identity provider of the sign-in; the token does not work with another one (D-56)';
comment on column refresh_tokens.provider_token is 'the refresh token of the identity provider, encrypted with a key that is derived from ours';
comment on column refresh_tokens.token_hash is 'SHA-256 of the token; the token itself is not stored (D-20)';

create table removed_statements (
  is_only boolean not null default true,
  dated_before date not null,
  constraint removed_statements_is_only_check CHECK (is_only),
  constraint removed_statements_pkey PRIMARY KEY (is_only)
);
comment on table removed_statements is 'one row: statements and payroll files dated before this day were removed because their retention ended, and are not listed again (D-63)';

create table request_mails (
  request_id text not null,
  delivery integer not null,
  firm_id text not null,
  customer_id text not null,
  address text not null,
  allowed_on timestamp(3) with time zone not null,
  sent_on timestamp(3) with time zone,
  reminder smallint not null default 0,
  reminders_due smallint not null default 0,
  constraint request_mails_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint request_mails_delivery_check CHECK ((delivery > 0)),
  constraint request_mails_pkey PRIMARY KEY (request_id, delivery, reminder),
  constraint request_mails_reminder_check CHECK (((reminder >= 0) AND (reminder <= 3))),
  constraint request_mails_reminders_due_check CHECK (((reminders_due >= 0) AND (reminders_due <= 3))),
  constraint request_mails_request_id_fkey FOREIGN KEY (request_id) REFERENCES signature_requests(id)
);
CREATE INDEX request_mails_by_customer ON public.request_mails USING btree (customer_id, allowed_on);
CREATE INDEX request_mails_by_firm ON public.request_mails USING btree (firm_id, allowed_on);
CREATE INDEX request_mails_of_mailbox ON public.request_mails USING btree (mailbox_of(address), allowed_on);
CREATE INDEX request_mails_to_remind ON public.request_mails USING btree (reminders_due, sent_on) WHERE ((reminder = 0) AND (reminders_due < 3));
comment on table request_mails is 'the mails of signature requests that the budgets allowed: one per address, and its reminders (D-36)';
comment on column request_mails.allowed_on is 'when it was counted in the budgets';
comment on column request_mails.delivery is 'number of the address within the request; an address that the contact gets back keeps it';
comment on column request_mails.reminder is '0 for the request, n for its nth reminder (D-25)';
comment on column request_mails.reminders_due is 'of a request: how many of its reminders have become due, whether or not they were sent';
comment on column request_mails.sent_on is 'when the mail server accepted it';

create table signature_evidence (
  request_id text not null,
  content text not null,
  sha256 bytea not null,
  constraint signature_evidence_pkey PRIMARY KEY (request_id),
  constraint signature_evidence_request_id_fkey FOREIGN KEY (request_id) REFERENCES signature_requests(id) ON DELETE CASCADE,
  constraint signature_evidence_sha256_check CHECK ((octet_length(sha256) = 32))
);
comment on table signature_evidence is 'what was shown and answered, when and by whom; rows never change (D-37)';
comment on column signature_evidence.content is 'JSON, exactly as it was hashed';
comment on column signature_evidence.sha256 is 'of content in UTF-8, also sent to signer and firm';

create table signature_links (
  token_hash bytea not null,
  request_id text not null,
  delivery integer not null,
  constraint signature_links_pkey PRIMARY KEY (token_hash),
  constraint signature_links_request_id_fkey FOREIGN KEY (request_id) REFERENCES signature_requests(id),
  constraint signature_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX signature_links_request_id ON public.signature_links USING btree (request_id);
comment on table signature_links is 'the links that were sent, by the SHA-256 of their token (D-20)';

create table signature_requests (
  id text not null,
  firm_id text not null,
  customer_id text not null,
  delivery integer not null default 1,
  failed_sendings integer not null default 0,
  created_on timestamp(3) with time zone not null,
  sent_on timestamp(3) with time zone,
  sent_to text,
  expires_on timestamp(3) with time zone,
  answer text,
  answered_on timestamp(3) with time zone,
  signer_name text,
  signer_address text,
  signer_user_agent text,
  last_failure text,
  failed_to text,
  waits_for text,
  renews_until date,
  constraint signature_requests_answer_check CHECK ((answer = ANY (ARRAY['signed'::text, 'declined'::text]))),
  constraint signature_requests_check CHECK (((sent_on IS NULL) = (expires_on IS NULL))),
  constraint signature_requests_check1 CHECK (((sent_to IS NULL) OR (sent_on IS NOT NULL))),
  constraint signature_requests_check2 CHECK (((answer IS NULL) = (answered_on IS NULL))),
  constraint signature_requests_check3 CHECK (((answer IS DISTINCT FROM 'signed'::text) OR (signer_name IS NOT NULL))),
  constraint signature_requests_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint signature_requests_delivery_check CHECK ((delivery > 0)),
  constraint signature_requests_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint signature_requests_id_customer_id_key UNIQUE (id, customer_id),
  constraint signature_requests_pkey PRIMARY KEY (id),
  constraint signature_requests_waits_for_check CHECK ((waits_for = ANY (ARRAY['customer'::text, 'firm'::text, 'address'::text])))
);
CREATE INDEX signature_requests_of_customer ON public.signature_requests USING btree (customer_id);
CREATE INDEX signature_requests_unanswered ON public.signature_requests USING btree (customer_id) WHERE (answer IS NULL);
CREATE INDEX signature_requests_unsent ON public.signature_requests USING btree (firm_id) WHERE ((sent_on IS NULL) OR (delivery > 1));
CREATE INDEX signature_requests_waiting ON public.signature_requests USING btree (firm_id, created_on, id) WHERE (waits_for IS NOT NULL);
comment on table signature_requests is 'one message to the contact of a customer, for the mandates created together';
comment on column signature_requests.delivery is 'number of the address it is sent to, from 1; links that were sent to an earlier address no longer work (D-14)';
comment on column signature_requests.expires_on is '30 days after it was sent first, or the end of the consents that it renews';
comment on column signature_requests.failed_sendings is 'number of failures to send it to the present address';
comment on column signature_requests.failed_to is 'the e-mail address of the last failed attempt';
comment on column signature_requests.last_failure is 'why the last of them failed, for the operator; without addresses';
comment on column signature_requests.renews_until is 'last day of the consents that it renews, after which it cannot be answered; null for other requests';
comment on column signature_requests.sent_on is 'when it was sent first';
comment on column signature_requests.sent_to is 'the e-mail address it was sent to last';
comment on column signature_requests.waits_for is 'whose budget of mails is used up, so that it is not sent yet (D-36)';

create table signing_keys (
  kid text not null,
  private_jwk jsonb,
  public_jwk jsonb not null,
  created_on timestamp(3) with time zone not null default now(),
  sealed_key bytea,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);
comment on column signing_keys.private_jwk is 'the private key in plain text: services of the former release sign with it, and this one too until signing-key rotate (D-59)';
comment on column signing_keys.sealed_key is 'the private key, encrypted with a key from SIGNING_KEY_SECRET; null for a key in plain text (D-59)';

create table upload_grants (
  id text not null,
  firm_id text not null,
  user_id text not null,
  api_key_id text not null,
  product text not null,
  prefix text collate "C" not null,
  access_level text not null,
  sees_customers text not null,
  issued_on timestamp(3) with time zone not null,
  upload_count integer not null default 0,
  trace jsonb,
  constraint upload_grants_access_level_check CHECK ((access_level = ANY (ARRAY['administrator'::text, 'user'::text]))),
  constraint upload_grants_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint upload_grants_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint upload_grants_pkey PRIMARY KEY (id),
  constraint upload_grants_prefix_key UNIQUE (prefix),
  constraint upload_grants_product_check CHECK ((product = ANY (ARRAY['CODA'::text, 'CODB'::text]))),
  constraint upload_grants_sees_customers_check CHECK ((sees_customers = ANY (ARRAY['all'::text, 'assigned'::text]))),
  constraint upload_grants_upload_count_check CHECK ((upload_count >= 0)),
  constraint upload_grants_user_id_firm_id_fkey FOREIGN KEY (user_id, firm_id) REFERENCES users(id, firm_id)
);
CREATE INDEX upload_grants_issued_on ON public.upload_grants USING btree (issued_on);
CREATE INDEX upload_grants_owner ON public.upload_grants USING btree (firm_id, user_id) INCLUDE (upload_count);
comment on table upload_grants is 'one row per issue of upload credentials, so that every upload has an owner (D-31)';
comment on column upload_grants.access_level is 'of the user when the credentials were issued; with sees_customers, it limits the customers whose files can be uploaded';
comment on column upload_grants.prefix is 'the only prefix under which the credentials can store objects; it ends with the id of the grant';
comment on column upload_grants.upload_count is 'number of its uploads, so that lists of uploads need not count them';

create table uploads (
  id text not null,
  product text not null,
  bucket text not null,
  object_key text not null,
  etag text not null,
  size bigint not null,
  received_on timestamp(3) with time zone not null,
  status text not null default 'received'::text,
  settled_on timestamp(3) with time zone,
  findings jsonb not null default '[]'::jsonb,
  source text not null,
  grant_id text,
  copy_removed_on timestamp(3) with time zone,
  checkpoint integer not null default 0,
  omitted_findings integer not null default 0,
  attempts integer not null default 0,
  due_on timestamp with time zone default now(),
  last_error text,
  has_copy boolean not null default false,
  sender text,
  constraint uploads_attempts_check CHECK ((attempts >= 0)),
  constraint uploads_bucket_object_key_etag_received_on_key UNIQUE (bucket, object_key, etag, received_on),
  constraint uploads_check CHECK (((status = 'received'::text) = (settled_on IS NULL))),
  constraint uploads_check1 CHECK (((grant_id IS NULL) OR (source = 'upload'::text))),
  constraint uploads_checkpoint_check CHECK ((checkpoint >= 0)),
  constraint uploads_findings_check CHECK ((jsonb_typeof(findings) = 'array'::text)),
  constraint uploads_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES upload_grants(id),
  constraint uploads_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint uploads_omitted_findings_check CHECK ((omitted_findings >= 0)),
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_product_check CHECK ((product = ANY (ARRAY['CODA'::text, 'CODB'::text]))),
  constraint uploads_received_is_due CHECK (((status <> 'received'::text) OR (due_on IS NOT NULL))),
  constraint uploads_size_check CHECK ((size >= 0)),
  constraint uploads_source_check CHECK ((source = ANY (ARRAY['upload'::text, 'bank'::text, 'payrollProvider'::text]))),
  constraint uploads_status_check CHECK ((status = ANY (ARRAY['received'::text, 'processed'::text, 'rejected'::text])))
);
CREATE INDEX uploads_by_arrival ON public.uploads USING btree (received_on, id);
CREATE INDEX uploads_due ON public.uploads USING btree (due_on) WHERE (due_on IS NOT NULL);
CREATE INDEX uploads_of_grant ON public.uploads USING btree (grant_id, received_on, id) INCLUDE (product, status);
CREATE INDEX uploads_rejected_copies ON public.uploads USING btree (settled_on) WHERE ((status = 'rejected'::text) AND (copy_removed_on IS NULL));
CREATE INDEX uploads_unprocessed ON public.uploads USING btree (grant_id, status, received_on, id) INCLUDE (attempts) WHERE (status <> 'processed'::text);
comment on table uploads is 'objects that were uploaded or delivered, with their outcome';
comment on column uploads.attempts is 'number of attempts to read it since the last progress, including one that is under way';
comment on column uploads.checkpoint is 'number of documents and refused parts of the file whose outcomes are recorded (D-38)';
comment on column uploads.copy_removed_on is 'when the removal of the copy and findings of a rejected upload was scheduled; it cannot be read again';
comment on column uploads.due_on is 'when it is next read, or removed from its bucket; null if nothing is left to do. By the clock of the database';
comment on column uploads.grant_id is 'null for a delivery, and for an object that no grant covers';
comment on column uploads.has_copy is 'true if a copy or findings may be kept under rejected/';
comment on column uploads.last_error is 'why the last attempt failed, for the operator';
comment on column uploads.omitted_findings is 'number of findings so far that are not kept';
comment on column uploads.received_on is 'when the storage received it';
comment on column uploads.sender is 'BIC or code of the bank or payroll provider that delivered it (D-66); null for an upload, and for what the former release recorded';
comment on column uploads.settled_on is 'when it was processed or rejected';
comment on column uploads.source is 'upload: stored with the credentials of a grant; bank, payrollProvider: delivered through the operator';
comment on index uploads_of_grant is 'counts and orders the uploads of a user without reading them';
comment on index uploads_unprocessed is 'counts and orders the few uploads that are not processed';

create table user_customers (
  user_id text not null,
  customer_id text not null,
  firm_id text not null,
  constraint user_customers_customer_id_firm_id_fkey FOREIGN KEY (customer_id, firm_id) REFERENCES customers(id, firm_id),
  constraint user_customers_pkey PRIMARY KEY (user_id, customer_id),
  constraint user_customers_user_id_firm_id_fkey FOREIGN KEY (user_id, firm_id) REFERENCES users(id, firm_id)
);
CREATE INDEX user_customers_customer_id ON public.user_customers USING btree (customer_id);
comment on table user_customers is 'the customers of users who see only assigned customers (D-18)';
comment on column user_customers.firm_id is 'ensures that user and customer belong to the same firm';

create table users (
  id text not null,
  firm_id text not null,
  username text not null,
  password_hash text,
  access_level text not null,
  sees_customers text not null,
  disabled_on timestamp(3) with time zone,
  created_on timestamp(3) with time zone not null default now(),
  updated_on timestamp(3) with time zone not null default now(),
  token_version integer not null default 1,
  account_issuer text,
  account_subject text,
  constraint users_access_level_check CHECK ((access_level = ANY (ARRAY['administrator'::text, 'user'::text, 'portalOnly'::text]))),
  constraint users_account_check CHECK (((account_issuer IS NULL) = (account_subject IS NULL))),
  constraint users_firm_id_fkey FOREIGN KEY (firm_id) REFERENCES firms(id),
  constraint users_id_check CHECK ((id ~ '^[0-9a-f]{24}$'::text)),
  constraint users_id_firm_id_key UNIQUE (id, firm_id),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_sees_customers_check CHECK ((sees_customers = ANY (ARRAY['all'::text, 'assigned'::text]))),
  constraint users_username_check CHECK ((username <> ''::text))
);
CREATE UNIQUE INDEX users_account_key ON public.users USING btree (account_issuer, account_subject) WHERE (disabled_on IS NULL);
CREATE INDEX users_firm_id ON public.users USING btree (firm_id);
CREATE UNIQUE INDEX users_username_key ON public.users USING btree (lower((username COLLATE "und-x-icu")));
comment on column users.account_issuer is 'the identity provider of the account that the user is bound to; null before the first sign-in (D-56)';
comment on column users.account_subject is 'the claim sub of that account';
comment on column users.password_hash is 'argon2id; null if the user was created for another identity provider than the built-in one (D-56)';
comment on column users.token_version is 'ID tokens carry it, and one with another version is refused (D-20)';

create view banks_by_code as
 SELECT c.code AS bank_code,
    b.id,
    b.bic,
    b.name,
    b.coda_supported,
    b.connector_id
   FROM (bank_codes c
     JOIN banks b ON ((b.id = c.bank_id)));
comment on view banks_by_code is 'the bank of each national bank code; every query joins accounts to banks by this view (D-17)';

CREATE OR REPLACE FUNCTION public.chain_around(of_customer text, of_iban text, of_currency text, of_extension text, first_date date, last_date date)
 RETURNS TABLE(statements json, missing json, after date, before date)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return query
  with of_account as not materialized (
       select f.id, f.arrival, f.year, f.statement_number, f.statement_date, f.created_on, f.old_balance,
              f.new_balance, f.hash_version
         from files f
        where (f.old_balance is not null or f.hash_version < 2) and f.customer_id = of_customer
          and f.iban = of_iban and f.currency = of_currency and f.extension = of_extension),
       around as (
       select f.*, row_number() over (partition by f.year, f.statement_number, f.statement_date, f.old_balance
                                      order by f.arrival desc) as version
         from ((select f.* from of_account f where f.statement_date < first_date
                 order by f.statement_date desc fetch first 60 rows with ties)
                union all
               (select f.* from of_account f where f.statement_date between first_date and last_date)
                union all
               (select f.* from of_account f where f.statement_date > last_date
                 order by f.statement_date fetch first 60 rows with ties)) f),
       chain as (
       select json_agg(json_build_array(f.id, f.year, f.statement_number, f.statement_date,
                         coalesce(f.created_on, f.statement_date), f.old_balance, f.new_balance)
                       order by f.arrival) as statements,
              min(f.statement_date) as first, max(f.statement_date) as last
         from (select f.* from around f where f.version <= 2 limit 5001) f
       having not bool_or(f.hash_version = 1) and count(*) <= 5000)
  select c.statements,
         (select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'detectedOn', m.detected_on,
                            'fromNumber', m.from_number, 'toNumber', m.to_number,
                            'after', m.after_date, 'afterNumber', m.after_number,
                            'before', m.before_date, 'beforeNumber', m.before_number))
            from missing_statements m
           where m.closed_on is null and m.customer_id = of_customer and m.iban = of_iban
             and m.currency = of_currency and m.extension = of_extension
             and (m.before_date is null or m.before_date between c.first and c.last
                                           and m.after_date between c.first and c.last)),
         case when exists (select from of_account f where f.statement_date < c.first) then c.first end,
         case when exists (select from of_account f where f.statement_date > c.last) then c.last end
    from chain c;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_uploads()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update upload_grants g set upload_count = g.upload_count + counted.uploads
    from (select grant_id, count(*) as uploads from new_uploads group by grant_id) as counted
   where g.id = counted.grant_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.end_id_tokens()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.token_version := old.token_version + 1;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.follow_acknowledgement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  followed record;
  before bigint;
  reached bigint;
begin
  for followed in
    select distinct n.api_key_id, n.user_id, f.customer_id, f.product
      from new_acknowledgements n join files f on f.id = n.file_id
     order by f.customer_id, f.product, n.api_key_id, n.user_id
  loop
    insert into acknowledged_arrivals (api_key_id, user_id, customer_id, product)
    values (followed.api_key_id, followed.user_id, followed.customer_id, followed.product)
    on conflict do nothing;
    select a.up_to into before from acknowledged_arrivals a
     where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
       and a.customer_id = followed.customer_id and a.product = followed.product
       for update;
    -- One statement, so that no file arrives between the two subqueries.
    select coalesce(
             (select f.arrival - 1 from files f
               where f.customer_id = followed.customer_id and f.product = followed.product
                 and f.arrival > before
                 and not exists (select from file_acknowledgements a
                                  where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
                                    and a.file_id = f.id)
               order by f.arrival limit 1),
             (select max(f.arrival) from files f
               where f.customer_id = followed.customer_id and f.product = followed.product))
      into reached;
    if reached > before then
      update acknowledged_arrivals a set up_to = reached
       where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
         and a.customer_id = followed.customer_id and a.product = followed.product;
    end if;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.follow_bank_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A code that is no longer assigned has no name. Mandates are locked by id, as everywhere.
  update mandates m set bank_name_sort = named.name_sort
    from (select m.id, lower(b.name collate "und-x-icu") as name_sort
            from mandates m
            left join banks_by_code b on b.bank_code = m.bank_code
           where m.bank_code is not null
             and m.bank_name_sort is distinct from lower(b.name collate "und-x-icu")
           order by m.id for no key update of m) named
   where m.id = named.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_erased_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('adx.removes_evidence', true) = 'yes' then
    return old;
  end if;
  raise 'evidence never changes, and is deleted only when its retention ends (D-63)';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    if not exists (select from signature_requests) then
      return null;
    end if;
  elsif tg_op = 'DELETE' and not exists (select from signature_requests where id = old.request_id) then
    return old;
  end if;
  raise 'evidence never changes, and is deleted only with its request (D-37)';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_former_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into former_names (firm_id, customer_id, name)
  select new.firm_id, new.id, former.name
    from unnest(array[old.name, old.contact_name, old.contact_email]) as former (name)
   where former.name <> all (array[new.name, new.contact_name, new.contact_email])
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.mailbox_of(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    rtrim(lower(address), '.'),
    '([^@])[+][^@]*@', '\1@'),
    '@googlemail[.]com$', '@gmail.com'),
    '@(me|mac)[.]com$', '@icloud.com'),
    '@(protonmail[.](com|ch)|pm[.]me)$', '@proton.me'),
    '[.](?=[^@]*@gmail[.]com$)|[._-](?=[^@]*@proton[.]me$)', '', 'g')
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.remember_link_holder()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'customers' then
    insert into link_holders (subject, holder)
    values (sha256(convert_to(new.enterprise_number, 'UTF8')), new.firm_id)
    on conflict do nothing;
  elsif tg_table_name = 'bank_accounts' then
    insert into link_holders (subject, holder)
    select sha256(convert_to(new.iban, 'UTF8')), c.firm_id from customers c where c.id = new.customer_id
    on conflict do nothing;
  else
    insert into link_holders (subject, holder)
    select sha256(convert_to(c.enterprise_number || ' ' || new.code, 'UTF8')), c.firm_id
      from customers c where c.id = new.customer_id
    on conflict do nothing;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.remove_audit_entries(before timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.require_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from signature_evidence where request_id = new.id) then
    raise 'an answer needs evidence (D-37)';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.take_arrival()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_arrivals as taken (customer_id, product, latest)
  values (new.customer_id, new.product, 1)
  on conflict (customer_id, product) do update set latest = taken.latest + 1
  returning latest into new.arrival;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.uncount_uploads()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update upload_grants g set upload_count = g.upload_count - counted.uploads
    from (select grant_id, count(*) as uploads from old_uploads group by grant_id) as counted
   where g.id = counted.grant_id;
  return null;
end $function$
;

CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_entries_not_truncated BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_removals_append_only BEFORE DELETE OR UPDATE ON audit_removals FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_removals_not_truncated BEFORE TRUNCATE ON audit_removals FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_seals_append_only BEFORE DELETE OR UPDATE ON audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER audit_seals_not_truncated BEFORE TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE TRIGGER count_uploads AFTER INSERT ON uploads REFERENCING NEW TABLE AS new_uploads FOR EACH STATEMENT EXECUTE FUNCTION count_uploads();

CREATE TRIGGER end_id_tokens BEFORE UPDATE OF password_hash, disabled_on ON users FOR EACH ROW EXECUTE FUNCTION end_id_tokens();

CREATE TRIGGER follow_acknowledgement AFTER INSERT ON file_acknowledgements REFERENCING NEW TABLE AS new_acknowledgements FOR EACH STATEMENT EXECUTE FUNCTION follow_acknowledgement();

CREATE TRIGGER follow_bank_names AFTER INSERT OR UPDATE ON bank_codes FOR EACH STATEMENT EXECUTE FUNCTION follow_bank_names();

CREATE TRIGGER keep_all_erased_evidence BEFORE TRUNCATE ON kept_evidence FOR EACH STATEMENT EXECUTE FUNCTION keep_erased_evidence();

CREATE TRIGGER keep_all_evidence AFTER TRUNCATE ON signature_evidence FOR EACH STATEMENT EXECUTE FUNCTION keep_evidence();

CREATE TRIGGER keep_erased_evidence BEFORE DELETE OR UPDATE ON kept_evidence FOR EACH ROW EXECUTE FUNCTION keep_erased_evidence();

CREATE TRIGGER keep_evidence BEFORE DELETE OR UPDATE ON signature_evidence FOR EACH ROW EXECUTE FUNCTION keep_evidence();

CREATE TRIGGER keep_former_names AFTER UPDATE OF name, contact_name, contact_email ON customers FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.contact_name IS DISTINCT FROM new.contact_name OR old.contact_email IS DISTINCT FROM new.contact_email) EXECUTE FUNCTION keep_former_names();

CREATE TRIGGER remember_holder AFTER INSERT ON bank_accounts FOR EACH ROW EXECUTE FUNCTION remember_link_holder();

CREATE TRIGGER remember_holder AFTER INSERT ON customer_payroll_providers FOR EACH ROW EXECUTE FUNCTION remember_link_holder();

CREATE TRIGGER remember_holder AFTER INSERT OR UPDATE OF enterprise_number ON customers FOR EACH ROW EXECUTE FUNCTION remember_link_holder();

CREATE TRIGGER require_evidence BEFORE UPDATE OF answer ON signature_requests FOR EACH ROW WHEN (old.answer IS NULL AND new.answer IS NOT NULL) EXECUTE FUNCTION require_evidence();

CREATE TRIGGER take_arrival BEFORE INSERT ON files FOR EACH ROW EXECUTE FUNCTION take_arrival();

CREATE TRIGGER uncount_uploads AFTER DELETE ON uploads REFERENCING OLD TABLE AS old_uploads FOR EACH STATEMENT EXECUTE FUNCTION uncount_uploads();
