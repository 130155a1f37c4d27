import type { Parties, RequestMailTexts } from '../../mail/texts/request-mail-texts.js';
import type { FormProblem } from '../signing-form.js';

/** A heading and the paragraphs below it. */
interface Passage {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** What a person is told when there is no request to show. */
export type Notice =
  | 'notFound'
  /** The answer was sent by a page of another site. */
  | 'foreignAnswer'
  | 'unreadableAnswer'
  | 'tooManyAttempts'
  /** Also for what is a bug: the person can do the same about it. */
  | 'unavailable';

/** The labels of what stands in the list of facts. */
export type Fact =
  | 'firm'
  | 'enterprise'
  | 'enterpriseNumber'
  | 'answerBefore'
  | 'signedBy'
  | 'signedOn'
  | 'declinedOn';

/** The signing page in one language. */
export interface SigningPageTexts {
  /** The language, in itself. */
  readonly language: string;
  /** What the links to the languages are. */
  readonly languages: string;
  /** What the mail has said; the page says it in the same words. */
  readonly mail: RequestMailTexts;
  readonly facts: Readonly<Record<Fact, string>>;
  readonly lead: (firmName: string) => string;
  readonly meaning: (parties: Parties, mandates: number) => Passage;
  readonly answer: {
    readonly title: string;
    readonly name: string;
    readonly consent: (customerName: string, mandates: number) => string;
    readonly sign: string;
  };
  readonly refusal: {
    /** What opens the way to declining. */
    readonly title: string;
    readonly meaning: (firmName: string) => string;
    readonly decline: string;
  };
  /** The title of a page with problems. */
  readonly errorTitle: (title: string) => string;
  /** Above the problems. */
  readonly notRecorded: string;
  readonly problems: Readonly<Record<FormProblem, string>>;
  readonly outcomes: Readonly<
    Record<'signed' | 'declined' | 'expired' | 'withdrawn', (firmName: string) => Passage>
  >;
  readonly notices: Readonly<Record<Notice, Passage>>;
}
