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

/** What is missing in a chain. Dates are `YYYY-MM-DD`. */
export interface MissingRecord {
  readonly kind: 'gap' | 'balanceBreak' | 'overdue';
  readonly fromNumber: number | null;
  readonly toNumber: number | null;
  /** The date of the statement before what is missing. */
  readonly after: string;
  /** The date of the statement after it; null if the account is overdue. */
  readonly before: string | null;
  readonly detectedOn: Date;
}

/** What is stored as missing. */
export interface StoredRecord extends MissingRecord {
  readonly id: string;
}

/** The statements of an account around new ones. */
export interface ChainWindow {
  readonly account: ChainAccount;
  /** In the order in which they were listed. */
  readonly statements: readonly ListedStatement[];
  /** What is stored as missing between them, and as overdue. */
  readonly missing: readonly StoredRecord[];
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

/** Dates and instants are texts in ISO 8601. */
interface Row {
  readonly n: number;
  readonly statements: readonly (Omit<ListedStatement, 'oldBalance' | 'newBalance'> & {
    readonly oldBalance: number | null;
    readonly newBalance: number | null;
  })[];
  readonly missing: readonly (Omit<StoredRecord, 'detectedOn'> & { readonly detectedOn: string })[];
}

const columns = `f.id, f.arrival, f.year, f.statement_number as number, f.statement_date as date,
                    coalesce(f.created_on, f.statement_date) as "createdOn",
                    f.old_balance as "oldBalance", f.new_balance as "newBalance", f.hash_version`;

const isOf = (row: string) => `${row}.customer_id = a.customer_id and ${row}.iban = a.iban
                and ${row}.currency = a.currency and ${row}.extension = a.extension`;

const inChain = `from files f where (f.old_balance is not null or f.hash_version < 2) and ${isOf('f')}`;

/**
 * Reads the statements around the new ones of each account, and what is missing there, in one call,
 * because each call costs more than what it reads. Of a statement with many versions, only the last two
 * are read, so that any number of them delays nothing (D-38). Accounts with files of a former version
 * there, whose balances are not known yet, are left out (D-29).
 */
export async function readChainWindows(
  knex: Knex,
  chains: readonly ChangedChain[],
): Promise<ChainWindow[]> {
  if (chains.length === 0) return [];
  const accounts = chains.map(({ customerId, ...account }, n) => ({
    ...{ n, customer_id: customerId, ...account },
  }));
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select a.n, chain.statements, array(
            select json_build_object('id', m.id, 'kind', m.kind, 'detectedOn', m.detected_on,
                     'fromNumber', m.from_number, 'toNumber', m.to_number,
                     'after', m.after_date, 'before', m.before_date)
              from missing_statements m where m.closed_on is null and ${isOf('m')}
               and (m.before_date is null or m.before_date between chain.first and chain.last)) as missing
       from jsonb_to_recordset(?::jsonb) as a (n integer, customer_id text, iban text, currency text,
            extension text, first date, last date)
      cross join lateral (
            select json_agg(f order by f.arrival) as statements, min(f.date) as first, max(f.date) as last
              from ((select ${columns} ${inChain} and f.statement_date < a.first
                      order by f.statement_date desc limit ${SIDE})
                     union all
                    (select ${columns} from (
                            select f.*, row_number() over (
                                     partition by f.year, f.statement_number, f.statement_date, f.old_balance
                                     order by f.arrival desc) as version
                              ${inChain} and f.statement_date between a.first and a.last) f
                      where f.version <= 2 order by f.arrival desc limit ${MIDDLE})
                     union all
                    (select ${columns} ${inChain} and f.statement_date > a.last
                      order by f.statement_date limit ${SIDE})) f
            having not bool_or(f.hash_version = 1)) chain`,
    [JSON.stringify(accounts)],
  );
  return rows.flatMap((row) => {
    const chain = chains[row.n];
    return chain === undefined ? [] : [toWindow(chain, row)];
  });
}

function toWindow({ first, last, ...account }: ChangedChain, row: Row): ChainWindow {
  const dates = row.statements.map(({ date }) => date).sort();
  const isFullBefore = dates.filter((date) => date < first).length === SIDE;
  const isFullAfter = dates.filter((date) => date > last).length === SIDE;
  return {
    account,
    statements: row.statements.map(({ oldBalance, newBalance, ...statement }) => ({
      ...statement,
      oldBalance: oldBalance === null ? undefined : BigInt(oldBalance),
      newBalance: newBalance === null ? undefined : BigInt(newBalance),
    })),
    missing: row.missing.map((each) => ({ ...each, detectedOn: new Date(each.detectedOn) })),
    after: isFullBefore ? dates[0] : undefined,
    before: isFullAfter ? dates.at(-1) : undefined,
  };
}
