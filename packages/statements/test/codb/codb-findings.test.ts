import { describe, expect, test } from 'vitest';
import { type CodbFindingCode, codbFindings } from '../../src/codb/findings/finding-catalogue.js';
import { readCodb } from '../../src/codb/read-codb.js';
import { xmlLimits } from '../../src/codb/xml/xml-fault.js';
import { changed, codesOf, payrollFile, social } from './payroll-file.js';

const manyBookings = (): string => {
  const booking = (_: unknown, index: number) => `<Social><SeqNumber>${index}</SeqNumber></Social>`;
  const comment = `<Source><!--${' '.repeat(1_000_000)}-->S`;
  const socials = Array.from({ length: 30 }, booking);
  return changed('<Source>', comment, payrollFile(...socials));
};

/** A file with findings of one code only, and their positions with the details in the message. */
type Case = readonly [file: () => string | Uint8Array, ...said: string[]];

const errors = {
  fileTooLarge: [() => new Uint8Array(xmlLimits.fileBytes + 1), '1:1 more than 26214400 bytes'],
  unknownEncoding: [() => changed('UTF-8', 'EBCDIC-CP-BE'), '1:1 EBCDIC-CP-BE'],
  invalidEncoding: [
    () => Buffer.concat([Buffer.from(payrollFile()), Buffer.of(0xe9)]),
    '1:1 utf-8',
  ],
  malformedXml: [() => changed('</Source>', '</Sauce>'), '3:41 expected </Source>'],
  forbiddenDoctype: [
    () => changed('<SocialDocument', '<!DOCTYPE SocialDocument><SocialDocument'),
    '2:1',
  ],
  forbiddenEntity: [() => changed('Groep', '&groep;'), '3:11 &groep;'],
  nestedTooDeep: [() => changed('Groep', '<a>'.repeat(xmlLimits.depth)), '3:53 more than 16'],
  tooManyElements: [
    () => changed('<Source>', `<Source>${'<a/>'.repeat(xmlLimits.elements)}`),
    '3:2000003 more than 500000',
  ],
  tagTooLong: [
    () => changed('<Source', `<Source a="${'x'.repeat(xmlLimits.tagLength)}"`),
    '3:3 more than 4096 characters',
  ],
  noBooking: [() => payrollFile('<!-- none -->'), '2:1'],
  tooManyBookings: [manyBookings, '2:1'],
  repeatedBooking: [() => payrollFile(social(), social()), '31:3 Social[2]'],
  missingElement: [
    () => changed(/<Account>.*<\/Account>/, ''),
    '14:9 Social/Transactions/TransactionLine[1]/Accounting/Account',
  ],
  repeatedElement: [
    () => changed('<Account>', '<Account>1</Account><Account>'),
    '15:31 Social/Transactions/TransactionLine[1]/Accounting/Account',
  ],
  textTooLong: [() => changed('Groep', 'G'.repeat(1000)), '3:11 Source, 1025 instead of ≤ 1000'],
  sequenceNumber: [() => changed('>7<', '>7a<'), '6:16 7a'],
  date: [() => changed('2024-02-02', '2023-02-29'), '7:14 GenDate, 2023-02-29'],
  enterpriseNumber: [() => changed('BE0403019261', 'BE0403019262'), '8:25 BE0403019262'],
  period: [
    () => changed('SocialPeriod>202401', 'SocialPeriod>202413'),
    '12:23 SocialPeriod, 202413',
  ],
  amount: [() => changed('1234.56', '1234,56'), '17:26 Debit, 1234,56'],
  debitAndCredit: [
    () => changed('<Credit>0.00', '<Credit>0.01'),
    '17:11 Social/Transactions/TransactionLine[1]/Accounting/Amount',
  ],
  balance: [() => changed('1234.56', '1234.57'), '10:5 1234.57 instead of 1234.56'],
} satisfies Partial<Record<CodbFindingCode, Case>>;

const warnings = {
  encodingDeclaration: [() => changed('UTF-8', 'UTF-16'), '1:1 utf-8 instead of UTF-16'],
  replacementCharacter: [() => changed('Groep', 'Gr\uFFFDep'), '3:13'],
  enterpriseNumberForm: [
    () => changed('BE0403019261', '0403.019.261'),
    '8:25 0403.019.261 instead of BE0403019261',
  ],
  unknownVersion: [() => changed('>1.2<', '>1.3<'), '4:3 1.3 instead of 1.2'],
  dateMissing: [() => changed(/<GenDate>.*<\/GenDate>/, ''), '5:3'],
  labelMissing: [() => changed(/<EntLabel>.*<\/EntLabel>/, ''), '8:5 Social/Enterprise/EntLabel'],
  sideMissing: [
    () => changed('<Credit>0.00</Credit>', ''),
    '17:11 Social/Transactions/TransactionLine[1]/Accounting/Amount/Credit',
  ],
  negativeAmount: [
    () => payrollFile(social().replaceAll('1234.56', '-1234.56')),
    '17:26 Debit, -1234.56',
    '26:46 Credit, -1234.56',
  ],
  amountDecimals: [
    () => payrollFile(social().replaceAll('1234.56', '1234.5')),
    '17:26 Debit, 1234.5',
    '26:46 Credit, 1234.5',
  ],
  noLines: [() => changed(/<Transactions>[\s\S]*<\/Transactions>/, '<Transactions/>'), '10:5'],
  unknownElement: [() => changed('<Version>', '<Kind/><Version>'), '4:3 Kind'],
  unknownAttribute: [
    () => changed('<Amount>', '<Amount currency="USD">'),
    '17:11 Social/Transactions/TransactionLine/Accounting/Amount/@currency',
  ],
  unexpectedText: [
    () => changed('<Amount>', '<Amount>about'),
    '17:19 Social/Transactions/TransactionLine/Accounting/Amount/text()',
  ],
} satisfies Partial<Record<CodbFindingCode, Case>>;

const cases: Readonly<Record<CodbFindingCode, Case>> = { ...errors, ...warnings };

describe('CODB: findings', () => {
  test.each(Object.entries(cases) as [CodbFindingCode, Case][])(
    '%s is the only finding of its file',
    (code, [file, ...said]) => {
      const given = file();
      const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
      const { findings, documents } = readCodb(bytes);
      const { text } = codbFindings[code];
      expect(text).toMatch(/^[A-Z].{15,}$/);
      const severity = code in errors ? 'error' : 'warning';
      expect(findings).toEqual(
        said.map((one) => {
          const [, line, column, seen] = /^(\d+):(\d+) ?(.*)$/.exec(one) ?? [];
          const message = seen === '' ? text : `${text}: ${seen}`;
          const place = { record: Number(line), position: Number(column) };
          return expect.objectContaining({ severity, code, message, ...place });
        }),
      );
      expect(documents === undefined).toBe(severity === 'error');
    },
  );

  test.each([
    ['0403019261', 'enterpriseNumberForm'],
    ['0403.019.261', 'enterpriseNumberForm'],
    ['BE 0403.019.261', 'enterpriseNumberForm'],
    ['BE 0403 019 261', 'enterpriseNumberForm'],
    ['0403019262', 'enterpriseNumber'],
    ['NL0403019261', 'enterpriseNumber'],
    ['BE403019261', 'enterpriseNumberForm'],
    ['403.019.261', 'enterpriseNumberForm'],
    ['TVA BE-0403 019 261', 'enterpriseNumberForm'],
    ['be0403019261', 'enterpriseNumberForm'],
    ['RPR 0403.019.261', 'enterpriseNumberForm'],
    ['RPM Bruxelles 0403.019.261', 'enterpriseNumberForm'],
    ['N° TVA: BE0403019261', 'enterpriseNumberForm'],
    ['BTW-nr BE 0403.019.261', 'enterpriseNumberForm'],
    ['ON 0403.019.261', 'enterpriseNumberForm'],
    ['USt-IdNr. BE0403019261', 'enterpriseNumberForm'],
    ['TVA-BTW BE (0)403.019.261', 'enterpriseNumberForm'],
    ['BE0403019261, RPR Brussel', 'enterpriseNumberForm'],
    ['KBO 0403.019.262', 'enterpriseNumber'],
    ['1000 Brussel, 0403.019.261', 'enterpriseNumber'],
    ['0403.019.261 (2)', 'enterpriseNumber'],
    ['0403.019.261 en 0477.472.701', 'enterpriseNumber'],
    ['0403.019.261 0477.472.701', 'enterpriseNumber'],
    ['0403 BE 019261', 'enterpriseNumber'],
    ['0403019261²', 'enterpriseNumber'],
    ['BTW NL 0403019261', 'enterpriseNumber'],
    ['DE403019261', 'enterpriseNumber'],
    ['RSZ-nummer 0403.019.261', 'enterpriseNumber'],
    ['KBO', 'enterpriseNumber'],
    ['BE0477472702', 'enterpriseNumber'],
    ['BE0000000097', 'enterpriseNumber'],
    ['BE2477472701', 'enterpriseNumber'],
    ['BE0477472701', undefined],
    ['BE0428759497', undefined],
    ['BE1026783503', undefined],
  ])('enterprise number %s: %s', (entNum, code) => {
    expect(codesOf(readCodb(Buffer.from(payrollFile(social(1, entNum)))))[0]).toBe(code);
  });

  test('an enterprise number of millions of digits is refused', () => {
    const file = payrollFile(social(1, '1 '.repeat(5_000_000)));
    expect(codesOf(readCodb(Buffer.from(file)))).toContain('textTooLong');
  });

  test.each([
    ...['', ' ', '+1.00', '1.', '.50', '1e3', '0x10', '1 000.00', '1.234', 'NaN', '--1.00'],
    ...['١.٠٠', '9'.repeat(13)],
  ])('“%s” is not an amount', (amount) => {
    const { documents } = readCodb(Buffer.from(changed('1234.56', amount)));
    expect(documents).toBeUndefined();
  });
});
