import { sqlMigration } from './migration.js';

const schema = `
alter table signature_requests add column failed_to text;
comment on column signature_requests.failed_to is 'the e-mail address of the last failed attempt';
`;

/** The address to which a signature request could not be sent. */
export const failedTo = sqlMigration('0010-failed-to', schema);
