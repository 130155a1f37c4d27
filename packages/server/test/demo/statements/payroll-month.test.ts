import { readCodb, writeCodb } from '@adx/statements';
import { describe, expect, test } from 'vitest';
import { accountBook } from '../../../src/demo/statements/account-book.js';
import { payslipsOf } from '../../../src/demo/statements/employer.js';
import { payrollDay, payrollMonth } from '../../../src/demo/statements/payroll-month.js';

const employer = { enterpriseNumber: '0161864987', provider: 'sdworx', language: 'nl' } as const;
const heading = { source: 'SD Worx Sociaal Secretariaat', name: 'Bakkerij De Zilveren Halm' };
const periods = ['202601', '202606', '202612'];

describe('demo: payroll files', () => {
  test('§2 CODB: each is read without a finding, so it balances', () => {
    for (const provider of ['sdworx', 'liantis', 'groups', 'ucm']) {
      for (const period of periods) {
        const booking = payrollMonth({ ...employer, provider }, period, heading);
        const { documents, findings } = readCodb(writeCodb([booking]));
        expect(findings).toEqual([]);
        expect(documents).toMatchObject([
          { enterpriseNumber: '0161864987', accountPeriod: period, source: heading.source },
        ]);
      }
    }
  });

  test('demo: numbers rise by one each month, over the turn of a year too', () => {
    const numbers = ['202511', '202512', '202601'].map(
      (period) => payrollMonth(employer, period, heading).sequenceNumber,
    );
    expect(numbers).toEqual([71, 72, 73]);
  });

  test('demo: a month is booked on the third of the next one', () => {
    expect(['202601', '202602', '202612'].map(payrollDay)).toEqual([
      ...['2026-02-03', '2026-03-03', '2027-01-03'],
    ]);
  });

  test('demo: bookings are the same each time, with departments, and a bonus in December', () => {
    const [january, , december] = periods.map((period) => payrollMonth(employer, period, heading));
    expect(payrollMonth(employer, '202601', heading)).toEqual(january);
    expect(new Set(january?.lines.map(({ department }) => department))).toEqual(
      new Set(['Atelier', 'Administratie']),
    );
    expect(january?.lines.some(({ account }) => account === '620300')).toBe(false);
    expect(december?.lines.some(({ account }) => account === '620300')).toBe(true);
  });

  test('demo: the wages of the payroll file are those that leave the account', () => {
    const account = {
      iban: 'BE68068000010434',
      bic: 'GKCCBEBB',
      holder: heading.name,
      enterpriseNumber: employer.enterpriseNumber,
    };
    const net = payslipsOf(employer, '202601').reduce((sum, payslip) => sum + payslip.net, 0n);
    const booking = payrollMonth(employer, '202601', heading);
    const credits = booking.lines.filter(({ account: number }) => number === '455000');
    expect(credits.reduce((sum, { credit }) => sum + credit, 0n)).toBe(net);
    const days = accountBook(account, '2026-01-05');
    const paid = Array.from({ length: 20 }, () => days.next().value).flatMap(
      ({ statement }) => statement?.movements ?? [],
    );
    expect(paid.map(({ amount }) => amount)).toContain(-net);
  });
});
