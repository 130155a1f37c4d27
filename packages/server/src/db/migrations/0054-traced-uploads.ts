import { sqlMigration } from './migration.js';

const schema = `
-- The trace of the call that issued the credentials, as headers: null without traces.
alter table upload_grants add column trace jsonb;
`;

/** The reading of an upload belongs to the trace of the call for its credentials (D-55). */
export const tracedUploads = sqlMigration('0054-traced-uploads', schema);
