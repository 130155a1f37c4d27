import { sqlMigration } from './migration.js';

const schema = `
alter table signing_keys
  add column sealed_key bytea,
  alter column private_jwk drop not null;
-- Every copy of the database has these keys. They still verify tokens; a service creates one to sign with.
update signing_keys set private_jwk = null;
alter table signing_keys
  add constraint signing_keys_private_jwk_check check (private_jwk is null);
comment on column signing_keys.private_jwk is 'always null: services of earlier versions read it until they are restarted';
comment on column signing_keys.sealed_key is 'the private key, encrypted with a key from SIGNING_KEY_SECRET; null if the key no longer signs (D-59)';
`;

/** Private signing keys are encrypted. Those in plain text are deleted (D-59). */
export const sealedSigningKeys = sqlMigration('0049-sealed-signing-keys', schema);
