import { sqlMigration } from './migration.js';

const schema = `
create table object_removals (
  object_key    text primary key,
  remove_after  timestamptz(3) not null,
  is_begun      boolean not null default false
);
comment on table object_removals is
  'objects to remove from the bucket of files; a row is inserted before the object is stored, and deleted by the transaction that refers to it';
comment on column object_removals.is_begun is 'true once the removal has begun: the object may be gone, so nothing can refer to it any more';
create index object_removals_remove_after on object_removals (remove_after);

insert into object_removals select object_key, settled_on from held_deliveries where settled_on is not null;
delete from held_deliveries where settled_on is not null;
drop index held_deliveries_once;
alter table held_deliveries drop column settled_on;
create unique index held_deliveries_once on held_deliveries
  (content_hash, coalesce(bank_account_id, payroll_link_id, ''));
comment on index held_deliveries_once is 'a repeated delivery is held once';
`;

/** Objects that are removed unless a file or delivery refers to them in time. */
export const objectRemovals = sqlMigration('0008-object-removals', schema);
