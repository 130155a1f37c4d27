import { sqlMigration } from './migration.js';

const schema = `
-- Before the grants, as scans lock them.
lock table uploads in share row exclusive mode;
alter table upload_grants add column upload_count integer not null default 0 check (upload_count >= 0);
comment on column upload_grants.upload_count is 'number of its uploads, which are never deleted, so that lists of uploads need not count them';
update upload_grants g set upload_count = counted.uploads
  from (select grant_id, count(*) as uploads from uploads group by grant_id) as counted
 where g.id = counted.grant_id;

create function count_uploads() returns trigger language plpgsql as $$
begin
  update upload_grants g set upload_count = g.upload_count + counted.uploads
    from (select grant_id, count(*) as uploads from new_uploads group by grant_id) as counted
   where g.id = counted.grant_id;
  return null;
end $$;
create trigger count_uploads after insert on uploads
  referencing new table as new_uploads for each statement execute function count_uploads();

drop index upload_grants_owner;
create index upload_grants_owner on upload_grants (firm_id, user_id) include (upload_count);
`;

/** Lists of uploads show how many there are, without counting them. */
export const countedUploads = sqlMigration('0039-counted-uploads', schema);
