import { formatFixedPoint } from '../amount.js';
import { isValidIban } from '../coda/format/check-digits.js';
import { givenText } from '../coda/given-text.js';
import { element, type XmlNode } from '../codb/xml/write-xml.js';

/** An amount without a sign, and the side of the account that it is on. */
export function amountNodes(amount: bigint, currency: string): XmlNode[] {
  const side = element('CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT');
  return [amountNode('Amt', amount, currency), side];
}

export function amountNode(name: string, amount: bigint, currency: string): XmlNode {
  const text = formatFixedPoint(amount < 0n ? -amount : amount, 3).replace(/0$/, '');
  return { name, content: [text], attributes: { Ccy: currency } };
}

/** @param day `YYYY-MM-DD` */
export function date(name: string, day: string | undefined): XmlNode {
  return element(name, element('Dt', day));
}

/** The `Id` of an account: an IBAN, or any other number. */
export function accountIdentification(account: string): XmlNode {
  if (isValidIban(account)) return element('Id', element('IBAN', account));
  const other = limitedText(account, 34) || 'NOTPROVIDED';
  return element('Id', element('Othr', element('Id', other)));
}

/** A bank by its BIC; left out if that is not one. */
export function bank(name: string, bic: string): XmlNode {
  const isBic = /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic) && givenText(bic) !== '';
  return element(name, element('FinInstnId', element('BICFI', isBic ? bic : undefined)));
}

/**
 * Returns a text without line breaks, of at most so many characters (the limits of XML Schema count
 * code points).
 */
export function limitedText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].slice(0, most).join('').trim();
}
