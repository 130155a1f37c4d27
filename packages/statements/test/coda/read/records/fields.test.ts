import { expect, test } from 'vitest';
import { changed, fileOf, readAll, recordOf } from '../../coda-file.js';

/** Returns a record with these fields, and with letters in all other text positions. */
const record = (fields: string) =>
  recordOf(fields, (index) => String.fromCharCode(65 + (index % 26)));

/** A statement built by hand that uses every position of every text. */
const lines = [
  record('1 0000004022609605 | 17-24 | 72 00403019261 00000 | 121-127 | 128 2'),
  record('1 12034BE71096123456769 | 22-36 | 40 EUR1000000001000000020226 | 126 014'),
  record('1 2100010000 | 32 1000000000012500030226005010000 | 116 0402260340 | 126 1 0'),
  record('1 2200010000 | 110-112 | 113 2 | 126 1 0'),
  record('1 2300010000 | 126 0 1'),
  record('1 3100010001 | 32 005010000 | 114-125 | 126 1 0'),
  record('1 3200010001 | 116-125 | 126 1 0'),
  record('1 3300010001 | 101-125 | 126 0 0'),
  record('1 8035BE71096123456769 | 21-35 | 39 EUR1000000001012500030226 | 64-127 | 128 1'),
  record('1 4 00010000 | 11-32 | 113-127 | 128 0'),
  record('1 9 | 2-16 | 17 000008000000000012500000000000000000 | 53-127 | 128 2'),
];
// The extension zone of record 8 is that of record 1.
lines[8] = changed(lines, '8', 36, (lines[1] ?? '').slice(36, 39))[8] ?? '';
// The reference of record 3.1 is that of its movement.
lines[5] = changed(lines, '31', 11, (lines[2] ?? '').slice(10, 31))[5] ?? '';

/** Returns a range of positions in a record, both included. */
function at(start: string, from: number, to: number): string {
  return (lines.find((line) => line.startsWith(start)) ?? '').slice(from - 1, to);
}

test('CODA records 0 to 4: each text is read from its first position to its last', async () => {
  const [result] = await readAll(fileOf(lines));
  expect(result?.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(result?.statement).toMatchObject({
    header: {
      bankCode: '096',
      fileReference: at('0', 25, 34),
      addressee: at('0', 35, 60),
      bic: at('0', 61, 71),
      enterpriseNumber: '0403019261',
      transactionReference: at('0', 89, 104),
      relatedReference: at('0', 105, 120),
    },
    account: {
      number: 'BE71096123456769',
      extension: at('1', 37, 39),
      currency: 'EUR',
      holder: at('1', 65, 90),
      description: at('1', 91, 125),
    },
    movements: [
      {
        bankReference: at('21', 11, 31),
        communication: {
          kind: 'free',
          text: at('21', 63, 115) + at('22', 11, 63) + at('23', 83, 125),
        },
        customerReference: at('22', 64, 98),
        reason: at('22', 114, 117),
        categoryPurpose: at('22', 118, 121),
        purpose: at('22', 122, 125),
        counterparty: {
          account: at('23', 11, 44),
          currency: at('23', 45, 47),
          bic: at('22', 99, 109),
          name: at('23', 48, 82),
        },
        information: [
          {
            bankReference: at('31', 11, 31),
            communication: {
              kind: 'free',
              text: at('31', 41, 113) + at('32', 11, 115) + at('33', 11, 100),
            },
          },
        ],
      },
    ],
    freeCommunications: [{ sequence: 1, lines: [at('4', 33, 112)] }],
  });
});

/** Returns the findings of a file in which one character is changed. */
async function findingsWith(start: string, position: number, character: string): Promise<string[]> {
  const given = changed(lines, start, position, character);
  const number = given.findIndex((line, index) => line !== lines[index]) + 1;
  const results = await readAll(fileOf(given));
  return results.flatMap(({ findings }) =>
    findings
      .filter((finding) => finding.record === number)
      .map(({ code, position: place }) => `${code}:${place}`),
  );
}

/** The positions of each record that are blank or constant, or have digits or codes. */
const positions: Readonly<Record<string, string>> = {
  '0': 'headerConstant 2-5 15-16 18-24 83 121-127, digits 6-11 12-14 72-82 84-88',
  '1': 'accountStructure 2, sign 43, digits 3-5 44-58 59-64 126-128',
  '21': 'digits 3-6 7-10 33-47 48-53 54-61 116-121 122-124 125, sign 32, communicationFlag 62, nextCode 126, reservedPositions 127',
  '22': 'continuationKey 3-10, reservedPositions 110-112 127, rTransaction 113, nextCode 126',
  '23': 'continuationKey 3-10, nextCode 126, reservedPositions 127, linkCode 128',
  '31': 'digits 3-6 7-10 32-39, communicationFlag 40, reservedPositions 114-125 127, nextCode 126',
  '32': 'continuationKey 3-10, reservedPositions 116-125 127, nextCode 126',
  '33': 'continuationKey 3-10, reservedPositions 101-125 127, nextCode 126, linkCode 128',
  '8': 'digits 2-4 43-57 58-63, sign 42, reservedPositions 64-127, linkCode 128',
  '4': 'reservedPositions 2 11-32 113-127, digits 3-6 7-10, linkCode 128',
  '9': 'reservedPositions 2-16 53-127, digits 17-22 23-37 38-52, multipleFileCode 128',
};

test.each(
  Object.entries(positions).flatMap(([start, codes]) =>
    codes.split(', ').flatMap((words) => {
      const [code = '', ...ranges] = words.split(' ');
      return ranges.map((range) => [start, range, code] as const);
    }),
  ),
)('CODA record %s: a letter at %s has the finding %s', async (start, range, code) => {
  const [from = Number.NaN, to = from] = range.split('-').map(Number);
  for (const position of new Set([from, to])) {
    // The first character in use is reported where all should be blank, otherwise the field.
    const place = code === 'reservedPositions' ? position : from;
    expect(await findingsWith(start, position, 'x')).toContain(`${code}:${place}`);
  }
});
