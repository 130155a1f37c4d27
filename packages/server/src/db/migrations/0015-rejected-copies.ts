import { sqlMigration } from './migration.js';

const schema = `
alter table uploads add column copy_removed_on timestamptz(3);
comment on column uploads.copy_removed_on is
  'when the removal of the copy and findings of a rejected upload was scheduled; it cannot be read again';
create index uploads_rejected_copies on uploads (settled_on) where status = 'rejected' and copy_removed_on is null;
`;

/** The end of the retention of rejected uploads (D-27). */
export const rejectedCopies = sqlMigration('0015-rejected-copies', schema);
