import { sqlMigration } from './migration.js';

const schema = `
create table request_mails (
  request_id   text not null references signature_requests,
  delivery     integer not null check (delivery > 0),
  firm_id      text not null,
  customer_id  text not null,
  address      text not null,
  allowed_on   timestamptz(3) not null,
  sent_on      timestamptz(3),
  primary key (request_id, delivery),
  foreign key (customer_id, firm_id) references customers (id, firm_id)
);
comment on table request_mails is
  'the mails of signature requests that the budgets of their customer and firm allowed, one per address (D-36)';
comment on column request_mails.delivery is
  'number of the address within the request; an address that the contact gets back keeps it';
comment on column request_mails.allowed_on is 'when it was counted in the budgets';
comment on column request_mails.sent_on is 'when the mail server accepted it';
create index request_mails_by_customer on request_mails (customer_id, allowed_on);
create index request_mails_by_firm on request_mails (firm_id, allowed_on);

alter table signature_requests add column waits_for text check (waits_for in ('customer', 'firm'));
comment on column signature_requests.waits_for is
  'whose budget of mails is used up, so that it is not sent yet (D-36)';
create index signature_requests_waiting on signature_requests (firm_id, created_on, id)
  where waits_for is not null;
`;

/** The mails of signature requests, which are counted, and the requests that wait for a budget. */
export const requestMails = sqlMigration('0013-request-mails', schema);
