import { bankingDays, monthsBefore, type PayrollPlace } from '../../demo/statements.js';
import type { ListedMandate } from '../../operator.js';
import { queryDatabase } from '../../postgres/with-connection.js';
import { ScenarioRefusal } from '../../scenario-refusal.js';
import type { StatementPlace } from './statement-of-account.js';

interface LastFile {
  readonly number: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Thousandths; null for a file without balances. */
  readonly balance: string | null;
  /** `YYYYMM`; null for CODA. */
  readonly period: number | null;
}

/** A number has three digits, and a gap reaches two numbers further. */
const lastNumber = 997;

export async function nextStatementPlace(
  mandate: ListedMandate & { readonly product: 'CODA' },
  databaseUrl: string,
): Promise<StatementPlace> {
  const today = new Date().toISOString().slice(0, 10);
  const last = await findLast(mandate, mandate.iban, databaseUrl);
  const bic = (mandate.bic ?? 'GKCC BE BB').replaceAll(' ', '');
  const account = { iban: mandate.iban, bic, holder: mandate.customerName.slice(0, 26) };
  if (last === undefined) {
    return { ...account, number: 1, oldBalance: 1_000_000n, oldDate: today, date: today };
  }
  // No statement has a date in the future, so another one of the last day follows instead.
  const [date = last.date] = bankingDays(last.date, today);
  const isNewYear = date.slice(0, 4) !== last.date.slice(0, 4);
  const number = isNewYear ? 1 : last.number + 1;
  if (number > lastNumber) {
    throw new ScenarioRefusal(
      `The account ${mandate.iban} has used up the statement numbers of the year: take another mandate`,
    );
  }
  const oldBalance = BigInt(last.balance ?? 1_000_000);
  return { ...account, number, oldBalance, oldDate: last.date, date };
}

export async function nextPayrollPlace(
  mandate: ListedMandate & { readonly product: 'CODB' },
  databaseUrl: string,
): Promise<PayrollPlace> {
  const { enterpriseNumber, customerName, payrollProviderNameNl: source } = mandate;
  const last = await findLast(mandate, null, databaseUrl);
  const [lastMonth = ''] = monthsBefore(new Date().toISOString().slice(0, 10), 1);
  const period = last?.period == null ? lastMonth : monthAfter(String(last.period));
  return { enterpriseNumber, customerName, source, period };
}

function monthAfter(period: string): string {
  const first = new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(4)), 1));
  return first.toISOString().slice(0, 7).replace('-', '');
}

async function findLast(
  { customerId, product }: ListedMandate,
  iban: string | null,
  databaseUrl: string,
): Promise<LastFile | undefined> {
  const [last] = await queryDatabase<LastFile>(
    databaseUrl,
    `select statement_number::int "number", statement_date::text "date", new_balance "balance",
            account_period "period"
       from files where customer_id = $1 and product = $2 and iban is not distinct from $3
      order by statement_date desc, statement_number desc, arrival desc limit 1`,
    [customerId, product, iban],
  );
  return last;
}
