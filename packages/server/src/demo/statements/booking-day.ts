import type { MovementDraft, TransactionCode } from '@adx/statements';
import type { Business } from './business.js';
import { type Counterparties, counterparties, type DemoCounterparty } from './counterparties.js';
import type { Random } from './random.js';
import { type StatementTexts, statementTexts } from './texts.js';

/** A day on an account, before its movements. */
export interface BookingDay {
  readonly day: string;
  /** Thousandths. */
  readonly balance: bigint;
  readonly business: Business;
  readonly holder: string;
  readonly random: Random;
}

/** What a business of this language says, and whom it deals with. */
export function surroundings({ business: { language } }: BookingDay): {
  readonly texts: StatementTexts;
  readonly others: Counterparties;
} {
  return { texts: statementTexts[language], others: counterparties[language] };
}

/** A transaction code: its type digit, family and operation, and a category. */
export function code(
  type: number,
  family: string,
  operation: string,
  category = '000',
): TransactionCode {
  return { type, family, operation, category };
}

/** The other side of a movement. */
export function otherSide({
  account,
  bic,
  name,
}: Pick<DemoCounterparty, 'account' | 'bic' | 'name'>): Pick<MovementDraft, 'counterparty'> {
  return { counterparty: { account, bic, name, currency: 'EUR' } };
}

export function free(text: string): Pick<MovementDraft, 'communication'> {
  return { communication: { kind: 'free', text } };
}

/** At most so many characters, as the fields of the format are narrow. */
export function fit(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('').trimEnd();
}
