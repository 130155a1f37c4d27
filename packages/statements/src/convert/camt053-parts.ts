import { formatFixedPoint } from '../amount.js';
import { isValidIban } from '../coda/format/check-digits.js';
import { givenText } from '../coda/given-text.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';

/** The versions of CAMT.053 that can be written. */
export const camtVersions = ['02', '04', '08'] as const;
export type CamtVersion = (typeof camtVersions)[number];

/** Returns an amount without a sign, and the side of the account that it is on. */
export function amountNodes(amount: bigint, currency: string): XmlNode[] {
  return [amountNode('Amt', amount, currency), sideNode(amount)];
}

function sideNode(amount: bigint): XmlNode {
  return element('CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT');
}

export function amountNode(name: string, amount: bigint, currency: string): XmlNode {
  const text = formatFixedPoint(amount < 0n ? -amount : amount, 3).replace(/0$/, '');
  return { name, content: [text], attributes: { Ccy: currency } };
}

/** @param day `YYYY-MM-DD` */
export function date(name: string, day: string | undefined): XmlNode {
  return element(name, element('Dt', day));
}

/** Returns the `Id` of an account: an IBAN, or any other number. */
export function accountIdentification(account: string): XmlNode {
  if (isValidIban(account)) return element('Id', element('IBAN', account));
  const other = limitedText(account, 34) || 'NOTPROVIDED';
  return element('Id', element('Othr', element('Id', other)));
}

/** Returns a bank by its BIC; left out if that is not one. */
export function bank(name: string, bic: string, version: CamtVersion): XmlNode {
  const isBic = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic) && givenText(bic) !== '';
  const code = element(version === '02' ? 'BIC' : 'BICFI', isBic ? bic : undefined);
  return element(name, element('FinInstnId', code));
}

/** Returns a party of a transaction, of which version 08 says that it is no bank. */
export function party(name: string, version: CamtVersion, ...content: XmlNode[]): XmlNode {
  return version === '08' ? element(name, element('Pty', ...content)) : element(name, ...content);
}

export function nameNode(name: string): XmlNode {
  return element('Nm', limitedText(givenText(name), 140));
}

/**
 * Returns a text without line breaks, of at most so many characters (the limits of XML Schema count
 * code points).
 */
export function limitedText(text: string, most: number): string {
  const { value: first = '' } = piecesOf(text, most).next();
  return first;
}

/** Returns a reference as it was given, with all its spaces, of at most 35 characters. */
export function reference(text: string): string {
  return text.length <= 35 ? text : [...text].slice(0, 35).join('');
}

/**
 * Cuts a text into pieces of at most so many characters, at a space if there is one in their second
 * half. The pieces have all of it, with each run of white space as one space.
 */
export function cutText(text: string, most: number): string[] {
  return [...piecesOf(text, most)];
}

function* piecesOf(text: string, most: number): Generator<string, undefined> {
  const line = text.replace(/\s+/g, ' ').trim();
  // Most texts are short, and code points need an array.
  if (line.length <= most) {
    if (line !== '') yield line;
    return;
  }
  const characters = [...line];
  for (let from = 0; from < characters.length; ) {
    let to = Math.min(from + most, characters.length);
    if (to < characters.length) {
      const space = characters.slice(from, to + 1).lastIndexOf(' ');
      if (space > most / 2) to = from + space;
    }
    yield characters.slice(from, to).join('').trim();
    from = characters[to] === ' ' ? to + 1 : to;
  }
}
