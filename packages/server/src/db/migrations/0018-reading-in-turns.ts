import { sqlMigration } from './migration.js';

const schema = `
alter table uploads
  add column checkpoint integer not null default 0 check (checkpoint >= 0),
  add column omitted_findings integer not null default 0 check (omitted_findings >= 0),
  add column attempts integer not null default 0 check (attempts >= 0),
  add column due_on timestamptz,
  add column last_error text,
  add column has_copy boolean not null default false;

-- Uploads keep the attempts of their jobs, which no task of this version runs.
update uploads set due_on = now() where status = 'received';
update uploads u set attempts = j.attempts, due_on = j.run_at, last_error = j.last_error
  from graphile_worker.jobs j
 where u.status = 'received' and j.key = 'readUpload:' || u.id and j.last_error is not null;
delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
 where t.id = j.task_id and t.identifier = 'readUpload';
update uploads set has_copy = true where status <> 'processed' and copy_removed_on is null;

alter table uploads
  alter column due_on set default now(),
  add constraint uploads_received_is_due check (status <> 'received' or due_on is not null);
comment on column uploads.checkpoint is
  'number of documents and refused parts of the file whose outcomes are recorded (D-38)';
comment on column uploads.omitted_findings is 'number of findings so far that are not kept';
comment on column uploads.attempts is
  'number of attempts to read it since the last progress, including one that is under way';
comment on column uploads.due_on is
  'when it is next read, or removed from its bucket; null if nothing is left to do. By the clock of the database';
comment on column uploads.last_error is 'why the last attempt failed, for the operator';
comment on column uploads.has_copy is 'true if a copy or findings may be kept under rejected/';
create index uploads_due on uploads (due_on) where due_on is not null;
drop index uploads_to_process;
`;

/** Progress and attempts of uploads, which workers read in turns. */
export const readingInTurns = sqlMigration('0018-reading-in-turns', schema);
