import type { ChainStatement } from '@adx/statements';
import type { Knex } from 'knex';

/** The account of a chain. The statements of one IBAN in several currencies are several chains. */
export interface ChainAccount {
  readonly customerId: string;
  readonly iban: string;
  readonly currency: string;
  readonly extension: string;
}

/** A listed statement. */
export interface ListedStatement extends ChainStatement {
  readonly id: string;
}

/** The statements of an account around new ones. */
export interface ChainWindow {
  readonly account: ChainAccount;
  /** In the order in which they were listed. */
  readonly statements: readonly ListedStatement[];
  /** There are statements up to this date that are not in the window; undefined if there are none. */
  readonly after: string | undefined;
  /** There are statements from this date on that are not in the window; undefined if there are none. */
  readonly before: string | undefined;
}

/** The dates of the new statements of an account. */
export interface ChangedChain extends ChainAccount {
  /** `YYYY-MM-DD` */
  readonly first: string;
  readonly last: string;
}

/** The largest number of statements on each side of the new ones, and between these. */
const SIDE = 60;
const MIDDLE = 5_000;

interface Row {
  readonly n: number;
  readonly part: number;
  readonly id: string;
  readonly year: number;
  readonly number: number;
  readonly date: string;
  readonly createdOn: string;
  readonly oldBalance: number;
  readonly newBalance: number;
}

const columns = `f.id, f.arrival, f.year, f.statement_number, f.statement_date, f.created_on,
                    f.old_balance, f.new_balance`;

const ofAccount = `f.product = 'CODA' and f.old_balance is not null and f.customer_id = a.customer_id
             and f.iban = a.iban and f.currency = a.currency and f.extension = a.extension`;

/**
 * Reads the statements around the new ones of each account. Of a statement with many versions, only the
 * last two are read, so that any number of them delays nothing (D-38). Accounts with files of a former
 * version, whose balances are not known yet, are left out (D-29).
 */
export async function readChainWindows(
  knex: Knex,
  chains: readonly ChangedChain[],
): Promise<ChainWindow[]> {
  const accounts = chains.map(({ customerId, ...account }, n) => ({
    ...{ n, customer_id: customerId, ...account },
  }));
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select a.n, f.part, f.id, f.year, f.statement_number as number, f.statement_date as date,
            f.created_on as "createdOn", f.old_balance as "oldBalance", f.new_balance as "newBalance"
       from jsonb_to_recordset(?::jsonb) as a (n integer, customer_id text, iban text, currency text,
            extension text, first date, last date)
      cross join lateral (
            (select -1 as part, ${columns} from files f where ${ofAccount}
                and f.statement_date < a.first order by f.statement_date desc limit ${SIDE})
             union all
            (select 0, ${columns} from (
                    select f.*, row_number() over (
                             partition by f.year, f.statement_number, f.statement_date, f.old_balance
                             order by f.arrival desc) as version
                      from files f where ${ofAccount}
                       and f.statement_date between a.first and a.last) f
              where f.version <= 2 order by f.arrival desc limit ${MIDDLE})
             union all
            (select 1, ${columns} from files f where ${ofAccount}
                and f.statement_date > a.last order by f.statement_date limit ${SIDE})) f
      where not exists (
            select from files f where f.hash_version = 1 and f.product = 'CODA'
               and f.customer_id = a.customer_id and f.iban = a.iban and f.currency = a.currency
               and f.extension = a.extension)
      order by a.n, f.arrival`,
    [JSON.stringify(accounts)],
  );
  const byChain = chains.map((): Row[] => []);
  for (const row of rows) byChain[row.n]?.push(row);
  return chains.flatMap((account, n) => {
    const ofChain = byChain[n] ?? [];
    return ofChain.length === 0 ? [] : [toWindow(account, ofChain)];
  });
}

function toWindow(account: ChainAccount, rows: readonly Row[]): ChainWindow {
  const datesOf = (part: number) =>
    rows
      .filter((row) => row.part === part)
      .map(({ date }) => date)
      .sort();
  const [earlier, later] = [datesOf(-1), datesOf(1)];
  return {
    account,
    statements: rows.map(({ n: _, part: __, oldBalance, newBalance, ...row }) => ({
      ...row,
      ...{ oldBalance: BigInt(oldBalance), newBalance: BigInt(newBalance) },
    })),
    after: earlier.length < SIDE ? undefined : earlier[0],
    before: later.length < SIDE ? undefined : later.at(-1),
  };
}
