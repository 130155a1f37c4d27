import { sqlMigration } from './migration.js';

// `or replace`, because the view was part of the second migration for a while.
const schema = `
create or replace view banks_by_code as
  select c.code as bank_code, b.* from bank_codes c join banks b on b.id = c.bank_id;
comment on view banks_by_code is
  'the bank of each national bank code; every query joins accounts to banks by this view (D-17)';

create or replace function follow_bank_names() returns trigger language plpgsql as $$
begin
  -- A code that is no longer assigned has no name. Mandates are locked by id, as everywhere.
  update mandates m set bank_name_sort = named.name_sort
    from (select m.id, lower(b.name collate "und-x-icu") as name_sort
            from mandates m
            left join banks_by_code b on b.bank_code = m.bank_code
           where m.bank_code is not null
             and m.bank_name_sort is distinct from lower(b.name collate "und-x-icu")
           order by m.id for no key update of m) named
   where m.id = named.id;
  return null;
end $$;
`;

/** The view of banks by code, and the function that follows their names, which now locks as other updates do. */
export const banksByCode = sqlMigration('0011-banks-by-code', schema);
