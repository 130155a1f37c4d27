import { sqlMigration } from './migration.js';

const schema = `
create index upload_grants_owner on upload_grants (firm_id, user_id);
create index uploads_of_grant on uploads (grant_id, received_on, id) include (product, status);
comment on index uploads_of_grant is 'counts and orders the uploads of a user without reading them';
drop index uploads_grant_id;
`;

/** The uploads that a user or an administrator may see (D-31). */
export const uploadsOfUsers = sqlMigration('0033-uploads-of-users', schema);
