import { sqlMigration } from './migration.js';

const schema = `
alter table upload_grants alter column prefix type text collate "C";
`;

/** Prefixes of grants in the order of keys in a bucket (D-38). */
export const prefixesInOrder = sqlMigration('0027-prefixes-in-order', schema);
