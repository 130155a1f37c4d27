import { formatFixedPoint } from '../amount.js';
import { isValidIban } from '../coda/format/check-digits.js';
import { givenText } from '../coda/given-text.js';
import type { XmlNode } from '../codb/xml/write-xml.js';

/** An amount without a sign, and the side of the account that it is on. */
export function amountNodes(amount: bigint, currency: string): XmlNode[] {
  return [amountNode('Amt', amount, currency), ['CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT']];
}

export function amountNode(name: string, amount: bigint, currency: string): XmlNode {
  const text = formatFixedPoint(amount < 0n ? -amount : amount, 3).replace(/0$/, '');
  return [name, text, { Ccy: currency }];
}

/** @param day `YYYY-MM-DD` */
export function date(name: string, day: string | undefined): XmlNode {
  return [name, day === undefined ? undefined : [['Dt', day]]];
}

/** The `Id` of an account: an IBAN, or any other number. */
export function accountIdentification(account: string): XmlNode {
  if (isValidIban(account)) return ['Id', [['IBAN', account]]];
  return ['Id', [['Othr', [['Id', limitedText(account, 34) || 'NOTPROVIDED']]]]];
}

/** A bank by its BIC; left out if that is not one. */
export function bank(name: string, bic: string): XmlNode {
  const isBic = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic) && givenText(bic) !== '';
  return [name, [['FinInstnId', isBic ? [['BICFI', bic]] : undefined]]];
}

/** Returns a text without line breaks, of at most so many characters (the limits of XML Schema count code points). */
export function limitedText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].slice(0, most).join('').trim();
}
