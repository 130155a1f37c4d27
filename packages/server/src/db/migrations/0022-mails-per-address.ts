import { sqlMigration } from './migration.js';

const schema = `
alter table signature_requests drop constraint signature_requests_waits_for_check;
alter table signature_requests add constraint signature_requests_waits_for_check
  check (waits_for in ('customer', 'firm', 'address'));
create index request_mails_by_address on request_mails (lower(address), allowed_on);
create index signature_requests_unsent on signature_requests (firm_id) where sent_on is null or delivery > 1;

-- The mails of earlier versions count too, and their addresses get no second one.
insert into request_mails (request_id, delivery, firm_id, customer_id, address, allowed_on, sent_on)
select r.id, r.delivery, r.firm_id, r.customer_id, r.sent_to, r.sent_on, r.sent_on
  from signature_requests r
  join customers c on c.id = r.customer_id and c.contact_email = r.sent_to
 where r.sent_on is not null
on conflict do nothing;
`;

/** The budget of mails that an address gets from all customers and firms, and the turns of the firms. */
export const mailsPerAddress = sqlMigration('0022-mails-per-address', schema);
