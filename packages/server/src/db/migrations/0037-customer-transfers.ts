import { sqlMigration } from './migration.js';

const schema = `
-- Deferred, because the number of the old customer has to be free before the new one can have it.
alter table customers
  add column transferred_to text references customers deferrable initially deferred,
  add column transfer_agreed_by text check (transfer_agreed_by <> ''),
  add check ((transferred_to is null) = (transfer_agreed_by is null)),
  add check (transferred_to is null or archived_on is not null);
comment on column customers.transferred_to is
  'the customer of another firm that this one became when it was archived; its files stay listed (D-48)';
comment on column customers.transfer_agreed_by is 'who agreed to it for the end customer, as the operator wrote it';

drop index customers_by_name;
create index customers_by_name on customers (firm_id, name_sort, id) include (is_confidential, archived_on)
  where archived_on is null or transferred_to is not null;
comment on index customers_by_name is
  'has all that decides which customers a search returns to most users, so that deep pages and totals read only the index (D-39); also for the lists of files';
`;

/** Customers that the operator transferred to another firm (D-48). */
export const customerTransfers = sqlMigration('0037-customer-transfers', schema);
