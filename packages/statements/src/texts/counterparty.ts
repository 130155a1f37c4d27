import { givenText } from '../coda/given-text.js';
import type { Information, Movement } from '../coda/statement.js';

/** The name and address of a counterparty. */
export interface NamedCounterparty {
  readonly name: string;
  readonly street: string;
  readonly locality: string;
  readonly identification: string;
  /** The text behind these fields. */
  readonly remainder: string;
  /** The record 3.1 that names it, if any. */
  readonly namedBy: Information | undefined;
}

/**
 * Joins the counterparty of record 2.3, whose name has 35 positions, with that of record 3.1 of
 * type 001, which has 70 and an address, if it is the same.
 */
export function counterpartyOf(
  { counterparty }: Movement,
  information: readonly Information[],
): NamedCounterparty {
  const known = comparable(givenText(counterparty.name));
  for (const piece of information) {
    const { communication } = piece;
    if (communication.kind !== 'structured' || communication.type !== '001') continue;
    const { name, street, locality, identification, remainder = '' } = communication;
    if (!comparable(name).startsWith(known)) continue;
    return { name, street, locality, identification, remainder, namedBy: piece };
  }
  const none = { street: '', locality: '', identification: '', remainder: '' };
  return { name: counterparty.name, ...none, namedBy: undefined };
}

/** Returns a text without differences of case and spaces. */
export function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '');
}
