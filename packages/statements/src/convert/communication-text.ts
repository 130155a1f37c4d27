import type { InformationCommunication } from '../coda/format/information-layouts.js';
import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Information } from '../coda/statement.js';
import { toJsonValue } from '../json-value.js';

/**
 * A text as it is; a reference with the text after it, such as `***090/9337/55493*** RENT MAY`; the
 * fields of any other structured communication, such as `terminal: 004711, date: 2026-02-01`.
 */
export function communicationText(
  communication: MovementCommunication | InformationCommunication,
): string {
  if (communication.kind !== 'structured') return givenText(communication.text);
  const { type } = communication;
  if (type === '100' || type === '101' || type === '102') {
    const { reference, remainder = '' } = communication;
    const given = givenText(reference);
    const isBelgian = type !== '100';
    const written = isBelgian ? given.replace(/^(\d{3})(\d{4})(\d{5})$/, '***$1/$2/$3***') : given;
    return givenTexts([written, remainder]).join(' ');
  }
  return Object.entries(toJsonValue(communication))
    .filter(([name, value]) => name !== 'kind' && /[^0. ]/.test(String(value ?? '')))
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

/**
 * The free texts and messages of the bank as one text.
 *
 * @param without the types of structured communications that are left out
 */
export function informationText(
  information: readonly Information[],
  without: readonly string[] = [],
): string {
  const texts = joinInformation(information)
    .map(({ communication }) => communication)
    .filter((each) => each.kind !== 'structured' || !without.includes(each.type))
    .map(communicationText);
  return givenTexts(texts).join(' ');
}
