import { sqlMigration } from './migration.js';

const schema = `
alter table users
  add column account_issuer text,
  add column account_subject text,
  add constraint users_account_check check ((account_issuer is null) = (account_subject is null));
comment on column users.account_issuer is
  'the identity provider of the account that the user is bound to; null before the first sign-in (D-56)';
comment on column users.account_subject is 'the claim sub of that account';
create unique index users_account_key on users (account_issuer, account_subject)
  where disabled_on is null;
`;

/** A user is bound to the account at the identity provider that signs in first (D-56). */
export const boundAccounts = sqlMigration('0055-bound-accounts', schema);
