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

/** A range of positions in a record, both included. */
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

test.each([
  ['0', 2, 5, 'headerConstant'],
  ['0', 15, 16, 'headerConstant'],
  ['0', 18, 24, 'headerConstant'],
  ['0', 83, 83, 'headerConstant'],
  ['0', 121, 127, 'headerConstant'],
  ['21', 127, 127, 'reservedPositions'],
  ['22', 110, 112, 'reservedPositions'],
  ['22', 127, 127, 'reservedPositions'],
  ['23', 127, 127, 'reservedPositions'],
  ['31', 114, 125, 'reservedPositions'],
  ['31', 127, 127, 'reservedPositions'],
  ['32', 116, 125, 'reservedPositions'],
  ['32', 127, 127, 'reservedPositions'],
  ['33', 101, 125, 'reservedPositions'],
  ['33', 127, 127, 'reservedPositions'],
  ['8', 64, 127, 'reservedPositions'],
  ['4', 2, 2, 'reservedPositions'],
  ['4', 11, 32, 'reservedPositions'],
  ['4', 113, 127, 'reservedPositions'],
  ['9', 2, 16, 'reservedPositions'],
  ['9', 53, 127, 'reservedPositions'],
])('CODA record %s: the positions %i to %i are reserved', async (start, from, to, code) => {
  // The header reports the start of the range, other records the first character in use.
  const placeOf = (position: number) => (code === 'headerConstant' ? from : position);
  for (const position of [from, to]) {
    const findings = await findingsWith(start, position, 'x');
    expect(findings).toContain(`${code}:${placeOf(position)}`);
  }
});

test.each([
  ['0', 6, 11, 'digits'],
  ['0', 12, 14, 'digits'],
  ['0', 72, 82, 'digits'],
  ['0', 84, 88, 'digits'],
  ['1', 2, 2, 'accountStructure'],
  ['1', 3, 5, 'digits'],
  ['1', 43, 43, 'sign'],
  ['1', 44, 58, 'digits'],
  ['1', 59, 64, 'digits'],
  ['1', 126, 128, 'digits'],
  ['21', 3, 6, 'digits'],
  ['21', 7, 10, 'digits'],
  ['21', 32, 32, 'sign'],
  ['21', 33, 47, 'digits'],
  ['21', 48, 53, 'digits'],
  ['21', 54, 61, 'digits'],
  ['21', 62, 62, 'communicationFlag'],
  ['21', 116, 121, 'digits'],
  ['21', 122, 124, 'digits'],
  ['21', 125, 125, 'digits'],
  ['21', 126, 126, 'nextCode'],
  ['22', 3, 10, 'continuationKey'],
  ['22', 113, 113, 'rTransaction'],
  ['22', 126, 126, 'nextCode'],
  ['23', 3, 10, 'continuationKey'],
  ['23', 126, 126, 'nextCode'],
  ['23', 128, 128, 'linkCode'],
  ['31', 3, 6, 'digits'],
  ['31', 7, 10, 'digits'],
  ['31', 32, 39, 'digits'],
  ['31', 40, 40, 'communicationFlag'],
  ['31', 126, 126, 'nextCode'],
  ['32', 3, 10, 'continuationKey'],
  ['32', 126, 126, 'nextCode'],
  ['33', 3, 10, 'continuationKey'],
  ['33', 126, 126, 'nextCode'],
  ['33', 128, 128, 'linkCode'],
  ['8', 2, 4, 'digits'],
  ['8', 42, 42, 'sign'],
  ['8', 43, 57, 'digits'],
  ['8', 58, 63, 'digits'],
  ['8', 128, 128, 'linkCode'],
  ['4', 3, 6, 'digits'],
  ['4', 7, 10, 'digits'],
  ['4', 128, 128, 'linkCode'],
  ['9', 17, 22, 'digits'],
  ['9', 23, 37, 'digits'],
  ['9', 38, 52, 'digits'],
  ['9', 128, 128, 'multipleFileCode'],
])('CODA record %s: only digits are allowed at %i to %i', async (start, from, to, code) => {
  for (const position of new Set([from, to])) {
    expect(await findingsWith(start, position, 'x')).toContain(`${code}:${from}`);
  }
});
