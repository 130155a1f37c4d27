import { ChildElements } from './child-elements.js';
import type { CodbReport } from './codb-report.js';
import { type PayrollBooking, type PayrollLine, totalPayrollLines } from './payroll-booking.js';
import {
  digitsOfEnterpriseNumber,
  formatPayrollAmount,
  isEnterpriseNumber,
  lastDayOf,
  parseDate,
} from './payroll-values.js';
import { offsetOf, readPayrollLines, readPeriod, shortened } from './read-payroll-line.js';
import type { XmlElement } from './xml/parse-xml.js';

const names = ['SeqNumber', 'GenDate', 'Enterprise', 'AccountPeriod', 'Transactions'];

/** The part of a file that its bookings share. */
export type PayrollFileHead = Pick<PayrollBooking, 'source' | 'version'>;

/** Reads a `Social`; undefined if it has an error. */
export function readPayrollBooking(
  element: XmlElement,
  path: string,
  head: PayrollFileHead,
  report: CodbReport,
): PayrollBooking | undefined {
  const social = new ChildElements(element, path, names, report);
  const sequenceNumber = readSequenceNumber(social, report);
  const accountPeriod = readPeriod(social, 'AccountPeriod', report);
  const generationDate = readGenerationDate(social, accountPeriod, report);
  const enterprise = readEnterprise(social, report);
  const lines = readLines(social, report);
  if (sequenceNumber === undefined || generationDate === undefined) return undefined;
  if (accountPeriod === undefined || !enterprise || !lines) return undefined;
  return { ...head, sequenceNumber, generationDate, ...enterprise, accountPeriod, lines };
}

function readSequenceNumber(social: ChildElements, report: CodbReport): number | undefined {
  const text = social.requiredText('SeqNumber');
  if (text === undefined) return undefined;
  if (/^\+?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  report.add('sequenceNumber', offsetOf(social, 'SeqNumber'), { found: shortened(text) });
  return undefined;
}

function readGenerationDate(
  social: ChildElements,
  accountPeriod: string | undefined,
  report: CodbReport,
): string | undefined {
  const text = social.optionalText('GenDate');
  const offset = offsetOf(social, 'GenDate');
  if (text === undefined) {
    if (accountPeriod === undefined) return undefined;
    report.add('dateMissing', offset);
    return lastDayOf(accountPeriod);
  }
  const date = parseDate(text);
  if (date !== undefined) return date;
  report.add('date', offset, { field: 'GenDate', found: shortened(text) });
  return undefined;
}

function readEnterprise(
  social: ChildElements,
  report: CodbReport,
): Pick<PayrollBooking, 'enterpriseNumber' | 'enterpriseName'> | undefined {
  const enterprise = social.requiredGroup('Enterprise', ['EntNum', 'EntLabel']);
  if (!enterprise) return undefined;
  const number = enterprise.requiredText('EntNum');
  const enterpriseName = enterprise.optionalText('EntLabel');
  if (enterpriseName === undefined) {
    report.add('labelMissing', enterprise.parent.start, { field: `${enterprise.path}/EntLabel` });
  }
  if (number === undefined) return undefined;
  const enterpriseNumber = digitsOfEnterpriseNumber(number);
  const offset = offsetOf(enterprise, 'EntNum');
  if (!isEnterpriseNumber(enterpriseNumber)) {
    report.add('enterpriseNumber', offset, { found: shortened(number) });
    return undefined;
  }
  const expected = `BE${enterpriseNumber}`;
  if (number !== expected) {
    report.add('enterpriseNumberForm', offset, { found: shortened(number), expected });
  }
  return { enterpriseNumber, enterpriseName: enterpriseName ?? '' };
}

function readLines(social: ChildElements, report: CodbReport): PayrollLine[] | undefined {
  const transactions = social.requiredGroup('Transactions', ['TransactionLine']);
  if (!transactions) return undefined;
  const elements = transactions.all('TransactionLine');
  if (elements.length === 0) {
    report.add('noLines', transactions.parent.start);
  }
  const read = elements.flatMap((element, index) => {
    const path = `${transactions.path}/TransactionLine[${index + 1}]`;
    const ofElement = readPayrollLines(element, path, report);
    return ofElement ? [ofElement] : [];
  });
  // The balance cannot be checked with lines missing.
  if (read.length < elements.length) return undefined;
  const lines = read.flat();
  const { debit, credit } = totalPayrollLines(lines);
  if (debit === credit) return lines;
  const [found, expected] = [formatPayrollAmount(debit), formatPayrollAmount(credit)];
  report.add('balance', transactions.parent.start, { found, expected });
  return undefined;
}
