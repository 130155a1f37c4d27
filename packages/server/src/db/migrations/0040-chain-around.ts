import { sqlMigration } from './migration.js';

const schema = `
comment on column files.hash_version is
  '1 for the rule of former versions, which worker processes replace with 2, or with 0 if the object cannot be read (D-29)';

drop index files_in_chain;
create index files_in_chain on files (customer_id, iban, currency, extension, statement_date)
  where old_balance is not null or hash_version < 2;

create function chain_around(of_customer text, of_iban text, of_currency text, of_extension text,
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
       (select 'earlier' as part, f.*, 1 as version from of_account f where f.statement_date < first_date
         order by f.statement_date desc limit 60)
        union all
       (select 'new', f.*
          from (select f.*, row_number() over (
                         partition by f.year, f.statement_number, f.statement_date, f.old_balance
                         order by f.arrival desc) as version
                  from of_account f where f.statement_date between first_date and last_date) f
         where f.version <= 2 limit 5001)
        union all
       (select 'later', f.*, 1 from of_account f where f.statement_date > last_date
         order by f.statement_date limit 60)),
       chain as (
       select json_agg(json_build_array(f.id, f.year, f.statement_number, f.statement_date,
                         coalesce(f.created_on, f.statement_date), f.old_balance, f.new_balance)
                       order by f.arrival) as statements,
              min(f.statement_date) as first, max(f.statement_date) as last,
              count(*) filter (where f.part = 'earlier') = 60 as has_earlier,
              count(*) filter (where f.part = 'later') = 60 as has_later
         from around f
       having not bool_or(f.hash_version = 1) and count(*) filter (where f.part = 'new') <= 5000)
  select c.statements,
         (select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'detectedOn', m.detected_on,
                            'fromNumber', m.from_number, 'toNumber', m.to_number,
                            'after', m.after_date, 'before', m.before_date))
            from missing_statements m
           where m.closed_on is null and m.customer_id = of_customer and m.iban = of_iban
             and m.currency = of_currency and m.extension = of_extension
             and (m.before_date is null or m.before_date between c.first and c.last)),
         case when c.has_earlier then c.first end, case when c.has_later then c.last end
    from chain c;
end $$;
comment on function chain_around is
  'the statements of an account around new ones, and what is missing there (D-30); a function, because its plan is kept, and making it takes three times as long as executing it';
`;

/** The part of the chain of an account that a new statement may change (D-30). */
export const chainAround = sqlMigration('0040-chain-around', schema);
