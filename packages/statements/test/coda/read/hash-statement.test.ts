import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../../test/support/rounds.js';
import { hashStatement, type StatementDraft, writeCoda } from '../../../src/index.js';
import { linesOf, readAll } from '../coda-file.js';
import { sample, transfer } from '../sample-statement.js';
import { statements } from '../statement-arbitrary.js';

/** A statement with every type of record. */
const lines = linesOf({
  ...sample,
  movements: [
    ...(sample.movements ?? []),
    {
      ...transfer,
      communication: { kind: 'free', text: 'Long text '.repeat(14) },
      information: [{ communication: { kind: 'free', text: 'Wrapped text '.repeat(18) } }],
    },
  ],
});

/** The positions that say how the statement was delivered, by the first digit of the record. */
const delivery: Readonly<Record<string, (position: number) => boolean>> = {
  '0': (position) => position > 1 && !(position >= 84 && position <= 88),
  '9': (position) => position === 128,
};

const hashOf = (all: readonly string[]) => hashStatement(Buffer.from(all.join('\r\n')), 'utf-8');

test('D-29 CODA: each position of each record is content or delivery, and nothing else counts', () => {
  const types = new Set(lines.map((line) => line.slice(0, /^[23]/.test(line) ? 2 : 1)));
  expect([...types].sort()).toEqual(['0', '1', '21', '22', '23', '31', '32', '33', '4', '8', '9']);
  const original = hashOf(lines);
  for (const [index, line] of lines.entries()) {
    for (let position = 1; position <= 128; position += 1) {
      // The type of the record decides which rule holds, so it is changed within the same rule.
      const other = line[position - 1] === '5' ? '6' : '5';
      const changed = line.slice(0, position - 1) + other + line.slice(position);
      const isDelivery = delivery[line[0] ?? '']?.(position) ?? false;
      const place = `record ${line.slice(0, 2)}, position ${position}`;
      expect(hashOf(lines.with(index, changed)) === original, place).toBe(isDelivery);
    }
  }
});

test('D-29 CODA: records in another order, or one more or less, are other content', () => {
  const hashes = [
    lines,
    ...lines.slice(0, -1).map((_, index) => lines.toSpliced(index + 1, 1)),
    ...lines.slice(1, -1).map((line, index) => lines.toSpliced(index + 1, 0, line)),
    lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''),
  ].map(hashOf);
  expect(new Set(hashes.slice(1)).has(hashes[0] ?? '')).toBe(false);
});

/** The characters that all encodings have, and by which each is detected. */
const characters = [...'AZaz09 +/.çü'];

async function hashesOf(bytes: Uint8Array): Promise<string[]> {
  const results = await readAll(bytes);
  return results.map(({ statement, bytes: own }) => {
    expect(statement).toBeDefined();
    return hashStatement(own, statement?.encoding ?? 'ascii');
  });
}

/**
 * A word with which a statement is recognised as one of each encoding, in content and not in record
 * 0.
 */
const withEvidence = (draft: StatementDraft): StatementDraft => ({
  ...draft,
  account: { ...draft.account, holder: 'Société Zürich' },
});

const deliveries = fc.record({
  encoding: fc.constantFrom('utf-8', 'windows-1252', 'iso-8859-15', 'cp850'),
  lineEnd: fc.constantFrom('\r\n', '\n'),
  finalLineEnd: fc.boolean(),
  header: fc.record({
    creationDate: fc.constantFrom('2025-12-31', '2026-01-02', '2099-12-31'),
    duplicate: fc.boolean(),
    bankCode: fc.constantFrom('000', '096'),
    fileReference: fc.constantFrom('', 'A', '0123456789'),
    addressee: fc.constantFrom('', 'Mme Zoé', 'ACME'),
    bic: fc.constantFrom('', 'GKCCBEBB'),
    enterpriseNumber: fc.constantFrom('', '0403019261'),
    transactionReference: fc.constantFrom('', 'T1'),
    relatedReference: fc.constantFrom('', 'R1'),
  }),
  before: fc.boolean(),
  after: fc.boolean(),
  cut: fc.boolean(),
});

test('D-29 CODA: a statement is recognised however it is delivered', async () => {
  await fc.assert(
    fc.asyncProperty(statements(characters), deliveries, async (draft, delivered) => {
      const original = withEvidence(draft);
      const { encoding, lineEnd, finalLineEnd, header, before, after, cut } = delivered;
      const again = { ...original, header: { ...original.header, ...header } };
      const file = [...(before ? [sample] : []), again, ...(after ? [sample] : [])];
      const written = Buffer.from(writeCoda(file, { encoding, lineEnd, finalLineEnd })).toString(
        'latin1',
      );
      // The trailer is the only record that banks cut; they also write 1 in the last one.
      const trailer = cut
        ? (line: string) => line.slice(0, 60)
        : (line: string) => `${line.slice(0, 127)}1`;
      const bytes = Buffer.from(written.replace(/^9.*\d(?=\r?$)/gm, trailer), 'latin1');
      const [expected] = await hashesOf(writeCoda([original]));
      expect((await hashesOf(bytes))[before ? 1 : 0]).toBe(expected);
    }),
    { numRuns: rounds({ short: 10, all: 40 }) },
  );
});

test('D-29 CODA: blanks instead of the code of all transactions are the same', () => {
  const blank = lines.map((line) =>
    line.startsWith('0') ? `${line.slice(0, 83)}     ${line.slice(88)}` : line,
  );
  expect(hashOf(blank)).toBe(hashOf(lines));
});

/** Writes the account zone of records 1 and 8, and the structure. */
function withAccount(structure: string, zone: string): string[] {
  const padded = zone.padEnd(37);
  return lines.map((line) => {
    if (line.startsWith('1')) return `1${structure}${line.slice(2, 5)}${padded}${line.slice(42)}`;
    return line.startsWith('8') ? `${line.slice(0, 4)}${padded}${line.slice(41)}` : line;
  });
}

test.each([
  ['in structure 1', '1', 'BE71096123456769                  EUR'],
  ['in structure 3', '3', 'BE71096123456769                  EUR'],
  ['without a structure', ' ', 'BE71096123456769                  EUR'],
  ['in lower case', '2', 'be71096123456769                  EUR'],
  ['with spaces', '2', 'BE71 0961 2345 6769               EUR'],
  ['as a former number', '0', '096123456769 EUR0BE'],
])('D-29 CODA: an account %s is the same as its IBAN', (_, structure, zone) => {
  expect(hashOf(withAccount(structure, zone))).toBe(hashOf(lines));
});

test.each([
  ['another IBAN', '2', 'BE43068999999501                  EUR'],
  ['another currency', '3', 'BE71096123456769                  USD'],
  ['another extension', '2', 'BE71096123456769               001EUR'],
  ['wrong check digits', '1', 'BE72096123456769                  EUR'],
])('D-29 CODA: an account with %s is another', (_, structure, zone) => {
  expect(hashOf(withAccount(structure, zone))).not.toBe(hashOf(lines));
});
