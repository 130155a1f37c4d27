import type { MailedRequest } from '../../request-details.js';

/** The firm and the customer of a signature request. */
export type Parties = Pick<MailedRequest, 'firmName' | 'customerName' | 'enterpriseNumber'>;

/**
 * The texts of the mail in one language. All but headings, `subject`, `consent`, `sign` and
 * `questions` are full sentences.
 */
export interface RequestMailTexts {
  readonly subject: (parties: Parties) => string;
  readonly greeting: (contactName: string) => string;
  /** The request, with the number of mandates. */
  readonly ask: (parties: Parties, mandates: number) => string;
  /**
   * The text that a reminder has in addition, with the subject of its request and the date of the
   * first message.
   */
  readonly reminder: {
    readonly subject: (subject: string) => string;
    readonly notAnswered: (date: string) => string;
  };
  readonly accountsHeading: string;
  /** The purpose of the mandates for this number of accounts, and what they do not allow. */
  readonly accountsPurpose: (accounts: number) => string;
  /** A note on an account that is served through a light connector. */
  readonly consent: (days: number) => string;
  /** The text of a request to renew consents instead; `lastDay` is theirs, `YYYY-MM-DD`. */
  readonly renewal: {
    readonly subject: (parties: Parties) => string;
    readonly ask: (parties: Parties, accounts: number, lastDay: string) => string;
    readonly accountsPurpose: (accounts: number) => string;
    readonly consent: (lastDay: string, days: number) => string;
    readonly unexpected: (firmName: string, lastDay: string) => string;
  };
  readonly payrollHeading: string;
  readonly payrollPurpose: (providers: number) => string;
  /** The label of the button. */
  readonly sign: string;
  /** The introduction of the full signing URL. */
  readonly orOpen: string;
  /** The signing URL stops working at some time on this date. */
  readonly deadline: (date: string) => string;
  readonly personal: string;
  readonly unexpected: (firmName: string) => string;
  /** The introduction of the e-mail address and phone number of the firm. */
  readonly questions: (firmName: string) => string;
}
