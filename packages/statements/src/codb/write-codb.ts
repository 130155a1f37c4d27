import type { PayrollBooking, PayrollLine } from './payroll-booking.js';
import { formatPayrollAmount } from './payroll-values.js';
import { writeXml, type XmlNode } from './xml/write-xml.js';

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
  const document: XmlNode = [
    'SocialDocument',
    [['Source', source], ['Version', version], ...bookings.map(bookingNode)],
  ];
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return new TextEncoder().encode(declaration + writeXml(document));
}

function bookingNode(booking: PayrollBooking): XmlNode {
  return [
    'Social',
    [
      ['SeqNumber', `${booking.sequenceNumber}`],
      ['GenDate', booking.generationDate],
      [
        'Enterprise',
        [
          ['EntNum', `BE${booking.enterpriseNumber}`],
          ['EntLabel', booking.enterpriseName],
        ],
      ],
      ['AccountPeriod', booking.accountPeriod],
      ['Transactions', booking.lines.map(lineNode)],
    ],
  ];
}

function lineNode({ socialPeriod, department, account, label, ...sides }: PayrollLine): XmlNode {
  const amount: XmlNode = [
    'Amount',
    [
      ['Debit', formatPayrollAmount(sides.debit)],
      ['Credit', formatPayrollAmount(sides.credit)],
    ],
  ];
  return [
    'TransactionLine',
    [
      ['SocialPeriod', socialPeriod],
      ['Department', department],
      ['Accounting', [['Account', account], ['Label', label], amount]],
    ],
  ];
}
