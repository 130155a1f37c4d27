import { sqlMigration } from './migration.js';

const schema = `
alter table users alter column password_hash drop not null;
comment on column users.password_hash is
  'argon2id; null if the user was created for another identity provider than the built-in one (D-56)';

alter table refresh_tokens
  add column provider text not null default 'built-in',
  add column provider_token bytea;
comment on column refresh_tokens.provider is
  'the identity provider of the sign-in; the token does not work with another one (D-56)';
comment on column refresh_tokens.provider_token is
  'the refresh token of the identity provider, encrypted with a key that is derived from ours';
`;

/** Users may sign in through OpenID Connect or Cognito (D-56). */
export const identityProviders = sqlMigration('0047-identity-providers', schema);
