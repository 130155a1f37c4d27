import { sqlMigration } from './migration.js';

const schema = `
alter table uploads add column sender text;
comment on column uploads.sender is
  'BIC or code of the bank or payroll provider that delivered it (D-66); null for an upload, and for what the former release recorded';
alter table files add column is_delivered boolean;
comment on column files.is_delivered is
  'true if a bank or payroll provider delivered it first, false if it was uploaded; null for what the former release listed';
`;

/** A delivery names its sender (D-66), and a file whether it was delivered (D-09). */
export const senders = sqlMigration('0060-senders', schema);
