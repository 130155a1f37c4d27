import { sqlMigration } from './migration.js';

const schema = `
-- No firm is created or renamed before there is the index.
lock table firms in share row exclusive mode;
-- Of firms with the same name, all but the oldest get the end of their tenant into it.
update firms f
   set name = f.name || ' (' || right(f.tenant, 6) || ')'
  from (select id, row_number() over (partition by lower(name collate "und-x-icu")
                                      order by created_on, id) as place
          from firms) as named
 where named.id = f.id and named.place > 1;
create unique index firms_name_key on firms (lower(name collate "und-x-icu"));
`;

/** Two firms cannot be mistaken for each other by their names (D-60). */
export const uniqueFirmNames = sqlMigration('0051-unique-firm-names', schema);
