import type { Parties, RequestMailTexts } from '../../mail/texts/request-mail-texts.js';
import type { FormProblem } from '../signing-form.js';

/** A heading and the paragraphs below it. */
interface Passage {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** A reason why there is no signature request to show. */
export type Notice =
  | 'notFound'
  /** The answer comes from a page of another site. */
  | 'foreignAnswer'
  | 'unreadableAnswer'
  | 'tooManyAttempts'
  /** An outage or a bug. */
  | 'unavailable';

/** An entry in the list of facts. */
export type Fact =
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

/** The signing page in one language. */
export interface SigningPageTexts {
  /** The name of the language, in that language. */
  readonly language: string;
  /** The label of the links to the languages. */
  readonly languages: string;
  /** The texts of the mail, which the page repeats. */
  readonly mail: RequestMailTexts;
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
  readonly outcomes: Readonly<
    Record<
      'signed' | 'partlySigned' | 'declined' | 'expired' | 'withdrawn' | 'firmDisabled',
      (firmName: string) => Passage
    >
  >;
  /** The evidence of an answer, on the page and as a PDF. */
  readonly evidence: {
    readonly title: Readonly<Record<'signed' | 'declined', string>>;
    /** The heading of the text as it was shown. */
    readonly shown: Readonly<Record<'signed' | 'declined', string>>;
    readonly meaningOfFingerprint: string;
  };
  readonly notices: Readonly<Record<Notice, Passage>>;
}
