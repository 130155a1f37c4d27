import { sqlMigration } from './migration.js';

const schema = `
create index request_mails_by_mailbox
  on request_mails (regexp_replace(lower(address), '([^@])[+][^@]*@', '\\1@'), allowed_on);
drop index request_mails_by_address;
`;

/** The budget of mails that a mailbox gets at all its addresses. */
export const mailsPerMailbox = sqlMigration('0025-mails-per-mailbox', schema);
