import { isValidBban } from '../coda/format/check-digits.js';
import { givenText, givenTexts } from '../coda/given-text.js';
import { joinInformation } from '../coda/read/join-information.js';
import type { Information, Movement } from '../coda/statement.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';
import { communicationTexts, informationLines } from '../texts/communication-texts.js';
import { purposesOf } from '../texts/movement-name.js';
import { englishTexts } from '../texts/printed-texts-en.js';
import type { Parties } from './camt053-parties.js';
import { cutText, limitedText } from './camt053-parts.js';
import { breakable, informationTexts, writtenText } from './communication-text.js';
import { creditorReferences } from './creditor-references.js';
import { type EntryPart, isBatch } from './entry-parts.js';
import type { TransactionFields } from './transaction-fields.js';

/** The texts of a transaction. */
export interface TransactionTexts {
  /** Those that the payer wrote. */
  readonly payers: readonly string[];
  /** Those of the bank, in pieces of 500 characters. */
  readonly bank: readonly string[];
}

/**
 * Returns the texts of a transaction, without those that have elements of their own.
 *
 * @param others texts of the entry that it has no room for
 */
export function transactionTexts(
  { sources }: EntryPart,
  fields: TransactionFields,
  { from, namedBy }: Parties,
  others: readonly string[],
): TransactionTexts {
  const { ultimateCreditor, ultimateDebtor } = fields;
  const elements: readonly unknown[] = [namedBy?.communication, ultimateCreditor, ultimateDebtor];
  const isText = ({ communication }: Information) => !elements.includes(communication);
  const isElement = (piece: Information) => !isText(piece);
  const bank = uniqueTexts([
    ...(sources.length === 0 ? [englishTexts.difference] : []),
    ...sources.flatMap((source) => bankTexts(source, fields)),
  ]);
  const seen = new Set<string>();
  const once = (texts: readonly string[]) =>
    givenTexts(texts).filter((text) => !seen.has(text) && seen.add(text));
  const information = sources.flatMap((source) =>
    informationLines(joinInformation(source.information.filter(isText)), englishTexts, once),
  );
  const more = uniqueTexts([
    ...sources.flatMap((source) => source.information.filter(isElement).map(remainderOf)),
    ...othersOf(sources, fields, from),
    ...others,
  ]);
  return {
    payers: uniqueTexts(sources.map(({ communication }) => writtenText(communication))),
    bank: cutText([...bank, ...information.map(breakable), ...more].join(' '), 500),
  };
}

/** Returns the references and the counterparties of sources for which there is no element left. */
function othersOf(
  sources: readonly Movement[],
  { endToEndId }: TransactionFields,
  from: Movement | undefined,
): string[] {
  const { name, account } = from?.counterparty ?? { name: '', account: '' };
  // The reference of a batch is that of its entry.
  const payments = sources.filter((source) => !isBatch(source));
  const references = uniqueTexts(payments.map(({ customerReference }) => customerReference));
  const parties = uniqueTexts(
    sources.flatMap((source) => [source.counterparty.name, source.counterparty.account]),
  );
  return [
    ...references
      .filter((text) => text !== endToEndId)
      .map((text) => `${englishTexts.yourReference} ${text}`),
    ...parties.filter((text) => text !== givenText(name) && text !== givenText(account)),
  ];
}

/** Returns the text after the last field of a communication. */
function remainderOf({ communication }: Information): string {
  return communication.kind === 'structured' ? (communication.remainder ?? '') : '';
}

function uniqueTexts(texts: readonly string[]): string[] {
  return [...new Set(givenTexts(texts))];
}

/** Returns the texts of a structured communication that are neither the payer's nor an element. */
function bankTexts(movement: Movement, fields: TransactionFields): string[] {
  const { purpose, categoryPurpose } = movement;
  // `Purp` has room for one of them.
  const isSecond = givenText(purpose) !== '' && categoryPurpose !== purpose;
  const category = isSecond ? purposesOf({ ...movement, purpose: '' }, englishTexts) : [];
  return [...communicationOfBank(movement, fields), ...category];
}

function communicationOfBank(
  { communication, amount }: Movement,
  fields: TransactionFields,
): string[] {
  if (communication.kind === 'unknown') return [communication.text];
  if (communication.kind === 'free' || /^10[012]$/.test(communication.type)) return [];
  const elements: Readonly<Record<string, unknown>> = { ...fields, number: fields.chequeNumber };
  const isReference = (name: string, value: unknown) =>
    communication.type === '105' && name === 'reference' && isValidBban(String(value));
  const { own, labelled } = communicationTexts(
    communication,
    englishTexts,
    amount < 0n ? -amount : amount,
    (name, value) => name === 'text' || elements[name] === value || isReference(name, value),
  );
  return [...own, ...labelled].map(breakable);
}

/**
 * Returns the payer's texts, the references of the creditor as such, and what `AddtlTxInf` has no
 * room for.
 */
export function remittance(
  sources: readonly Movement[],
  { payers, bank }: TransactionTexts,
): XmlNode {
  const communications = sources.map(({ communication }) => communication);
  const references = creditorReferences(communications, [
    ...payers,
    ...communications.map((each) => (each.kind === 'unknown' ? each.text : '')),
    ...sources.flatMap((source) => [source.customerReference, ...informationTexts(source)]),
  ]);
  const pieces = cutText(bank.slice(1).join(' '), 140);
  const triples = pieces.flatMap((_, index) =>
    index % 3 === 0 ? [pieces.slice(index, index + 3)] : [],
  );
  return element(
    'RmtInf',
    ...payers.flatMap((text) => cutText(text, 140)).map((text) => element('Ustrd', text)),
    ...references.map(({ issuer, reference }) =>
      element(
        'Strd',
        element(
          'CdtrRefInf',
          element('Tp', element('CdOrPrtry', element('Cd', 'SCOR')), element('Issr', issuer)),
          element('Ref', limitedText(reference, 35)),
        ),
      ),
    ),
    ...triples.map((texts) =>
      element('Strd', ...texts.map((text) => element('AddtlRmtInf', text))),
    ),
  );
}
