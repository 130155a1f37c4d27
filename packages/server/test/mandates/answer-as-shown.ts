import type { Knex } from 'knex';
import {
  answerSignatureRequest,
  type SigningAnswer,
  type SigningView,
  viewSignatureRequest,
} from '../../src/mandates/signing/answer-signature-request.js';
import { hashOfShown, showRequest } from '../../src/mandates/signing/shown-request.js';

/** An answer of a contact, who reads the page in the language of the contact. */
export type TestAnswer = Omit<SigningAnswer, 'language' | 'shown' | 'excluded'> &
  Partial<Pick<SigningAnswer, 'excluded'>>;

/** Opens the page of a link and answers what it shows, as a contact does. */
export async function answerAsShown(
  knex: Knex,
  token: string,
  answer: TestAnswer,
  now: Date,
): Promise<SigningView | undefined> {
  const view = await viewSignatureRequest(knex, token, now);
  const shown = view ? hashOfShown(showRequest(view.request, view.request.language)) : '';
  const given = { excluded: [], ...answer, language: undefined, shown };
  return answerSignatureRequest(knex, token, given, now);
}
