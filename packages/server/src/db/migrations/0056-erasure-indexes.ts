import { sqlMigration } from './migration.js';

const schema = `
create index if not exists kept_evidence_of_firm on kept_evidence (firm_id, request_id);
create index if not exists mandates_of_customer on mandates (customer_id);
create index if not exists signature_requests_of_customer on signature_requests (customer_id);
`;

/** Erasing a customer scans no table of mandates (D-63). */
export const erasureIndexes = sqlMigration('0056-erasure-indexes', schema);
