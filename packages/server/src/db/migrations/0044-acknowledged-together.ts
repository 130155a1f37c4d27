import { sqlMigration } from './migration.js';

const schema = `
create or replace function follow_acknowledgement() returns trigger language plpgsql as $$
declare
  followed record;
  before bigint;
  reached bigint;
begin
  for followed in
    select distinct n.api_key_id, n.user_id, f.customer_id, f.product
      from new_acknowledgements n join files f on f.id = n.file_id
     order by f.customer_id, f.product, n.api_key_id, n.user_id
  loop
    insert into acknowledged_arrivals (api_key_id, user_id, customer_id, product)
    values (followed.api_key_id, followed.user_id, followed.customer_id, followed.product)
    on conflict do nothing;
    select a.up_to into before from acknowledged_arrivals a
     where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
       and a.customer_id = followed.customer_id and a.product = followed.product
       for update;
    -- One statement, so that no file arrives between the two subqueries.
    select coalesce(
             (select f.arrival - 1 from files f
               where f.customer_id = followed.customer_id and f.product = followed.product
                 and f.arrival > before
                 and not exists (select from file_acknowledgements a
                                  where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
                                    and a.file_id = f.id)
               order by f.arrival limit 1),
             (select max(f.arrival) from files f
               where f.customer_id = followed.customer_id and f.product = followed.product))
      into reached;
    if reached > before then
      update acknowledged_arrivals a set up_to = reached
       where a.api_key_id = followed.api_key_id and a.user_id = followed.user_id
         and a.customer_id = followed.customer_id and a.product = followed.product;
    end if;
  end loop;
  return null;
end $$;
comment on function follow_acknowledgement() is
  'advances up_to once for each customer; acknowledgements of one caller and customer wait for each other';
create or replace trigger follow_acknowledgement after insert on file_acknowledgements
  referencing new table as new_acknowledgements for each statement execute function follow_acknowledgement();
`;

/** Many files of a customer are acknowledged at once (D-49). */
export const acknowledgedTogether = sqlMigration('0044-acknowledged-together', schema);
