import type { InformationCommunication } from '../coda/format/information-layouts.js';
import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Movement } from '../coda/statement.js';
import { communicationTexts, informationLines } from '../texts/communication-texts.js';
import type { PrintedTexts } from '../texts/printed-texts.js';
import { englishTexts } from '../texts/printed-texts-en.js';

/**
 * Returns a text as it is; a reference with the text after it, such as `***090/9337/55493*** RENT
 * MAY`; the fields of any other structured communication, such as `Terminal 004711, Date
 * 01/02/2026`.
 */
export function communicationText(
  communication: MovementCommunication | InformationCommunication,
  texts: PrintedTexts = englishTexts,
): string {
  if (communication.kind === 'structured' && 'reference' in communication) {
    const { type, reference, remainder = '' } = communication;
    const isBelgian = type === '101' || type === '102';
    const given = givenText(reference);
    const written = isBelgian ? given.replace(/^(\d{3})(\d{4})(\d{5})$/, '***$1/$2/$3***') : given;
    if (isBelgian || type === '100') return givenTexts([written, remainder]).join(' ');
  }
  const { own, labelled } = communicationTexts(communication, texts);
  return breakable(givenTexts([own.join(' '), ...labelled]).join(', '));
}

/** Returns the text that a payer wrote; the fields of a bank are no part of it. */
export function writtenText(communication: MovementCommunication): string {
  if (communication.kind === 'free') return givenText(communication.text);
  if (communication.kind === 'unknown') return '';
  switch (communication.type) {
    case '100':
    case '101':
    case '102':
      return givenText(communication.remainder ?? '');
    case '107':
    case '127':
      return givenText(communication.text);
    default:
      return '';
  }
}

/** Returns the information on a movement for people, a line for each piece that stands alone. */
export function informationTexts(
  { information }: Pick<Movement, 'information'>,
  texts: PrintedTexts = englishTexts,
): string[] {
  return informationLines(joinInformation(information), texts).map(breakable);
}

/** Replaces the spaces that keep a line of a PDF together. */
export function breakable(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}
