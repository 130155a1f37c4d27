import { givenText, givenTexts } from '../coda/given-text.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Information, Movement } from '../coda/statement.js';
import { formatAccount } from '../texts/belgian-format.js';
import {
  communicationTexts,
  informationLines,
  separator,
  unbroken,
} from '../texts/communication-texts.js';
import { comparable, counterpartyOf } from '../texts/counterparty.js';
import { purposesOf, reasonName } from '../texts/movement-name.js';
import type { PrintedTexts } from '../texts/printed-texts.js';
import { type TextStyle, textStyles } from './layout/pdf-sheet.js';

export type StyledText = readonly [text: string, style: TextStyle];

/**
 * Describes a movement below its name: the counterparty, the communication, references, and these
 * pieces of information. No text is there twice: banks repeat names, communications and amounts in
 * other fields and records (D-46).
 *
 * @param seen the texts that the total of a detail has; those of the movement are added
 */
export function describeMovement(
  movement: Movement,
  information: readonly Information[],
  texts: PrintedTexts,
  plain: TextStyle,
  seen: Set<string>,
): StyledText[] {
  const { counterparty, details } = movement;
  const once = (parts: readonly string[]) => newTexts(parts, seen);
  const party = counterpartyOf(movement, information);
  const others = information.filter((piece) => piece !== party.namedBy);
  const address = [
    givenTexts([party.street, party.locality]).join(', '),
    ...[party.identification, party.remainder],
  ];
  const bank = [noBreak(formatAccount(givenText(counterparty.account))), counterparty.bic];
  const name = once([party.name]);
  // The name of the movement has its reason already.
  once([counterparty.name, `${texts.fields.reason} ${reasonName(movement, texts)}`]);
  const remittance = [...remittanceTexts(movement, texts), ...references(movement, texts)];
  const shared = sharedTexts(details, texts);
  return [
    [[...name, ...once(bank), ...once(address)].join(separator), plain],
    [once([...remittance, ...shared]).join(separator), plain],
    ...informationLines(others, texts, once).map((text) => [text, textStyles.quiet] as const),
  ];
}

/** Returns the texts of a movement's communication. */
function remittanceTexts({ amount, communication }: Movement, texts: PrintedTexts): string[] {
  const { own, labelled } = communicationTexts(
    communication,
    texts,
    amount < 0n ? -amount : amount,
  );
  return [...own, ...labelled];
}

/**
 * Returns the texts that all details have, which are printed once, with their total. Those of other
 * types of communication are not compared: the base of a fee is not that of its VAT.
 */
function sharedTexts(details: readonly Movement[], texts: PrintedTexts): readonly string[] {
  const types = new Set(details.map(({ communication }) => ({ type: '', ...communication }).type));
  const [first = [], ...others] = details.map((detail) => remittanceTexts(detail, texts));
  if (types.size > 1 || others.length === 0) return [];
  return first.filter((text) => others.every((other) => other.includes(text)));
}

/**
 * Returns the texts of a total that its details do not repeat. What only some of them have tells
 * them apart, and stays.
 */
export function textsOfAllDetails(
  seen: ReadonlySet<string>,
  details: readonly Movement[],
  texts: PrintedTexts,
): ReadonlySet<string> {
  const ofEach = details.map((detail) => {
    const own = new Set<string>();
    describeMovement(detail, joinInformation(detail.information), texts, textStyles.quiet, own);
    return own;
  });
  return new Set(
    [...seen].filter((text) => {
      const count = ofEach.filter((each) => each.has(text)).length;
      return count === 0 || count === details.length;
    }),
  );
}

/** Returns the customer's reference and the purposes. */
function references(movement: Movement, texts: PrintedTexts): string[] {
  const reference = givenText(movement.customerReference);
  return [
    ...(reference === '' ? [] : [`${texts.yourReference} ${reference}`]),
    ...purposesOf(movement, texts),
  ].map(unbroken);
}

/** Returns the texts that say something and have not been seen, and adds them to those seen. */
function newTexts(texts: readonly string[], seen: Set<string>): string[] {
  return givenTexts(texts).filter((text) => {
    const key = comparable(text);
    return !seen.has(key) && seen.add(key);
  });
}

function noBreak(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}
