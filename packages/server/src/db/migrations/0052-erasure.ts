import { sqlMigration } from './migration.js';

const schema = `
create table kept_evidence (
  request_id   text primary key,
  firm_id      text not null,
  customer_id  text not null,
  mandate_ids  text[] not null,
  content      text not null,
  sha256       bytea not null check (octet_length(sha256) = 32),
  ended_on     timestamptz(3) not null
);
comment on table kept_evidence is
  'evidence of customers that were erased, until its retention ends (D-63); without foreign keys, because nothing else of them is left';
comment on column kept_evidence.content is 'JSON, exactly as it was hashed';
comment on column kept_evidence.ended_on is 'when the last mandate that it covers ended';
create index kept_evidence_ended_on on kept_evidence (ended_on);

create function keep_erased_evidence() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('adx.removes_evidence', true) = 'yes' then
    return old;
  end if;
  raise 'evidence never changes, and is deleted only when its retention ends (D-63)';
end $$;
create trigger keep_erased_evidence before update or delete on kept_evidence
  for each row execute function keep_erased_evidence();
create trigger keep_all_erased_evidence before truncate on kept_evidence
  for each statement execute function keep_erased_evidence();

-- A former firm keeps its customer, and the new firm's one can be erased.
alter table customers drop constraint customers_transferred_to_fkey;
comment on column customers.transferred_to is
  'the customer of another firm that this one became when it was archived, also once that one is erased; its files stay listed (D-48)';

create function uncount_uploads() returns trigger language plpgsql as $$
begin
  update upload_grants g set upload_count = g.upload_count - counted.uploads
    from (select grant_id, count(*) as uploads from old_uploads group by grant_id) as counted
   where g.id = counted.grant_id;
  return null;
end $$;
create trigger uncount_uploads after delete on uploads
  referencing old table as old_uploads for each statement execute function uncount_uploads();
comment on column upload_grants.upload_count is 'number of its uploads, so that lists of uploads need not count them';
`;

/** Customers and firms can be erased (D-63). */
export const erasure = sqlMigration('0052-erasure', schema);
