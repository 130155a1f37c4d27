import { sqlMigration } from './migration.js';

const schema = `
create table firms (
  id           text primary key check (id ~ '^[0-9a-f]{24}$'),
  name         text not null check (name <> ''),
  tenant       text not null unique check (tenant ~ '^[a-z0-9-]+$'),
  codb_upload  boolean not null default false,
  created_on   timestamptz(3) not null default now()
);
comment on column firms.tenant is 'folder of the firm in the upload buckets; never changes (D-19)';

create table users (
  id              text primary key check (id ~ '^[0-9a-f]{24}$'),
  firm_id         text not null references firms,
  username        text not null check (username <> ''),
  password_hash   text not null,
  access_level    text not null check (access_level in ('administrator', 'user', 'portalOnly')),
  sees_customers  text not null check (sees_customers in ('all', 'assigned')),
  disabled_on     timestamptz(3),
  created_on      timestamptz(3) not null default now(),
  updated_on      timestamptz(3) not null default now(),
  unique (id, firm_id)
);
create unique index users_username_key on users (lower(username collate "und-x-icu"));
create index users_firm_id on users (firm_id);

create table api_keys (
  id          text primary key check (id ~ '^[0-9a-f]{24}$'),
  partner     text not null check (partner <> ''),
  key_hash    bytea not null unique check (octet_length(key_hash) = 32),
  key_hint    text not null,
  scopes      text[] not null,
  created_on  timestamptz(3) not null default now(),
  revoked_on  timestamptz(3)
);
comment on column api_keys.key_hash is 'SHA-256 of the key; the key itself is not stored (D-20)';

create table refresh_tokens (
  token_hash  bytea primary key check (octet_length(token_hash) = 32),
  user_id     text not null references users,
  partner     text not null,
  created_on  timestamptz(3) not null default now(),
  expires_on  timestamptz(3) not null
);
comment on column refresh_tokens.token_hash is 'SHA-256 of the token; the token itself is not stored (D-20)';
create index refresh_tokens_user_id on refresh_tokens (user_id);

create table signing_keys (
  kid          text primary key,
  private_jwk  jsonb not null,
  public_jwk   jsonb not null,
  created_on   timestamptz(3) not null default now()
);
`;

/** Firms, their users, and the credentials of users and partners. */
export const identity = sqlMigration('0001-identity', schema);
