import type { PayrollBooking, PayrollLine } from './payroll-booking.js';
import { formatPayrollAmount } from './payroll-values.js';
import { forbiddenCharacter } from './xml-references.js';

/**
 * Writes a payroll file in UTF-8, of one or more bookings with the same source and version.
 *
 * @throws {RangeError} if there is no booking, the bookings differ in source or version, or an amount
 *   has a third decimal
 */
export function writeCodb(bookings: readonly PayrollBooking[]): Uint8Array {
  const [first] = bookings;
  if (!first) throw new RangeError('A payroll file has at least one booking');
  const { source, version } = first;
  if (bookings.some((booking) => booking.source !== source || booking.version !== version)) {
    throw new RangeError('The bookings of a payroll file have the same source and version');
  }
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<SocialDocument>',
    `  ${element('Source', source)}`,
    `  ${element('Version', version)}`,
    ...bookings.flatMap(writeBooking),
    '</SocialDocument>',
    '',
  ];
  return new TextEncoder().encode(xml.join('\n'));
}

function writeBooking(booking: PayrollBooking): string[] {
  return [
    '  <Social>',
    `    ${element('SeqNumber', `${booking.sequenceNumber}`)}`,
    `    ${element('GenDate', booking.generationDate)}`,
    '    <Enterprise>',
    `      ${element('EntNum', `BE${booking.enterpriseNumber}`)}`,
    `      ${element('EntLabel', booking.enterpriseName)}`,
    '    </Enterprise>',
    `    ${element('AccountPeriod', booking.accountPeriod)}`,
    '    <Transactions>',
    ...booking.lines.flatMap(writeLine),
    '    </Transactions>',
    '  </Social>',
  ];
}

function writeLine({ socialPeriod, department, ...accounting }: PayrollLine): string[] {
  return [
    '      <TransactionLine>',
    `        ${element('SocialPeriod', socialPeriod)}`,
    ...(department === undefined ? [] : [`        ${element('Department', department)}`]),
    '        <Accounting>',
    `          ${element('Account', accounting.account)}`,
    `          ${element('Label', accounting.label)}`,
    '          <Amount>',
    `            ${element('Debit', formatPayrollAmount(accounting.debit))}`,
    `            ${element('Credit', formatPayrollAmount(accounting.credit))}`,
    '          </Amount>',
    '        </Accounting>',
    '      </TransactionLine>',
  ];
}

function element(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`;
}

const forbidden = new RegExp(forbiddenCharacter, 'gu');
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for XML. A literal carriage return would be read as a line feed; XML forbids other control characters. */
export function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => escapes[character] ?? character)
    .replace(/\r/g, '&#13;')
    .replace(forbidden, '\uFFFD');
}
