/** Firms, users, API keys, tokens and the keys that sign them, repeated calls, limits and usage. */
export const identity = `
create table firms (
  id text primary key check (id ~ '^[0-9a-f]{24}$'),
  name text not null check (name <> ''),
  tenant text not null unique check (tenant ~ '^[a-z0-9-]+$'),
  codb_upload boolean not null default false,
  created_on timestamptz(3) not null default now(),
  email text check (email <> ''),
  phone text check (phone <> ''),
  disabled_on timestamptz(3)
);
comment on column firms.tenant is 'folder of the firm in the upload buckets; never changes (D-19)';
comment on column firms.email is
  'shown to the contacts of its customers; replies to its mails go there';
comment on column firms.disabled_on is
  'nobody signs in, nothing is listed for it, and its contacts are not asked to sign (D-60)';
create unique index firms_name_key on firms (lower(name collate "und-x-icu"));

create table users (
  id text not null check (id ~ '^[0-9a-f]{24}$'),
  firm_id text not null references firms,
  username text not null check (username <> ''),
  password_hash text,
  access_level text not null check (access_level in ('administrator', 'user', 'portalOnly')),
  sees_customers text not null check (sees_customers in ('all', 'assigned')),
  disabled_on timestamptz(3),
  created_on timestamptz(3) not null default now(),
  updated_on timestamptz(3) not null default now(),
  token_version integer not null default 1,
  account_issuer text,
  account_subject text,
  primary key (id, firm_id),
  constraint users_account_check check ((account_issuer is null) = (account_subject is null))
);
comment on column users.password_hash is
  'argon2id; null if the user was created for another identity provider (D-56)';
comment on column users.token_version is
  'ID tokens carry it, and one with another version is refused (D-20)';
comment on column users.account_issuer is
  'of the account that the user is bound to; null before the first sign-in (D-56)';
create unique index users_account_key
  on users (account_issuer, account_subject) where disabled_on is null;
create index users_firm_id on users (firm_id);
create unique index users_username_key on users (lower(username collate "und-x-icu"));

create table api_keys (
  id text primary key check (id ~ '^[0-9a-f]{24}$'),
  partner text not null check (partner <> ''),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  key_hint text not null,
  scopes text[] not null,
  created_on timestamptz(3) not null default now(),
  revoked_on timestamptz(3),
  old_hash bytea unique check (octet_length(old_hash) = 32),
  old_hint text,
  old_until timestamptz(3),
  check (num_nulls(old_hash, old_hint, old_until) = any (array[0, 3]))
);
comment on column api_keys.key_hash is 'SHA-256 (D-20)';
comment on column api_keys.old_hash is
  'of the secret before the last rotation, which works until old_until (D-35)';

create table refresh_tokens (
  token_hash bytea not null check (octet_length(token_hash) = 32),
  firm_id text not null,
  user_id text not null,
  partner text not null,
  created_on timestamptz(3) not null default now(),
  expires_on timestamptz(3) not null,
  provider text not null default 'built-in',
  provider_token bytea,
  primary key (token_hash, firm_id),
  foreign key (user_id, firm_id) references users (id, firm_id)
);
comment on column refresh_tokens.token_hash is 'SHA-256 (D-20)';
comment on column refresh_tokens.provider is
  'of the sign-in; the token does not work with another one (D-56)';
comment on column refresh_tokens.provider_token is
  'of the identity provider, encrypted with a key that is derived from our token';
create index refresh_tokens_user_id on refresh_tokens (user_id);

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  created_on timestamptz(3) not null default now(),
  sealed_key bytea not null
);
comment on column signing_keys.sealed_key is
  'the private key, encrypted with a key from SIGNING_KEY_SECRET (D-59)';

create table idempotent_answers (
  firm_id text not null,
  api_key_id text not null references api_keys,
  user_id text not null,
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  answer text not null,
  created_on timestamptz not null,
  primary key (api_key_id, user_id, key_hash, firm_id),
  foreign key (user_id, firm_id) references users (id, firm_id)
);
comment on table idempotent_answers is
  'kept for 24 hours, written in the transaction of the effect (D-43)';
comment on column idempotent_answers.fingerprint is 'SHA-256 of operation, path, query and body';
comment on column idempotent_answers.answer is
  'the body of the response as JSON, in the order in which it was sent';
create index idempotent_answers_by_age on idempotent_answers (created_on);

create unlogged table rate_limit_windows (
  caller text primary key,
  number bigint not null,
  drawn bigint not null check (drawn > 0)
);
comment on table rate_limit_windows is
  'the latest window of an API key for a firm, or of an API key alone (D-23)';
comment on column rate_limit_windows.number is 'since 1970, by the clock of the database';
comment on column rate_limit_windows.drawn is
  'calls that processes have drawn; the last share may exceed the limit';

create table api_usage (
  day date not null,
  api_key_id text not null references api_keys,
  operation text not null check (operation <> ''),
  field text not null,
  value text not null,
  calls bigint not null check (calls > 0),
  primary key (day, api_key_id, operation, field, value),
  check (value = '' or field <> '')
);
comment on table api_usage is
  'how often an API key used an operation, a field or a value, on a day in UTC (D-41)';
comment on column api_usage.field is 'such as body.address.street2; empty for the operation itself';
comment on column api_usage.value is 'of an enumeration, as JSON; empty for the field itself';

create function end_id_tokens() returns trigger language plpgsql as $$
begin
  new.token_version := old.token_version + 1;
  return new;
end $$;

create trigger end_id_tokens before update of password_hash, disabled_on on users
  for each row execute function end_id_tokens();
`;
