import type { DemoCustomer } from '../customer-table.js';
import { demoFirms } from '../demo-firms.js';
import type { DemoLanguage } from './counterparties.js';
import type { Employer } from './employer.js';
import { pick, seededRandom } from './random.js';

/** What comes in: by card every day, by invoices, or a little of both. */
export type BusinessKind = 'shop' | 'trade' | 'practice';

/**
 * The business behind an account. It follows from the account alone, and from what the demo began
 * with: whatever users change, tomorrow's statement goes on from today's.
 */
export interface Business {
  readonly kind: BusinessKind;
  readonly language: DemoLanguage;
  /** Whether it lives from this account; little happens on another one. */
  readonly isMain: boolean;
  /** Its payroll, paid from the main account. */
  readonly employers: readonly Employer[];
}

const kinds: readonly [RegExp, BusinessKind][] = [
  [/bakker|bäckerei|boulangerie|bloem|slagerij|kapsalon|salon|fietsen|chocola|fromagerie/i, 'shop'],
  [/restaurant|gasthof|librairie|traiteur|brouwerij|apothe|pharmacie|ferme/i, 'shop'],
  [/tandarts|dentaire|advocaten|architect|kinderopvang|zorg/i, 'practice'],
];

const customers = demoFirms.flatMap((firm) => firm.customers);

/** The business that has an account: one of the demo's customers, or one that a user made up. */
export function businessOf(iban: string): Business {
  const customer = customers.find(({ request }) => ibansOf(request).includes(iban));
  if (customer !== undefined) return known(customer.request, iban);
  const kind = pick<BusinessKind>(seededRandom(iban), ['shop', 'trade', 'practice']);
  return { kind, language: 'nl', isMain: true, employers: [] };
}

/** The employer of a payroll file: one of the demo's customers, or one that a user made up. */
export function employerOf(enterpriseNumber: string, provider: string): Employer {
  const customer = customers.find(({ request }) => digitsOf(request) === enterpriseNumber);
  const language = customer === undefined ? 'nl' : languageOf(customer.request);
  return { enterpriseNumber, provider, language };
}

type Request = DemoCustomer['request'];

function known(request: Request, iban: string): Business {
  const { name, payrollProviders = [] } = request;
  return {
    kind: kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'trade',
    language: languageOf(request),
    isMain: ibansOf(request)[0] === iban,
    employers: payrollProviders.map(({ code }) => employerOf(digitsOf(request), code)),
  };
}

function ibansOf({ bankAccounts = [] }: Request): string[] {
  return bankAccounts.map(({ iban }) => iban);
}

function digitsOf({ enterpriseNumber }: Request): string {
  return enterpriseNumber.replaceAll('.', '');
}

function languageOf({ contact: { language } }: Request): DemoLanguage {
  return language === 'fr' || language === 'de' ? language : 'nl';
}
