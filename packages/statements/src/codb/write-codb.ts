import type { PayrollBooking, PayrollLine } from './payroll-booking.js';
import { formatPayrollAmount } from './payroll-values.js';
import { element, writeXml, type XmlNode } from './xml/write-xml.js';

/**
 * Writes a payroll file in UTF-8, of one or more bookings with the same source and version.
 *
 * @throws {RangeError} if there is no booking, the bookings differ in source or version, or an
 *   amount has a third decimal
 */
export function writeCodb(bookings: readonly PayrollBooking[]): Uint8Array {
  const [first] = bookings;
  if (!first) throw new RangeError('A payroll file has at least one booking');
  const { source, version } = first;
  if (bookings.some((booking) => booking.source !== source || booking.version !== version)) {
    throw new RangeError('The bookings of a payroll file have the same source and version');
  }
  const document = element(
    'SocialDocument',
    element('Source', source),
    element('Version', version),
    ...bookings.map(bookingNode),
  );
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return new TextEncoder().encode(declaration + writeXml(document));
}

function bookingNode(booking: PayrollBooking): XmlNode {
  return element(
    'Social',
    element('SeqNumber', `${booking.sequenceNumber}`),
    element('GenDate', booking.generationDate),
    element(
      'Enterprise',
      element('EntNum', `BE${booking.enterpriseNumber}`),
      element('EntLabel', booking.enterpriseName),
    ),
    element('AccountPeriod', booking.accountPeriod),
    // The element is required, also without lines.
    element('Transactions', ...(booking.lines.length === 0 ? [' '] : booking.lines.map(lineNode))),
  );
}

function lineNode({ socialPeriod, department, account, label, ...sides }: PayrollLine): XmlNode {
  const debit = element('Debit', formatPayrollAmount(sides.debit));
  const credit = element('Credit', formatPayrollAmount(sides.credit));
  return element(
    'TransactionLine',
    element('SocialPeriod', socialPeriod),
    element('Department', department),
    element(
      'Accounting',
      element('Account', account),
      element('Label', label),
      element('Amount', debit, credit),
    ),
  );
}
