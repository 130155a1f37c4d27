import { sqlMigration } from './migration.js';

const schema = `
alter table signing_keys
  add column sealed_key bytea,
  alter column private_jwk drop not null;
comment on column signing_keys.private_jwk is
  'the private key in plain text: services of the former release sign with it, and this one too until signing-key rotate (D-59)';
comment on column signing_keys.sealed_key is 'the private key, encrypted with a key from SIGNING_KEY_SECRET; null for a key in plain text (D-59)';
`;

/** Private signing keys are encrypted. Those in plain text stay until they are rotated (D-59). */
export const sealedSigningKeys = sqlMigration('0049-sealed-signing-keys', schema);
