import type { MailedRequest } from '../../request-details.js';

/** Who asks, and for whom. */
export type Parties = Pick<MailedRequest, 'firmName' | 'customerName' | 'enterpriseNumber'>;

/** The sentences of the mail in one language; all but `subject` and `sign` end as sentences do. */
export interface RequestMailTexts {
  readonly subject: (parties: Parties) => string;
  readonly greeting: (contactName: string) => string;
  /** Who asks for how many mandates, and for whom. */
  readonly ask: (parties: Parties, mandates: number) => string;
  readonly accountsHeading: string;
  /** What the mandates of so many accounts are for, and what they do not allow. */
  readonly accountsPurpose: (accounts: number) => string;
  /** Beside an account that is served through a light connector. */
  readonly consent: (days: number) => string;
  readonly payrollHeading: string;
  readonly payrollPurpose: (providers: number) => string;
  /** The button. */
  readonly sign: string;
  /** Before the link in full. */
  readonly orOpen: string;
  /** The link stops working in the course of the day of `date`. */
  readonly deadline: (date: string) => string;
  readonly personal: string;
  readonly unexpected: (firmName: string) => string;
}
