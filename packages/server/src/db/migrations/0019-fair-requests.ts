import { sqlMigration } from './migration.js';

const schema = `
drop index customers_by_name;
create index customers_by_name on customers (firm_id, name_sort, id) include (is_confidential)
  where archived_on is null;
comment on index customers_by_name is
  'has all that decides which customers a search returns to most users, so that deep pages and totals read only the index (D-39)';

-- Unlogged, because it is written on the path of requests, and losing it in a crash only renews the limits.
create unlogged table rate_limit_windows (
  caller text primary key,
  number bigint not null,
  drawn bigint not null check (drawn > 0)
);
comment on table rate_limit_windows is
  'the latest window of each rate limit: of an API key for a firm, or of an API key alone (D-23)';
comment on column rate_limit_windows.number is 'number of the window since 1970, by the clock of the database';
comment on column rate_limit_windows.drawn is 'calls of the window that processes have drawn; the last share may exceed the limit';
`;

/** Deep pages that read only an index, and rate limits that all processes share (D-39). */
export const fairRequests = sqlMigration('0019-fair-requests', schema);
