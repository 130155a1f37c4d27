import { sqlMigration } from './migration.js';

const schema = `
alter table firms add column email text check (email <> '');
alter table firms add column phone text check (phone <> '');
comment on column firms.email is 'shown to the contacts of its customers; replies to its mails go there';
comment on column firms.phone is 'shown to the contacts of its customers, as the operator wrote it';
`;

/** The e-mail address and phone number of a firm. */
export const firmContact = sqlMigration('0014-firm-contact', schema);
