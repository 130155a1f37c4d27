import { sqlMigration } from './migration.js';

const schema = `
create table link_holders (
  subject bytea not null,
  holder text not null,
  constraint link_holders_pkey primary key (subject, holder)
);
comment on table link_holders is
  'who ever had a customer with an enterprise number, an account or a payroll provider of a customer (D-66)';
comment on column link_holders.subject is
  'SHA-256 of the enterprise number, the IBAN, or the enterprise number and the code of the provider';
comment on column link_holders.holder is
  'id of the firm, "erased" once it is erased, or "delivered" if a bank or provider delivered for it before any firm had it';

create function remember_link_holder() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'customers' then
    insert into link_holders (subject, holder)
    values (sha256(convert_to(new.enterprise_number, 'UTF8')), new.firm_id)
    on conflict do nothing;
  elsif tg_table_name = 'bank_accounts' then
    insert into link_holders (subject, holder)
    select sha256(convert_to(new.iban, 'UTF8')), c.firm_id from customers c where c.id = new.customer_id
    on conflict do nothing;
  else
    insert into link_holders (subject, holder)
    select sha256(convert_to(c.enterprise_number || ' ' || new.code, 'UTF8')), c.firm_id
      from customers c where c.id = new.customer_id
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger remember_holder after insert or update of enterprise_number on customers
  for each row execute function remember_link_holder();
create trigger remember_holder after insert on bank_accounts
  for each row execute function remember_link_holder();
create trigger remember_holder after insert on customer_payroll_providers
  for each row execute function remember_link_holder();

insert into link_holders (subject, holder)
select sha256(convert_to(enterprise_number, 'UTF8')), firm_id from customers
union
select sha256(convert_to(a.iban, 'UTF8')), c.firm_id
  from bank_accounts a join customers c on c.id = a.customer_id
union
select sha256(convert_to(c.enterprise_number || ' ' || p.code, 'UTF8')), c.firm_id
  from customer_payroll_providers p join customers c on c.id = p.customer_id
on conflict do nothing;
insert into link_holders (subject, holder)
select sha256(convert_to(d.iban, 'UTF8')), 'delivered'
  from held_deliveries d
 where d.iban is not null and d.bank_account_id is null
   and not exists (select from link_holders h where h.subject = sha256(convert_to(d.iban, 'UTF8')))
on conflict do nothing;

alter table mandates add column is_contested boolean not null default false;
comment on column mandates.is_contested is
  'another firm had the account or enterprise number, or something was delivered for it, before: deliveries are listed once the bank or provider confirmed it (D-66)';
update mandates m set is_contested = true
 where exists (select from link_holders h
                where h.subject = sha256(convert_to(coalesce(m.iban, m.enterprise_number), 'UTF8'))
                  and h.holder <> m.firm_id);

alter table customers drop constraint customers_check;
alter table customers add constraint customers_check
  check (transfer_agreed_by is null or transferred_to is not null);
comment on column customers.transfer_agreed_by is
  'who agreed to it for the end customer, as the operator wrote it; null if it gave way to another firm (D-66)';
create index customers_by_created_on on customers (firm_id, created_on);
create index mandates_of_firm on mandates (firm_id, created_on, status);
`;

/** Another firm's evidence alone lists no delivery, and unsigned links give way (D-66). */
export const contestedLinks = sqlMigration('0058-contested-links', schema);
