import { readCoda, readCodb, statementDate } from '@adx/statements';
import { describe, expect, test } from 'vitest';
import {
  codaFiles,
  codbFiles,
  type DemoFile,
} from '../../../src/demo/deliveries/delivered-files.js';
import { isBankingDay } from '../../../src/demo/statements/banking-days.js';

const account = {
  iban: 'BE68068000010434',
  bic: 'GKCCBEBB',
  holder: 'Bakkerij De Zilveren Halm',
  enterpriseNumber: '0161864987',
};
const firstDay = '2026-09-22';
const upTo = '2026-11-20';

/** The dates of the statements in some files, and what was found in them. */
async function datesOf(files: readonly DemoFile[]) {
  const dates: string[] = [];
  for (const { bytes } of files) {
    for await (const { statement, findings } of readCoda(bytes)) {
      expect(findings).toEqual([]);
      dates.push(statementDate(statement ?? expect.fail()));
    }
  }
  return dates;
}

describe('demo: the files of an account', () => {
  test('demo: sixty days, one file a month with several statements, named after its last day', async () => {
    const files = codaFiles(account, { after: '', upTo, firstDay });
    expect(files.map(({ name }) => name)).toEqual([
      ...['2026-09-30.cod', '2026-10-30.cod', '2026-11-20.cod'],
    ]);
    const dates = await datesOf(files);
    const days = Array.from({ length: 60 }, (_, i) =>
      new Date(Date.parse(firstDay) + i * 86_400_000).toISOString().slice(0, 10),
    );
    expect(dates).toEqual(days.filter(isBankingDay));
  });

  test('demo: what was delivered is not delivered again, a new day brings the next statement only', async () => {
    expect(codaFiles(account, { after: upTo, upTo, firstDay })).toEqual([]);
    const files = codaFiles(account, { after: upTo, upTo: '2026-11-23', firstDay });
    expect(await datesOf(files)).toEqual(['2026-11-23']);
  });

  test('demo: after a long time only the last sixty days are caught up', async () => {
    const dates = await datesOf(codaFiles(account, { after: upTo, upTo: '2027-08-31', firstDay }));
    expect(dates[0]).toBe('2027-07-05');
    expect(dates.at(-1)).toBe('2027-08-31');
  });
});

describe('demo: the payroll files of an employer', () => {
  const employer = { enterpriseNumber: '0161864987', provider: 'sdworx', language: 'nl' } as const;
  const heading = { source: 'SD Worx', name: account.holder };
  const names = (after: string, day: string) =>
    codbFiles(employer, heading, { after, upTo: day }).map(({ name }) => name);

  test('demo: a year, one file a month, each as soon as it is booked', () => {
    const year = names('', '2026-11-02');
    expect(year).toHaveLength(12);
    expect([year[0], year.at(-1)]).toEqual(['202510.xml', '202609.xml']);
    expect(names('', '2026-11-03').at(-1)).toBe('202610.xml');
    expect(names('202609', '2026-11-02')).toEqual([]);
    expect(names('202609', '2026-11-03')).toEqual(['202610.xml']);
  });

  test('demo: each is read', () => {
    for (const { bytes } of codbFiles(employer, heading, { after: '', upTo })) {
      expect(readCodb(bytes).findings).toEqual([]);
    }
  });
});
