import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/support/any-character.js';
import { rounds } from '../../../../test/support/rounds.js';
import type { PayrollBooking } from '../../src/codb/payroll-booking.js';
import { readCodb } from '../../src/codb/read-codb.js';
import { writeCodb } from '../../src/codb/write-codb.js';
import { payrollFile, social } from './payroll-file.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML forbids, and U+FFFD, which is warned of
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffd-\uffff]/;

const text = (minLength: number) =>
  fc
    .string({ unit: anyCharacter, minLength, maxLength: 40 })
    .filter(
      (value) => value.trim() === value && value.length >= minLength && !unwritable.test(value),
    );

const period = fc
  .tuple(fc.integer({ min: 1990, max: 2099 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}${String(month).padStart(2, '0')}`);

const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));

const enterpriseNumber = fc.integer({ min: 1, max: 19_999_999 }).map((base) => {
  const check = 97 - (base % 97);
  return String(base).padStart(8, '0') + String(check).padStart(2, '0');
});

/** Lines that book each amount in debit on one account and in credit on another. */
const lines = fc
  .array(
    fc.record({
      socialPeriod: period,
      department: fc.option(text(1), { nil: undefined }),
      account: text(1),
      label: text(1),
      amount: fc.bigInt({ min: 0n, max: 99_999_999_999_999n }).map((cents) => cents * 10n),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((entries) =>
    entries.flatMap(({ amount, ...line }) => [
      { ...line, debit: amount, credit: 0n },
      { ...line, debit: 0n, credit: amount },
    ]),
  );

const booking: fc.Arbitrary<PayrollBooking> = fc.record({
  source: text(1),
  version: fc.constantFrom('1.2', '0.1'),
  sequenceNumber: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  generationDate: date,
  enterpriseNumber,
  enterpriseName: text(1),
  accountPeriod: period,
  lines,
});

describe('CODB: properties', () => {
  test('a written file is read back, and another parser can read it', () => {
    fc.assert(
      fc.property(booking, (written) => {
        const file = writeCodb([written]);
        expect(readCodb(file)).toEqual({
          documents: [{ ...written, bytes: file }],
          unknown: [],
          findings: [],
          omittedFindings: 0,
        });
        expect(XMLValidator.validate(Buffer.from(file).toString())).toBe(true);
      }),
      { numRuns: rounds({ short: 15, all: 100 }) },
    );
  });

  test('bookings that are written together are read separately', () => {
    const distinct = fc.uniqueArray(booking, {
      selector: ({ sequenceNumber }) => sequenceNumber,
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(distinct, text(1), (bookings, source) => {
        const written = bookings.map((each) => ({ ...each, source, version: '1.2' }));
        const { documents = [] } = readCodb(writeCodb(written));
        expect(documents.map(({ bytes: _, ...read }) => read)).toEqual(written);
      }),
      { numRuns: rounds({ short: 10, all: 50 }) },
    );
  });

  test('a written booking without lines is read back', () => {
    const [first = expect.fail()] = readCodb(Buffer.from(payrollFile())).documents ?? [];
    const { documents, findings } = readCodb(writeCodb([{ ...first, lines: [] }]));
    expect(findings.map(({ code }) => code)).toEqual(['noLines']);
    expect(documents?.[0]?.lines).toEqual([]);
  });

  const seeds = [payrollFile(), payrollFile(social(1), social(2))].map((file) => Buffer.from(file));

  test('reading a changed file never throws', () => {
    const change = fc.tuple(fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.option(fc.tuple(fc.nat(), fc.nat(64)), { nil: undefined }),
        (seed, changes, cut) => {
          let bytes = Buffer.from(seed);
          for (const [place, value] of changes) bytes[place % bytes.length] = value;
          if (cut) {
            const from = cut[0] % bytes.length;
            bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + cut[1])]);
          }
          const { documents, findings } = readCodb(bytes);
          const refused = findings.some(({ severity }) => severity === 'error');
          expect(documents === undefined).toBe(refused);
        },
      ),
      { numRuns: rounds({ short: 100, all: 400 }) },
    );
  });

  test('a truncated file is refused, and reading it never throws', () => {
    const [seed = Buffer.of()] = seeds;
    const end = seed.length - '</SocialDocument>\n'.length;
    for (let length = 0; length <= end; length += 1) {
      expect(readCodb(seed.subarray(0, length)).documents).toBeUndefined();
    }
  });

  test('reading any bytes never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readCodb(bytes).documents).toBeUndefined();
      }),
      { numRuns: rounds({ short: 80, all: 400 }) },
    );
  });
});
