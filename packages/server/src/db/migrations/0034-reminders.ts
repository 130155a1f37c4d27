import { sqlMigration } from './migration.js';

const schema = `
alter table request_mails
  add column reminder smallint not null default 0 check (reminder between 0 and 3),
  add column reminders_due smallint not null default 0 check (reminders_due between 0 and 3);
alter table request_mails drop constraint request_mails_pkey;
alter table request_mails add primary key (request_id, delivery, reminder);
comment on table request_mails is
  'the mails of signature requests that the budgets allowed: one per address, and its reminders (D-36)';
comment on column request_mails.reminder is '0 for the request, n for its nth reminder (D-25)';
comment on column request_mails.reminders_due is
  'of a request: how many of its reminders have become due, whether or not they were sent';

-- Nobody is reminded of what became due before this version.
update request_mails
   set reminders_due = (sent_on <= now() - interval '7 days')::int
                     + (sent_on <= now() - interval '14 days')::int
                     + (sent_on <= now() - interval '25 days')::int
 where sent_on <= now() - interval '7 days';
create index request_mails_to_remind on request_mails (reminders_due, sent_on)
  where reminder = 0 and reminders_due < 3;
`;

/** The reminders of signature requests. */
export const reminders = sqlMigration('0034-reminders', schema);
