import { sqlMigration } from './migration.js';

const schema = `
comment on column files.hash_version is
  '1 for the rule of former versions, which worker processes replace with 2, or with 0 if the object cannot be read (D-29)';

drop index files_in_chain;
create index files_in_chain on files (customer_id, iban, currency, extension, statement_date)
  where old_balance is not null or hash_version < 2;
`;

/** Files whose balances are not known are in the chains of their accounts (D-30). */
export const chainsWithFormerFiles = sqlMigration('0040-chains-with-former-files', schema);
