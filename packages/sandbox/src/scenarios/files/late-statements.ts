import type { StatementDraft } from '@adx/statements';
import { queryDatabase } from '../../postgres/with-connection.js';
import { ScenarioRefusal } from '../../scenario-refusal.js';
import {
  nextPlace,
  type StatementPlace,
  statementOf,
  sumOfMovements,
  transferCode,
  transferOf,
} from './statement-of-account.js';

/** A gap in a chain (D-30), with the statements beside it. Balances are thousandths. */
interface Gap {
  readonly fromNumber: number;
  readonly toNumber: number;
  /** The new balance of the statement before it, and its date. */
  readonly oldBalance: string;
  readonly oldDate: string;
  /** The old balance of the statement after it, and its date. */
  readonly newBalance: string;
  readonly date: string;
}

/**
 * Returns the statements that are missing in the last gap of an account. The last one has one
 * movement more if they do not lead to the balance after the gap.
 */
export async function lateStatements(
  customerId: string,
  account: Pick<StatementPlace, 'iban' | 'bic' | 'holder'>,
  databaseUrl: string,
): Promise<StatementDraft[]> {
  const [gap] = await queryDatabase<Gap>(databaseUrl, lastGap, [customerId, account.iban]);
  if (gap === undefined) {
    throw new ScenarioRefusal(
      `No statement of ${account.iban} is missing: leave a gap first, with {"kind": "gap"}`,
    );
  }
  const { oldDate, date, fromNumber: number } = gap;
  const { iban, bic, holder } = account;
  const oldBalance = BigInt(gap.oldBalance);
  const statements: StatementDraft[] = [];
  let place: StatementPlace = { iban, bic, holder, oldDate, date, number, oldBalance };
  for (; place.number < gap.toNumber; place = nextPlace(place)) statements.push(statementOf(place));
  const last = statementOf(place);
  const amount = BigInt(gap.newBalance) - place.oldBalance - sumOfMovements;
  const operation = amount < 0n ? '01' : '50';
  const transactionCode = { ...transferCode(0), operation };
  const further = amount === 0n ? [] : [{ ...transferOf(place), amount, transactionCode }];
  return [...statements, { ...last, movements: [...(last.movements ?? []), ...further] }];
}

const ofAccount = `f.customer_id = m.customer_id and f.product = 'CODA' and f.iban = m.iban
          and f.currency = m.currency and f.extension = m.extension`;

const lastGap = `
  select m.from_number "fromNumber", m.to_number "toNumber", before.*, after.*
    from missing_statements m
   cross join lateral (
         select f.new_balance "oldBalance", f.statement_date::text "oldDate" from files f
          where ${ofAccount} and f.new_balance is not null and f.statement_date <= m.after_date
            and (f.statement_date < m.before_date or f.statement_number < m.from_number)
          order by f.statement_date desc, f.statement_number desc, f.arrival desc limit 1) before
   cross join lateral (
         select f.old_balance "newBalance", f.statement_date::text "date" from files f
          where ${ofAccount} and f.old_balance is not null and f.statement_date >= m.before_date
            and f.statement_number = m.to_number + 1
          order by f.statement_date, f.arrival desc limit 1) after
   where m.customer_id = $1 and m.iban = $2 and m.currency = 'EUR' and m.extension = ''
     and m.kind = 'gap' and m.closed_on is null
   order by m.before_date desc, m.to_number desc limit 1`;
