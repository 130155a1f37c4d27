import { sqlMigration } from './migration.js';

const schema = `
create index if not exists file_acknowledgements_of_file on file_acknowledgements (file_id);
create index if not exists mandates_of_customer on mandates (customer_id);
create index if not exists signature_requests_of_customer on signature_requests (customer_id);
create index if not exists bank_accounts_of_customer on bank_accounts (customer_id);
create index if not exists payroll_providers_of_customer on customer_payroll_providers (customer_id);
create index if not exists missing_statements_of_customer on missing_statements (customer_id);
create index if not exists acknowledged_arrivals_of_customer on acknowledged_arrivals (customer_id);
create index if not exists kept_evidence_of_firm on kept_evidence (firm_id, request_id);
`;

/** Indexes for the rows that are deleted with a file or a customer, and for the export of kept evidence (D-63). */
export const erasureIndexes = sqlMigration('0056-erasure-indexes', schema);
