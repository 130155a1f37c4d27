import { ChildElements } from './child-elements.js';
import type { CodbReport } from './codb-report.js';
import type { PayrollLine } from './payroll-booking.js';
import { isPeriod, parsePayrollAmount } from './payroll-values.js';
import type { XmlElement } from './xml/parse-xml.js';

/**
 * Reads a `TransactionLine`, which is one payroll line per `Accounting`; undefined if one has an
 * error.
 */
export function readPayrollLines(
  element: XmlElement,
  path: string,
  report: CodbReport,
): PayrollLine[] | undefined {
  const names = ['SocialPeriod', 'Department', 'Accounting'];
  const line = new ChildElements(element, path, names, report);
  const socialPeriod = readPeriod(line, 'SocialPeriod', report);
  const department = line.optionalText('Department');
  const accountings = line.requiredGroups('Accounting', ['Account', 'Label', 'Amount']);
  const read = accountings.flatMap((accounting) => readAccounting(accounting, report) ?? []);
  if (socialPeriod === undefined || read.length === 0) return undefined;
  if (read.length < accountings.length) return undefined;
  return read.map((one) => ({ socialPeriod, department, ...one }));
}

function readAccounting(
  accounting: ChildElements,
  report: CodbReport,
): Omit<PayrollLine, 'socialPeriod' | 'department'> | undefined {
  const account = accounting.requiredText('Account');
  const label = accounting.optionalText('Label');
  if (label === undefined) {
    report.add('labelMissing', accounting.parent.start, { field: `${accounting.path}/Label` });
  }
  const sides = readSides(accounting, report);
  if (account === undefined || !sides) return undefined;
  return { account, label: label ?? '', ...sides };
}

/** Reads a month; undefined if it is invalid, which is an error. */
export function readPeriod(
  elements: ChildElements,
  name: string,
  report: CodbReport,
): string | undefined {
  const period = elements.requiredText(name);
  if (period === undefined || isPeriod(period)) return period;
  report.add('period', offsetOf(elements, name), { field: name, found: shortened(period) });
  return undefined;
}

function readSides(
  accounting: ChildElements,
  report: CodbReport,
): Pick<PayrollLine, 'debit' | 'credit'> | undefined {
  const amount = accounting.requiredGroup('Amount', ['Debit', 'Credit']);
  if (!amount) return undefined;
  const [hasDebit, hasCredit] = ['Debit', 'Credit'].map((name) =>
    amount.all(name).some(({ text }) => text !== ''),
  );
  if (!hasDebit && !hasCredit) {
    report.add('missingElement', amount.parent.start, { field: `${amount.path}/Debit` });
    return undefined;
  }
  const debit = readAmount(amount, 'Debit', report);
  const credit = readAmount(amount, 'Credit', report);
  if (debit === undefined || credit === undefined) return undefined;
  if (debit !== 0n && credit !== 0n) {
    report.add('debitAndCredit', amount.parent.start, { field: amount.path });
    return undefined;
  }
  return { debit, credit };
}

function readAmount(
  amount: ChildElements,
  name: 'Debit' | 'Credit',
  report: CodbReport,
): bigint | undefined {
  const text = amount.optionalText(name);
  const offset = offsetOf(amount, name);
  if (text === undefined) {
    report.add('sideMissing', offset, { field: `${amount.path}/${name}` });
    return 0n;
  }
  const read = parsePayrollAmount(text);
  if (!read) {
    report.add('amount', offset, { field: name, found: shortened(text) });
    return undefined;
  }
  if (!read.hasTwoDecimals) {
    report.add('amountDecimals', offset, { field: name, found: text });
  }
  if (read.thousandths < 0n) report.add('negativeAmount', offset, { field: name, found: text });
  return read.thousandths;
}

/** The beginning of a text, for a finding. */
export function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The offset of the content of the child of that name, else of the parent. */
export function offsetOf(elements: ChildElements, name: string): number {
  return elements.all(name)[0]?.contentStart ?? elements.parent.start;
}
