import type { PayrollBooking, PayrollLine } from '@adx/statements';
import { addDays } from '../../dates/brussels-day.js';
import { type Employer, type Payslip, payslipsOf } from './employer.js';
import { statementTexts } from './texts.js';

/** What a payroll provider writes on its files. */
export interface PayrollHeading {
  /** The provider as it writes its name. */
  readonly source: string;
  /** The employer's name. */
  readonly name: string;
}

/** The booking of a month's payroll, `YYYYMM`: by department, balanced. */
export function payrollMonth(
  employer: Employer,
  period: string,
  { source, name }: PayrollHeading,
): PayrollBooking {
  const payslips = payslipsOf(employer, period);
  const departments = [0, 1].filter((number) =>
    payslips.some(({ department }) => department === number),
  );
  return {
    source,
    version: '1.2',
    sequenceNumber: (Number(period.slice(0, 4)) - 2020) * 12 + Number(period.slice(4)),
    generationDate: payrollDay(period),
    enterpriseNumber: employer.enterpriseNumber,
    enterpriseName: name,
    accountPeriod: period,
    lines: departments.flatMap((number) =>
      linesOf(
        payslips.filter(({ department }) => department === number),
        { employer, period, number },
      ),
    ),
  };
}

/** The day on which the payroll of a month is booked: the third of the next one. */
export function payrollDay(period: string): string {
  const first = `${period.slice(0, 4)}-${period.slice(4)}-01`;
  return `${addDays(first, 31).slice(0, 8)}03`;
}

function linesOf(
  payslips: readonly Payslip[],
  place: { readonly employer: Employer; readonly period: string; readonly number: number },
): PayrollLine[] {
  const texts = statementTexts[place.employer.language];
  const department = texts.departments[place.number];
  const sum = (of: (payslip: Payslip) => bigint) =>
    payslips.reduce((total, payslip) => total + of(payslip), 0n);
  const line = (account: string, label: string, debit: bigint, credit: bigint) => ({
    ...{ socialPeriod: place.period, department, account, label, debit, credit },
  });
  return [
    line(
      '620200',
      texts.gross,
      sum(({ gross }) => gross),
      0n,
    ),
    line(
      '620300',
      texts.bonus,
      sum(({ bonus }) => bonus),
      0n,
    ),
    line(
      '621000',
      texts.employerShare,
      sum(({ employerShare }) => employerShare),
      0n,
    ),
    line(
      '453000',
      texts.withheldTax,
      0n,
      sum(({ withheldTax }) => withheldTax),
    ),
    line(
      '454000',
      texts.socialSecurity,
      0n,
      sum(({ socialSecurity, employerShare }) => socialSecurity + employerShare),
    ),
    line(
      '455000',
      texts.netWages,
      0n,
      sum(({ net }) => net),
    ),
  ].filter(({ debit, credit }) => debit + credit > 0n);
}
