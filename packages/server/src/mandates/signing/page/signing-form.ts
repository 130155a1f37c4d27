import type { SigningAnswer } from '../answer-signature-request.js';

/** The longest name that is recorded, in characters. */
export const maximumNameLength = 200;

/** What is wrong with an answer. */
export type FormProblem =
  | 'nameMissing'
  | 'nameTooLong'
  | 'nameUnreadable'
  | 'consentMissing'
  /** Neither signed nor declined. */
  | 'answerUnclear';

/** An answer as it was entered. */
export interface SigningForm {
  readonly answer: 'signed' | 'declined' | undefined;
  /** Without space around it. */
  readonly name: string;
  readonly hasConsent: boolean;
}

/** The names of the fields, the same on the page and in what it posts. */
export const fields = { answer: 'answer', name: 'name', consent: 'consent' } as const;

/** What the ticked box posts. */
export const consentValue = 'yes';

/** The form before anything is entered. */
export const emptyForm: SigningForm = { answer: undefined, name: '', hasConsent: false };

/** Reads what the page posts; what it does not have is ignored. */
export function readSigningForm(posted: URLSearchParams): SigningForm {
  const answer = posted.get(fields.answer);
  return {
    answer: answer === 'signed' || answer === 'declined' ? answer : undefined,
    name: (posted.get(fields.name) ?? '').trim(),
    hasConsent: posted.get(fields.consent) === consentValue,
  };
}

/** What an answer says, or what is wrong with it in the order of the fields. */
type JudgedForm =
  | { readonly answer: Pick<SigningAnswer, 'answer' | 'signerName'> }
  | { readonly answer?: never; readonly problems: readonly FormProblem[] };

/** Whoever signs gives a name and consent; declining needs neither. */
export function judgeSigningForm({ answer, name, hasConsent }: SigningForm): JudgedForm {
  if (answer === undefined) return { problems: ['answerUnclear'] };
  if (answer === 'declined') return { answer: { answer, signerName: null } };
  const problems = [problemOfName(name), hasConsent ? undefined : ('consentMissing' as const)];
  const found = problems.filter((problem) => problem !== undefined);
  return found.length > 0 ? { problems: found } : { answer: { answer, signerName: name } };
}

/**
 * Controls, line ends, marks that reorder what follows, and what stands for bytes that are not
 * UTF-8: nothing is recorded that was not entered, and nothing that shows as another name.
 */
const unreadable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffd]/u;

function problemOfName(name: string): FormProblem | undefined {
  if (unreadable.test(name)) return 'nameUnreadable';
  if (!/\p{L}/u.test(name)) return 'nameMissing';
  return [...name].length > maximumNameLength ? 'nameTooLong' : undefined;
}
