import type { AskedMandate } from '../asked-mandate.js';
import { groupedIban } from '../grouped-iban.js';
import { validityDays } from '../lifecycle.js';
import type { RequestMailTexts } from './texts/request-mail-texts.js';

/** The mandates of one product: what they are for, and each of them. */
export interface RequestSection {
  readonly heading: string;
  readonly purpose: string;
  readonly entries: readonly RequestEntry[];
}

export interface RequestEntry {
  /** The account, or the payroll provider. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** What is asked: accounts first, then payroll providers; nothing of a product that is not asked for. */
export function requestSections(
  mandates: readonly AskedMandate[],
  texts: RequestMailTexts,
): RequestSection[] {
  const accounts = mandates.filter((mandate) => mandate.product === 'CODA');
  const providers = mandates.filter((mandate) => mandate.product === 'CODB');
  return [
    {
      heading: texts.accountsHeading,
      purpose: texts.accountsPurpose(accounts.length),
      entries: accounts.map(({ iban, bankName, isLightConnector }) => ({
        name: groupedIban(iban),
        notes: [
          ...(bankName === undefined ? [] : [bankName]),
          ...(isLightConnector ? [texts.consent(validityDays)] : []),
        ],
      })),
    },
    {
      heading: texts.payrollHeading,
      purpose: texts.payrollPurpose(providers.length),
      entries: providers.map(({ payrollProviderName: name }) => ({ name, notes: [] })),
    },
  ].filter(({ entries }) => entries.length > 0);
}
