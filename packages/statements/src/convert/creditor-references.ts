import { isValidBban, isValidCreditorReference } from '../coda/format/check-digits.js';
import type { MovementCommunication } from '../coda/format/movement-layouts.js';
import { givenText } from '../coda/given-text.js';

/** The reference that a creditor gave for a payment: 12 digits of Belgium, or ISO 11649. */
export interface CreditorReference {
  readonly issuer: 'BBA' | 'ISO';
  /** Without spaces and signs. */
  readonly reference: string;
}

/**
 * The forms of a Belgian reference: `090/9337/55493`, with the signs and blanks that payers type,
 * `+++090933755493+++`, or 12 digits before any text or
 * after such a label. An IBAN ends in such digits too, and so does
 * a reference of ISO 11649.
 */
const belgian = [
  /(?<!\d|\d[/.-]|\b(?:BE|RF)\d\d[ .-])\d{3}( ?[/.-] ?| )\d{4}\1\d{5}(?![\d/])/g,
  /[+*]{3} ?\d{12} ?[+*]{3}/g,
  /^[^\p{L}\d]*\d{12}(?![\d/])/gu,
  /\b(?:OGM|VCS|REF(?:ERTE|ERENCE|ERENTIE)?|MEDEDELING|COMMUNICATION|FACTUUR|FACTURE)\W{1,3}\d{12}(?![\d/])/gi,
];
/** `RF18539007547034`, or in groups of four. */
const iso =
  /(?<![A-Z\d])RF\d\d(?:[ -]?[A-Z\d]{5,21}|[A-Z\d]{1,21}|(?:[ -](?!RF\d\d)[A-Z\d]{4}){0,5}(?:[ -](?!RF\d\d)[A-Z\d]{1,4})?)(?![A-Z\d])/gi;

/**
 * Returns the creditor's references of a transaction: those of structured communications as the
 * payer gave them, and others wherever they stand in its texts, if their check digits are right.
 */
export function creditorReferences(
  communications: readonly MovementCommunication[],
  texts: readonly string[],
): CreditorReference[] {
  const found = [...communications.flatMap(structuredReference), ...texts.flatMap(referencesIn)];
  return [...new Map(found.map((each) => [each.reference, each])).values()];
}

function structuredReference(communication: MovementCommunication): CreditorReference[] {
  if (communication.kind !== 'structured') return [];
  const { type } = communication;
  const isGiven = type === '100' || type === '101' || type === '102';
  if (!isGiven && type !== '105') return [];
  const reference = givenText(communication.reference);
  if (reference === '' || (type === '105' && !isValidBban(reference))) return [];
  return [{ issuer: type === '100' ? 'ISO' : 'BBA', reference }];
}

function referencesIn(text: string): CreditorReference[] {
  const ofBelgium = belgian
    .flatMap((form) => [...text.matchAll(form)])
    .map(([match]) => match.replaceAll(/\D/g, ''));
  const ofIso = [...text.matchAll(iso)].flatMap(([match]) => validStart(match) ?? []);
  return [
    ...ofBelgium.filter(isValidBban).map((reference) => ({ issuer: 'BBA', reference }) as const),
    ...ofIso.map((reference) => ({ issuer: 'ISO', reference }) as const),
  ];
}

/** Returns the longest beginning of groups that is a reference; words may follow it. */
function validStart(text: string): string | undefined {
  const groups = text.toUpperCase().split(/[ -]/);
  for (let count = groups.length; count > 0; count -= 1) {
    const reference = groups.slice(0, count).join('');
    if (isValidCreditorReference(reference)) return reference;
  }
  return undefined;
}
