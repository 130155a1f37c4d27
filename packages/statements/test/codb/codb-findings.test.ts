import { describe, expect, test } from 'vitest';
import { type CodbFindingCode, codbFindings } from '../../src/codb/finding-catalogue.js';
import { readCodb } from '../../src/codb/read-codb.js';
import { xmlLimits } from '../../src/codb/xml/xml-limits.js';
import { changed, codesOf, payrollFile, social } from './payroll-file.js';

const manyBookings = (): string => {
  const booking = (_: unknown, index: number) => `<Social><SeqNumber>${index}</SeqNumber></Social>`;
  const comment = `<Source><!--${' '.repeat(1_000_000)}-->S`;
  const socials = Array.from({ length: 30 }, booking);
  return changed('<Source>', comment, payrollFile(...socials));
};

/** For each code a file that trips it, and nothing else. */
const files: Record<CodbFindingCode, () => string | Uint8Array> = {
  fileTooLarge: () => new Uint8Array(xmlLimits.fileBytes + 1),
  unknownEncoding: () => changed('UTF-8', 'EBCDIC-CP-BE'),
  invalidEncoding: () => Buffer.from(changed('Groep', 'Félix'), 'latin1'),
  malformedXml: () => changed('</Source>', '</Sauce>'),
  forbiddenDoctype: () => changed('<SocialDocument', '<!DOCTYPE SocialDocument><SocialDocument'),
  forbiddenEntity: () => changed('Groep', '&groep;'),
  nestedTooDeep: () => changed('Groep', '<a>'.repeat(xmlLimits.depth)),
  tooManyElements: () => changed('<Source>', `<Source>${'<a/>'.repeat(xmlLimits.elements)}`),
  tagTooLong: () => changed('<Source', `<Source a="${'x'.repeat(xmlLimits.tagLength)}"`),
  noBooking: () => payrollFile('<!-- none -->'),
  tooManyBookings: manyBookings,
  repeatedBooking: () => payrollFile(social(), social()),
  missingElement: () => changed(/<Account>.*<\/Account>/, ''),
  repeatedElement: () => changed('<Account>', '<Account>1</Account><Account>'),
  textTooLong: () => changed('Groep', 'G'.repeat(1000)),
  sequenceNumber: () => changed('>7<', '>7a<'),
  date: () => changed('2024-02-02', '2023-02-29'),
  enterpriseNumber: () => changed('BE0403019261', 'BE0403019262'),
  period: () => changed('SocialPeriod>202401', 'SocialPeriod>202413'),
  amount: () => changed('1234.56', '1234,56'),
  debitAndCredit: () => changed('<Credit>0.00', '<Credit>0.01'),
  balance: () => changed('1234.56', '1234.57'),
  encodingDeclaration: () => changed('UTF-8', 'UTF-16'),
  unknownVersion: () => changed('>1.2<', '>1.3<'),
  dateMissing: () => changed(/<GenDate>.*<\/GenDate>/, ''),
  labelMissing: () => changed(/<EntLabel>.*<\/EntLabel>/, ''),
  sideMissing: () => changed('<Credit>0.00</Credit>', ''),
  negativeAmount: () => payrollFile(social().replaceAll('1234.56', '-1234.56')),
  amountDecimals: () => payrollFile(social().replaceAll('1234.56', '1234.5')),
  noLines: () => changed(/<Transactions>[\s\S]*<\/Transactions>/, '<Transactions/>'),
  unknownElement: () => changed('<Version>', '<Kind/><Version>'),
  unknownAttribute: () => changed('<Amount>', '<Amount currency="USD">'),
  unexpectedText: () => changed('<Amount>', '<Amount>about'),
};

describe('CODB: findings', () => {
  test.each(Object.keys(files).sort())('%s has a file that trips it alone', (name) => {
    const code = name as CodbFindingCode;
    const file = files[code]();
    const reading = readCodb(typeof file === 'string' ? new TextEncoder().encode(file) : file);
    expect(new Set(codesOf(reading))).toEqual(new Set([code]));
    expect(reading.documents === undefined).toBe(codbFindings[code].severity === 'error');
  });

  test.each([
    ['0403019261', 'enterpriseNumber'],
    ['BE403019261', 'enterpriseNumber'],
    ['BE0477472702', 'enterpriseNumber'],
    ['BE0000000097', 'enterpriseNumber'],
    ['BE2477472701', 'enterpriseNumber'],
    ['BE0477472701', undefined],
    ['BE0428759497', undefined],
    ['BE1026783503', undefined],
  ])('enterprise number %s: %s', (entNum, code) => {
    expect(codesOf(readCodb(Buffer.from(payrollFile(social(1, entNum)))))[0]).toBe(code);
  });

  test.each([
    '',
    ' ',
    '+1.00',
    '1.',
    '.50',
    '1e3',
    '0x10',
    '1 000.00',
    '1.234',
    'NaN',
    '--1.00',
    '١.٠٠',
    '9'.repeat(13),
  ])('the amount “%s” is not read', (amount) => {
    const { documents } = readCodb(Buffer.from(changed('1234.56', amount)));
    expect(documents).toBeUndefined();
  });

  test.each([
    '2024-2-2',
    '2024-00-10',
    '2024-04-31',
    '02/02/2024',
    '2024-02-02T00:00:00',
    '0000-01-01',
  ])('the date %s is not one', (date) => {
    expect(codesOf(readCodb(Buffer.from(changed('2024-02-02', date))))).toEqual(['date']);
  });
});
