import { sqlMigration } from './migration.js';

const schema = `
-- Files that are being listed are renamed too, and none is listed before there is the index.
lock table files in share row exclusive mode;
-- Of files with the same name, all but the first get their id into it.
update files f
   set file_name = regexp_replace(f.file_name, '(\\.[^.]*|)$', '_' || f.id || '\\1')
  from (select id, row_number() over (partition by firm_id, lower(file_name collate "C") order by id) as place
          from files) as named
 where named.id = f.id and named.place > 1;
create unique index files_by_name on files (firm_id, lower(file_name collate "C"));
comment on index files_by_name is
  'file names are unique within a firm, whatever the case of their letters, because programs save files under them; also counts the versions of a name';
`;

/** A file can be saved under its name, beside all others of the firm (D-50). */
export const uniqueFileNames = sqlMigration('0045-unique-file-names', schema);
