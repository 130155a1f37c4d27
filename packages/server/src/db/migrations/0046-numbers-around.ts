import { sqlMigration } from './migration.js';

const schema = `
alter table missing_statements
  add column after_number integer,
  add column before_number integer;
comment on column missing_statements.after_number is
  'number of the statement before them; null if it has none, or until the chain is followed after the upgrade';
comment on column missing_statements.before_number is 'number of the statement after them, likewise';

create or replace function chain_around(of_customer text, of_iban text, of_currency text, of_extension text,
                                        first_date date, last_date date)
  returns table (statements json, missing json, after date, before date)
  language plpgsql stable as $$
begin
  return query
  with of_account as not materialized (
       select f.id, f.arrival, f.year, f.statement_number, f.statement_date, f.created_on, f.old_balance,
              f.new_balance, f.hash_version
         from files f
        where (f.old_balance is not null or f.hash_version < 2) and f.customer_id = of_customer
          and f.iban = of_iban and f.currency = of_currency and f.extension = of_extension),
       around as (
       select f.*, row_number() over (partition by f.year, f.statement_number, f.statement_date, f.old_balance
                                      order by f.arrival desc) as version
         from ((select f.* from of_account f where f.statement_date < first_date
                 order by f.statement_date desc fetch first 60 rows with ties)
                union all
               (select f.* from of_account f where f.statement_date between first_date and last_date)
                union all
               (select f.* from of_account f where f.statement_date > last_date
                 order by f.statement_date fetch first 60 rows with ties)) f),
       chain as (
       select json_agg(json_build_array(f.id, f.year, f.statement_number, f.statement_date,
                         coalesce(f.created_on, f.statement_date), f.old_balance, f.new_balance)
                       order by f.arrival) as statements,
              min(f.statement_date) as first, max(f.statement_date) as last
         from (select f.* from around f where f.version <= 2 limit 5001) f
       having not bool_or(f.hash_version = 1) and count(*) <= 5000)
  select c.statements,
         (select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'detectedOn', m.detected_on,
                            'fromNumber', m.from_number, 'toNumber', m.to_number,
                            'after', m.after_date, 'afterNumber', m.after_number,
                            'before', m.before_date, 'beforeNumber', m.before_number))
            from missing_statements m
           where m.closed_on is null and m.customer_id = of_customer and m.iban = of_iban
             and m.currency = of_currency and m.extension = of_extension
             and (m.before_date is null or m.before_date between c.first and c.last
                                           and m.after_date between c.first and c.last)),
         case when exists (select from of_account f where f.statement_date < c.first) then c.first end,
         case when exists (select from of_account f where f.statement_date > c.last) then c.last end
    from chain c;
end $$;
`;

/** Stores the numbers of the statements around missing ones, so that they are listed too (D-30). */
export const numbersAround = sqlMigration('0046-numbers-around', schema);
