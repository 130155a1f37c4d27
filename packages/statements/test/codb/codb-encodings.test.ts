import { describe, expect, test } from 'vitest';
import { readCodb } from '../../src/codb/read-codb.js';
import { codesOf, payrollFile, social } from './payroll-file.js';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const file = (encoding: string): string =>
  payrollFile().replace('UTF-8', encoding).replace(' – ', ' - ').replace('Groep', 'Œuvre €');
/** € and Œ are 80 and 8C in windows-1252, and A4 and BC in ISO-8859-15. */
const bytes = (encoding: string, euro: number, oe: number): Buffer =>
  Buffer.from(
    file(encoding).replace('€', String.fromCharCode(euro)).replace('Œ', String.fromCharCode(oe)),
    'latin1',
  );

describe('CODB: encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(file('UTF-8'))],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${file('utf-8')}`)],
    ['windows-1252', bytes('windows-1252', 0x80, 0x8c)],
    ['windows-1252 as ISO-8859-1', bytes('ISO-8859-1', 0x80, 0x8c)],
    ['ISO-8859-15', bytes('iso-8859-15', 0xa4, 0xbc)],
    ['UTF-16LE with its mark', Buffer.from(`\uFEFF${file('UTF-16')}`, 'utf16le')],
    ['UTF-16BE with its mark', utf16be(`\uFEFF${file('UTF-16')}`)],
    ['UTF-16LE without it', Buffer.from(file('UTF-16LE'), 'utf16le')],
    ['UTF-16BE without it', utf16be(file('UTF-16BE'))],
  ])('%s', (_, encoded) => {
    const { documents, findings } = readCodb(encoded);
    expect(findings).toEqual([]);
    expect(documents?.[0]).toMatchObject({
      source: 'Œuvre € S - Sociaal Secretariaat',
      enterpriseName: 'Söhne <NV>',
      bytes: encoded,
    });
  });

  test.each([
    ['UTF-8 that declares UTF-16', Buffer.from(file('utf-16'))],
    ['UTF-16 that declares UTF-8', Buffer.from(`\uFEFF${file('utf-8')}`, 'utf16le')],
    ['UTF-8 with its mark that declares ISO-8859-1', Buffer.from(`\uFEFF${file('ISO-8859-1')}`)],
    ['UTF-8 with its mark that declares what does not exist', Buffer.from(`\uFEFF${file('x')}`)],
  ])('%s is read, with a warning', (_, encoded) => {
    const reading = readCodb(encoded);
    expect(codesOf(reading)).toEqual(['encodingDeclaration']);
    expect(reading.documents?.[0]?.source).toContain('Œuvre €');
  });

  test.each([
    ['declares UTF-8', 'UTF-8'],
    ['declares UTF-16', 'UTF-16'],
  ])('windows-1252 that %s is read, with a warning', (_, encoding) => {
    const encoded = bytes(encoding, 0x80, 0x8c);
    const reading = readCodb(encoded);
    expect(reading.findings).toMatchObject([
      { code: 'encodingDeclaration', found: 'windows-1252', expected: encoding },
    ]);
    expect(reading.documents).toMatchObject([
      { source: 'Œuvre € S - Sociaal Secretariaat', enterpriseName: 'Söhne <NV>', bytes: encoded },
    ]);
  });

  test('windows-1252 without a declaration is read, with a warning', () => {
    const encoded = bytes('UTF-8', 0x80, 0x8c);
    const reading = readCodb(encoded.subarray(encoded.indexOf('\n') + 1));
    expect(reading.findings).toMatchObject([{ code: 'encodingDeclaration', expected: 'UTF-8' }]);
  });

  test('each booking of a file in windows-1252 that declares UTF-8 is a file in UTF-8', () => {
    const encoded = Buffer.from(payrollFile(social(1), social(2)).replace(' – ', ' - '), 'latin1');
    const { documents } = readCodb(encoded);
    expect(documents?.map((each) => codesOf(readCodb(each.bytes)))).toEqual([[], []]);
    expect(documents?.[1]?.enterpriseName).toBe('Söhne <NV>');
  });

  test('UTF-8 with one damaged byte is refused', () => {
    const damaged = Buffer.from(payrollFile());
    damaged[damaged.indexOf('Groep')] = 0xe9;
    expect(codesOf(readCodb(damaged))).toEqual(['invalidEncoding']);
  });

  test('half a character of UTF-16 is refused', () => {
    const encoded = Buffer.from(`\uFEFF${file('UTF-16')}`, 'utf16le');
    expect(codesOf(readCodb(encoded.subarray(0, -1)))).toEqual(['invalidEncoding']);
  });
});
