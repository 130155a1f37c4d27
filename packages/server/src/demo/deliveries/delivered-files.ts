import { type StatementDraft, writeCoda, writeCodb } from '@adx/statements';
import { addDays } from '../../dates/brussels-day.js';
import { accountBook, type DemoAccount } from '../statements/account-book.js';
import type { Employer } from '../statements/employer.js';
import { type PayrollHeading, payrollDay, payrollMonth } from '../statements/payroll-month.js';

/** How far back the demo's files go: in days, and in months. */
export const statementDays = 60;
const payrollMonths = 12;

/** A file for an upload bucket. */
export interface DemoFile {
  /** Of its last day or its month: names of one source sort as its files follow each other. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Which files of a source: those after one that was delivered, up to a day. */
export interface Stretch {
  /** The name of the last file that was delivered, without its extension. */
  readonly after: string;
  /** `YYYY-MM-DD` */
  readonly upTo: string;
}

/** The statements of an account, one file for each month: days that are long ago are left out. */
export function codaFiles(
  account: DemoAccount,
  { after, upTo, firstDay }: Stretch & { readonly firstDay: string },
): DemoFile[] {
  const from = addDays(upTo, 1 - statementDays);
  const months = new Map<string, { last: string; statements: StatementDraft[] }>();
  for (const { day, statement } of accountBook(account, firstDay)) {
    if (day > upTo) break;
    if (statement === undefined || day <= after || day < from) continue;
    const month = day.slice(0, 7);
    const statements = months.get(month)?.statements ?? [];
    months.set(month, { last: day, statements: [...statements, statement] });
  }
  return [...months.values()].map(({ last, statements }) => ({
    name: `${last}.cod`,
    bytes: writeCoda(statements),
  }));
}

/** The payroll of an employer, one file for each month that is booked: a year at most. */
export function codbFiles(
  employer: Employer,
  heading: PayrollHeading,
  { after, upTo }: Stretch,
): DemoFile[] {
  return monthsBefore(upTo, payrollMonths + 1)
    .filter((period) => payrollDay(period) <= upTo)
    .slice(-payrollMonths)
    .filter((period) => period > after)
    .map((period) => ({
      name: `${period}.xml`,
      bytes: writeCodb([payrollMonth(employer, period, heading)]),
    }));
}

/** So many months before that of a day, `YYYYMM`, the latest last. */
function monthsBefore(day: string, number: number): string[] {
  const months: string[] = [];
  let first = `${day.slice(0, 8)}01`;
  while (months.length < number) {
    first = `${addDays(first, -1).slice(0, 8)}01`;
    months.unshift(first.slice(0, 7).replace('-', ''));
  }
  return months;
}
