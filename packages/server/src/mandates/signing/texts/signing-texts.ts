import type { MailedRequest } from '../request-details.js';
import type { FormProblem } from '../signing-form.js';

/** The firm and the customer of a request. */
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
  /** The introduction of the full link. */
  readonly orOpen: string;
  /** The link stops working at some time on this date. */
  readonly deadline: (date: string) => string;
  readonly personal: string;
  readonly unexpected: (firmName: string) => string;
  /** The introduction of the e-mail address and phone number of the firm. */
  readonly questions: (firmName: string) => string;
}

/** The facts of an answer. */
interface Answer extends Parties {
  /** Empty for a refusal. */
  readonly signerName: string;
  /** In words. */
  readonly time: string;
  /** The number of mandates that were signed, or refused. */
  readonly mandates: number;
  /** The number of mandates that the signer excluded. */
  readonly excluded: number;
}

/** The mail with the evidence of an answer. */
interface EvidenceMailTexts {
  readonly subject: (customerName: string) => string;
  readonly text: (answer: Answer) => string;
  /** The content of the attachments. */
  readonly attached: string;
  /** For the contact only. */
  readonly notYou: (firmName: string) => string;
}

/** A heading and the paragraphs below it. */
interface Passage {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** A reason why there is no request to show. */
export type Notice =
  | 'notFound'
  /** The answer comes from a page of another site. */
  | 'foreignAnswer'
  | 'unreadableAnswer'
  | 'tooManyAttempts'
  /** An outage or a bug. */
  | 'unavailable';

/** The state of a signature request that cannot be answered. */
export type Outcome =
  | 'signed'
  /** Signed, except for the mandates that the contact excluded. */
  | 'partlySigned'
  | 'declined'
  /** The signing period has ended. */
  | 'expired'
  /**
   * No mandate is left to sign, the request was sent to another address, or it could not be
   * delivered.
   */
  | 'withdrawn'
  /** The firm is disabled, so that it can neither be signed nor declined (D-60). */
  | 'firmDisabled';

/** An entry in the list of facts. */
type Fact =
  | 'firm'
  | 'enterprise'
  | 'enterpriseNumber'
  | 'answerBefore'
  | 'signedBy'
  | 'signedOn'
  | 'declinedOn'
  /** The e-mail address. */
  | 'linkSentTo'
  | 'ipAddress'
  | 'browser'
  /** The hash of the evidence. */
  | 'fingerprint';

/** The signing page and its mails in one language. */
export interface SigningTexts {
  /** The name of the language, in that language. */
  readonly language: string;
  /** The label of the links to the languages. */
  readonly languages: string;
  /** The texts of the mail, which the page repeats. */
  readonly mail: RequestMailTexts;
  readonly evidenceMail: Readonly<Record<'signed' | 'declined', EvidenceMailTexts>> & {
    /** The introduction of the hash. */
    readonly fingerprint: string;
  };
  readonly facts: Readonly<Record<Fact, string>>;
  readonly lead: (firmName: string) => string;
  readonly meaning: (parties: Parties, mandates: number) => Passage;
  readonly answer: {
    readonly title: string;
    readonly name: string;
    readonly consent: (customerName: string, mandates: number) => string;
    /** Beside the checkbox of each of several mandates. */
    readonly exclude: string;
    readonly sign: string;
  };
  readonly refusal: {
    /** The label of the checkbox. */
    readonly title: string;
    readonly meaning: (firmName: string) => string;
    /** The same for a request that renews consents; `lastDay` is theirs, `YYYY-MM-DD`. */
    readonly renewal: (firmName: string, lastDay: string) => string;
    readonly decline: string;
  };
  /** The title of a page with errors. */
  readonly errorTitle: (title: string) => string;
  /** The heading of the list of problems. */
  readonly notRecorded: string;
  readonly problems: Readonly<Record<FormProblem, string>>;
  readonly outcomes: Readonly<Record<Outcome, (firmName: string) => Passage>>;
  /** The evidence of an answer, on the page and as a PDF. */
  readonly evidence: {
    readonly title: Readonly<Record<'signed' | 'declined', string>>;
    /** The heading of the text as it was shown. */
    readonly shown: Readonly<Record<'signed' | 'declined', string>>;
    readonly meaningOfFingerprint: string;
  };
  readonly notices: Readonly<Record<Notice, Passage>>;
}
