import type { Knex } from 'knex';
import { balances } from '../uploads/bank-statement.js';
import { withoutTriggers } from './seed-files.js';

/** The files of each customer: every tenth is of a payroll provider. */
export const filesOfEach = 250;

const ofCoda = filesOfEach - filesOfEach / 10;

/** The files for which there is one entry in the audit trail. */
const filesOfEntry = 10;

/**
 * Inserts ten years of files of each customer, which the statements of `bank-statement.ts`
 * continue: day after day, as they come, so that the files of a customer lie apart. All
 * administrators have acknowledged them. Indexes are made afterwards, which is faster, and nothing
 * is written to the WAL, because the tables are truncated in the same transaction.
 */
export async function seedFileHistory(knex: Knex): Promise<void> {
  await withoutTriggers(knex, async (trx) => {
    await trx.raw(`set local maintenance_work_mem = '1GB'`);
    await refill(trx, 'files', async () => {
      for (let n = 1; n <= filesOfEach; n += 1) await trx.raw(insertion(n), bindings(n));
    });
    await trx.raw(
      `insert into file_arrivals (firm_id, customer_id, product, latest)
       select firm_id, id, product, latest
         from customers cross join (values ('CODA', :coda::bigint), ('CODB', :codb::bigint)) as of (product, latest)`,
      { coda: ofCoda, codb: filesOfEach - ofCoda },
    );
    await refill(trx, 'audit_entries', () => trx.raw(entries));
    await trx.raw(
      `insert into audit_seals (number, sealed_on, entries, previous, hash)
       select 1, now(), int8multirange(int8range(1, count(*), '[]')), sha256(''), sha256('')
         from audit_entries`,
    );
    await trx.raw('update audit_sealing set unsettled = unsettled - s.entries from audit_seals s');
  });
  await knex.raw(`select setval('audit_entries_id_seq', (select max(id) from audit_entries))`);
}

/** Inserts the nth file of all customers, two weeks after the one before. */
function insertion(n: number): string {
  const of =
    n % 10 === 0
      ? {
          columns: 'payroll_provider, account_period',
          values: `'SD Worx', to_char(day, 'YYYYMM')::integer`,
          name: `c.enterprise_number || to_char(day, '"_SD Worx_"YYYYMM_') || number || '.xml'`,
        }
      : {
          columns: 'iban, currency, extension, created_on, old_balance, new_balance',
          values: `a.iban, 'EUR', '', day, :old::bigint, :new::bigint`,
          name: `a.iban || to_char(day, '"_EUR_"YYYY_') || number || '.cod'`,
        };
  return `
    insert into files (id, product, firm_id, customer_id, arrival, year, statement_number,
           statement_date, processed_on, file_name, content_hash, is_delivered, upload_id, ${of.columns})
    select seconds || substr(md5(c.id || day), 1, 16), :product, c.firm_id, c.id, :arrival::bigint,
           extract(year from day), number, day, day + interval '1 day', ${of.name},
           sha256((c.id || day)::bytea), true, seconds || substr(md5(c.firm_id), 1, 16), ${of.values}
      from customers c join bank_accounts a on a.customer_id = c.id and a.firm_id = c.firm_id
     cross join (select date '2016-01-01' + :n::integer * 14 as day) dated
     cross join lateral (select extract(doy from day)::integer as number,
                                to_hex(extract(epoch from day)::integer) as seconds) numbered`;
}

function bindings(n: number) {
  const ofCodb = Math.floor(n / 10);
  // The last statement ends where the next one begins.
  const after = BigInt(ofCoda - (n - ofCodb));
  return {
    ...(n % 10 === 0
      ? { product: 'CODB', arrival: ofCodb }
      : { product: 'CODA', arrival: n - ofCodb }),
    old: (balances.first - (after + 1n) * balances.change).toString(),
    new: (balances.first - after * balances.change).toString(),
    n,
  };
}

const entries = `
  insert into audit_entries (id, occurred_on, request_id, firm_id, user_id, api_key_id, customer_id,
         object_id, actor, action, outcome, address)
  overriding system value
  select row_number() over (), f.processed_on, gen_random_uuid(), f.firm_id, u.id, k.id,
         f.customer_id, null, 'user', 'acknowledgeCodaFile', 'done', '192.0.2.1'
    from files f join users u on u.firm_id = f.firm_id cross join api_keys k
   where f.statement_number % ${filesOfEntry} = 1`;

/** Fills a table, which is emptied first, while it has no indexes. */
async function refill(
  trx: Knex.Transaction,
  table: string,
  fill: () => PromiseLike<unknown>,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { drop: string; create: string }[] }>(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
                 else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname)
            end as drop,
            case when c.oid is null then replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
                 else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname,
                             pg_get_constraintdef(c.oid)) end as create
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid
      where i.indrelid = ?::regclass`,
    [table],
  );
  for (const { drop } of rows) await trx.raw(drop);
  await trx.raw(`truncate ${table}`);
  await fill();
  for (const { create } of rows) await trx.raw(create);
}
