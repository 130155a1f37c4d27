import type { Request } from 'express';
import type { SigningAnswer } from '../answer-signature-request.js';
import { PageRefusal } from './refusals.js';

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

/** Largest form that is read, in bytes: a name of 200 characters takes 2400 at most. */
const maximumBytes = 8 * 1024;

const mediaType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * Reads a posted form.
 *
 * @throws PageRefusal `notAForm`, `tooLarge`; as soon as it is known, not at the end of the body
 */
export async function readPostedForm(request: Request): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!mediaType.test(type) || encoding !== 'identity') throw new PageRefusal('notAForm');
  if (Number(request.headers['content-length'] ?? 0) > maximumBytes) {
    throw new PageRefusal('tooLarge');
  }
  return new URLSearchParams((await readBytes(request)).toString('utf8'));
}

/** Not by iterating over the request: leaving that early would close the connection. */
function readBytes(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    request.on('data', function take(chunk: Buffer) {
      received += chunk.length;
      chunks.push(chunk);
      if (received <= maximumBytes) return;
      request.off('data', take);
      reject(new PageRefusal('tooLarge'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new PageRefusal('notAForm')));
  });
}

/**
 * Whether a post comes from the page itself, as far as the browser says where it comes from. What
 * says nothing is no browser, and nobody else's page drives it.
 *
 * No cookie and no further token is needed against other sites: nothing that a browser sends by
 * itself gives the right to answer. The right is the link, which another site does not know. This
 * check is for the case that one got hold of it.
 */
export function isFromOwnPage(request: Request, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  // Without TLS browsers leave `Sec-Fetch-Site` out.
  const origin = request.get('origin');
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.host}`;
}
