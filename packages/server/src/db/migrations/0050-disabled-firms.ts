import { sqlMigration } from './migration.js';

const schema = `
alter table firms add column disabled_on timestamptz(3);
comment on column firms.disabled_on is
  'its users cannot sign in, nothing is listed for it, and its contacts are not asked to sign (D-60)';
`;

/** Firms can be disabled (D-60). */
export const disabledFirms = sqlMigration('0050-disabled-firms', schema);
