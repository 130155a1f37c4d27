import { sqlMigration } from './migration.js';

const schema = `
drop index customers_by_name;
create index customers_by_name on customers (firm_id, name_sort, id) include (is_confidential)
  where archived_on is null;
comment on index customers_by_name is
  'has all that decides which customers a search returns to most users, so that deep pages and totals read only the index (D-39)';
`;

/** Deep pages that read only an index (D-39). */
export const fairRequests = sqlMigration('0019-fair-requests', schema);
