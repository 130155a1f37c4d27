import type { ChainStatement } from '@adx/statements';
import type { Knex } from 'knex';

/** The account of a chain. The statements of one IBAN in several currencies are several chains. */
export interface ChainAccount {
  readonly firmId: string;
  readonly customerId: string;
  readonly iban: string;
  readonly currency: string;
  readonly extension: string;
}

export interface ListedStatement extends ChainStatement {
  readonly id: string;
}

/** A hole in a chain, or an overdue account (D-30). Dates are `YYYY-MM-DD`. */
export interface MissingRecord {
  readonly kind: 'gap' | 'balanceBreak' | 'overdue';
  readonly fromNumber: number | null;
  readonly toNumber: number | null;
  /** The date of the statement before what is missing. */
  readonly after: string;
  /** The number of that statement; null if the bank gives none. */
  readonly afterNumber: number | null;
  /** The date of the statement after it; null if the account is overdue. */
  readonly before: string | null;
  /** The number of that statement; null if the bank gives none, or there is no such statement. */
  readonly beforeNumber: number | null;
  readonly detectedOn: Date;
}

export interface StoredRecord extends MissingRecord {
  readonly id: string;
}

/** The statements of an account between the first and the last date around new ones. */
export interface ChainWindow {
  readonly account: ChainAccount;
  /** The statements in the order in which they were listed. */
  readonly statements: readonly ListedStatement[];
  /** Open rows between these statements, and the row of the account as overdue. */
  readonly missing: readonly StoredRecord[];
  readonly reachesEnd: boolean;
}

export interface ChangedChain extends ChainAccount {
  /** `YYYY-MM-DD` */
  readonly first: string;
  readonly last: string;
}

/** Dates and instants are texts in ISO 8601. */
interface Row {
  readonly n: number;
  readonly statements: readonly ListedColumns[];
  readonly missing:
    | readonly (Omit<StoredRecord, 'detectedOn'> & { readonly detectedOn: string })[]
    | null;
  /** The last of their dates, if the account has statements after it. */
  readonly before: string | null;
}

type ListedColumns = readonly [
  id: string,
  number: number,
  date: string,
  createdOn: string,
  oldBalance: number,
  newBalance: number,
];

/**
 * Reads the statements around the new ones of each account, on each side 60 and the others with the
 * date of the 60th, and what is missing there. Of statements with one number, day and old balance
 * only the last 20 are read, so that they delay nothing (D-38). Accounts with more than 5,000
 * statements there are left out, because some would seem to be missing.
 */
export async function readChainWindows(
  knex: Knex,
  chains: readonly ChangedChain[],
): Promise<ChainWindow[]> {
  if (chains.length === 0) return [];
  const accounts = chains.map((chain, n) => ({ n, ...chain }));
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select a.n, chain.*
       from jsonb_to_recordset(?::jsonb) as a (n integer, "firmId" text, "customerId" text, iban text,
            currency text, extension text, first date, last date)
      cross join lateral chain_around(a."firmId", a."customerId", a.iban, a.currency, a.extension, a.first, a.last) chain`,
    [JSON.stringify(accounts)],
  );
  return rows.flatMap((row) => {
    const chain = chains[row.n];
    return chain === undefined ? [] : [toWindow(chain, row)];
  });
}

function toWindow({ first: _, last: __, ...account }: ChangedChain, row: Row): ChainWindow {
  return {
    account,
    statements: row.statements.map(toStatement),
    missing: (row.missing ?? []).map((each) => ({
      ...each,
      detectedOn: new Date(each.detectedOn),
    })),
    reachesEnd: row.before === null,
  };
}

function toStatement(columns: ListedColumns): ListedStatement {
  const [id, number, date, createdOn, old, next] = columns;
  return { id, number, date, createdOn, oldBalance: BigInt(old), newBalance: BigInt(next) };
}
