import { sqlMigration } from './migration.js';

const schema = `
-- 'present' by default, because a process of the version before stores the PDF before it lists a file.
alter table files add column pdf_status text not null default 'present'
  constraint files_pdf_status_check check (pdf_status in ('present', 'missing', 'failed'));
comment on column files.pdf_status is 'missing until the file has been printed; failed if it cannot be printed (D-38)';
create index files_without_pdf on files (id) where pdf_status = 'missing';
`;

/** Files are listed before their PDF is rendered. */
export const printAfterListing = sqlMigration('0017-print-after-listing', schema);
