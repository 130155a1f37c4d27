import { sqlMigration } from './migration.js';

const schema = `
create index uploads_unprocessed on uploads (grant_id, status, received_on, id) include (attempts)
  where status <> 'processed';
comment on index uploads_unprocessed is 'counts and orders the few uploads that are not processed';
`;

/** Lists of uploads find those that are not processed among many that are. */
export const unprocessedUploads = sqlMigration('0041-unprocessed-uploads', schema);
