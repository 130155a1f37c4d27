import { sqlMigration } from './migration.js';

const schema = `
create table former_names (
  firm_id text not null,
  customer_id text not null,
  name text not null,
  primary key (firm_id, customer_id, name),
  foreign key (customer_id, firm_id) references customers (id, firm_id) on delete cascade);

comment on table former_names is
  'names, contacts and e-mail addresses that customers had before, so that erasing finds them in names of files and in findings (D-63)';

create function keep_former_names() returns trigger language plpgsql as $$
begin
  insert into former_names (firm_id, customer_id, name)
  select new.firm_id, new.id, former.name
    from unnest(array[old.name, old.contact_name, old.contact_email]) as former (name)
   where former.name <> all (array[new.name, new.contact_name, new.contact_email])
  on conflict do nothing;
  return null;
end $$;

create trigger keep_former_names after update of name, contact_name, contact_email on customers
  for each row
  when ((old.name, old.contact_name, old.contact_email)
        is distinct from (new.name, new.contact_name, new.contact_email))
  execute function keep_former_names();
`;

/** Former names, contacts and e-mail addresses of customers, until these are erased (D-63). */
export const formerNames = sqlMigration('0062-former-names', schema);
