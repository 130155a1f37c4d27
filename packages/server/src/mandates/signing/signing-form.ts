import { hasUnprintable } from '@adx/command/unprintable';

/** The longest name that is recorded, in characters. */
export const maximumNameLength = 200;

export type FormProblem =
  | 'nameMissing'
  | 'nameTooLong'
  | 'nameUnreadable'
  | 'consentMissing'
  /** Nothing is left to sign. */
  | 'allExcluded'
  | 'refusalUnconfirmed'
  /** The page shows something else than when it was opened, such as another name (D-37). */
  | 'pageChanged'
  /** Neither signed nor declined. */
  | 'answerUnclear';

export interface SigningForm {
  readonly answer: 'signed' | 'declined' | undefined;
  /** Trimmed. */
  readonly name: string;
  /** True if the box above the button is ticked. */
  readonly hasConsent: boolean;
  /** The places of the mandates that the contact does not sign, from 1, as posted. */
  readonly excluded: readonly string[];
  /** The hash of what the page showed (`hashOfShown`). */
  readonly shown: string;
}

export interface GivenAnswer {
  readonly answer: 'signed' | 'declined';
  /** Null if the contact declines. */
  readonly signerName: string | null;
  /** The places of the mandates that the contact excludes from the signature, from 1. */
  readonly excluded: readonly number[];
}

export const fields = {
  answer: 'answer',
  name: 'name',
  consent: 'consent',
  excluded: 'excluded',
  shown: 'shown',
} as const;

export const consentValue = 'yes';

export const emptyForm: SigningForm = {
  answer: undefined,
  name: '',
  hasConsent: false,
  excluded: [],
  shown: '',
};

export function readSigningForm(posted: URLSearchParams): SigningForm {
  const answer = posted.get(fields.answer);
  return {
    answer: answer === 'signed' || answer === 'declined' ? answer : undefined,
    name: (posted.get(fields.name) ?? '').trim(),
    hasConsent: posted.get(fields.consent) === consentValue,
    excluded: posted.getAll(fields.excluded),
    shown: posted.get(fields.shown) ?? '',
  };
}

/**
 * Returns the answer, or the problems in the order of the fields. A signature requires a name and
 * consent, declining only its tick: no answer is given by pressing a button alone (D-25).
 *
 * @param mandates - the number of mandates that wait for the contact
 */
export function validateSigningForm(
  { answer, name, hasConsent, excluded: places }: SigningForm,
  mandates: number,
):
  | { readonly answer: GivenAnswer; readonly problems?: never }
  | { readonly answer?: never; readonly problems: readonly FormProblem[] } {
  if (answer === undefined) return { problems: ['answerUnclear'] };
  if (answer === 'declined') {
    if (!hasConsent) return { problems: ['refusalUnconfirmed'] };
    return { answer: { answer, signerName: null, excluded: [] } };
  }
  const excluded = [...new Set(places.map(Number))];
  if (!excluded.every((place) => Number.isInteger(place) && place >= 1 && place <= mandates)) {
    return { problems: ['answerUnclear'] };
  }
  const problems = [
    excluded.length < mandates ? undefined : ('allExcluded' as const),
    problemOfName(name),
    hasConsent ? undefined : ('consentMissing' as const),
  ];
  const found = problems.filter((problem) => problem !== undefined);
  return found.length > 0
    ? { problems: found }
    : { answer: { answer, signerName: name, excluded } };
}

function problemOfName(name: string): FormProblem | undefined {
  // U+FFFD replaces invalid UTF-8.
  if (hasUnprintable(name) || name.includes('\ufffd')) return 'nameUnreadable';
  // Some letters are invisible, such as U+3164.
  if (!/(?!\p{DI})\p{L}/u.test(name)) return 'nameMissing';
  return [...name].length > maximumNameLength ? 'nameTooLong' : undefined;
}
