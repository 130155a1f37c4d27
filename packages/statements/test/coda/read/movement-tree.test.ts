import { expect, test } from 'vitest';
import type { MovementDraft } from '../../../src/index.js';
import { changed, fileOf, linesOf, readAll } from '../coda-file.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

const free = { communication: { kind: 'free', text: 'A text' } } as const;

/** Returns a movement or detail of a type, with its amount as its reference. */
const of = (
  type: number,
  amount: bigint,
  details: MovementDraft[] = [],
  texts = 0,
): MovementDraft => ({
  ...transfer,
  amount,
  bankReference: `REF${amount}`,
  transactionCode: transferCode(type),
  information: Array.from({ length: texts }, () => free),
  details,
});

const written = (...movements: MovementDraft[]): string[] =>
  linesOf({ ...sample, freeCommunications: [], movements });

/** Returns the findings of a file: each code with the numbers (3-10) of its record. */
async function findingsOf(lines: readonly string[]): Promise<string[]> {
  const results = await readAll(fileOf(lines));
  return results.flatMap(({ findings }) =>
    findings.map(({ code, record }) => `${code} ${lines[record - 1]?.slice(2, 10)}`),
  );
}

const nested = (subtotal: bigint): MovementDraft =>
  of(2, 90_000n, [
    of(7, subtotal, [of(9, 50_000n), of(9, -20_000n)]),
    of(7, 60_000n, [of(9, 60_000n)]),
  ]);

test.each<[string, MovementDraft, string[]]>([
  ['a simple movement', of(0, 1000n), []],
  ['a total by customer without details', of(1, 1000n), ['totalWithoutDetails 00010000']],
  ['a total by bank without details', of(2, 1000n), ['totalWithoutDetails 00010000']],
  ['a simple movement with detail that has none', of(3, 1000n), ['totalWithoutDetails 00010000']],
  ['details of 5', of(1, 1000n, [of(5, 700n), of(5, 300n)]), []],
  ['details of 6', of(2, 1000n, [of(6, 1500n), of(6, -500n)]), []],
  ['details of 8', of(3, 1000n, [of(8, 1000n)]), []],
  ['details 0.001 too low', of(1, 1000n, [of(5, 999n)]), ['detailSum 00010000']],
  ['details 0.001 too high', of(1, 1000n, [of(5, 1001n)]), ['detailSum 00010000']],
  ['details of the other sign', of(1, 1000n, [of(5, -1000n)]), ['detailSum 00010000']],
  ['subtotals', nested(30_000n), []],
  [
    'a subtotal that is not the sum of its details',
    nested(30_010n),
    ['detailSum 00010000', 'detailSum 00010001'],
  ],
  ['a subtotal without details', of(2, 1000n, [of(7, 1000n)]), ['totalWithoutDetails 00010001']],
])('CODA record 2.1: %s', async (_, movement, findings) => {
  const found = await findingsOf(written(movement));
  expect(found.filter((one) => !one.startsWith('thirdDecimal'))).toEqual(findings);
});

const both = ['detailWithoutLevel 00010000', 'detailWithoutLevel 00010004'];

// The total is 0000, its subtotals 0001 and 0004. 0003 ends the first subtotal, 0005 ends all.
test.each([
  ['as it should be', '210001', '1', []],
  ['no level on the total', '2100010000', '0', both],
  ['another level on the total', '2100010000', '3', both],
  ['no level on a subtotal', '2100010001', '0', ['detailWithoutLevel 00010001']],
  ['another level on a subtotal', '2100010001', '3', ['detailWithoutLevel 00010001']],
  ['no level on the last record of a subtotal', '2100010003', '0', ['detailWithoutLevel 00010001']],
  ['no level on the last record of all', '2100010005', '0', both],
  // It ends both groups, with either of the two levels.
  ['the level of the outer group on the last record of a subtotal', '2100010003', '1', []],
])('CODA record 2.1, 125: %s', async (_, record, level, findings) => {
  const lines = written(nested(30_000n));
  expect(await findingsOf(changed(lines, record, 125, level))).toEqual(findings);
});

test('CODA record 3.1: the reference is that of the movement or of its first detail', async () => {
  const lines = written(
    of(1, 1000n, [of(5, 400n, [], 1), of(5, 600n, [], 1)], 1),
    of(1, 3000n, [of(5, 3000n)], 1),
  );
  const found = async (record: string, reference: string) =>
    (await findingsOf(changed(lines, record, 11, reference.padEnd(21)))).filter((finding) =>
      finding.startsWith('informationReference'),
    );
  expect(await found('3100010001', 'REF1000')).toEqual([]);
  expect(await found('3100010001', 'REF400')).toEqual(['informationReferenceOfDetail 00010001']);
  expect(await found('3100010001', 'REF600')).toEqual(['informationReference 00010001']);
  expect(await found('3100010005', 'REF600')).toEqual([]);
  expect(await found('3100010005', 'REF400')).toEqual(['informationReferenceOfDetail 00010005']);
  // The code is that of the detail, so it stays there.
  expect(await found('3100010005', 'REF1000')).toEqual(['informationReference 00010005']);
  expect(await found('3100010005', 'REF3000')).toEqual(['informationReference 00010005']);
  // The reference of the previous movement is not accepted.
  expect(await found('3100020001', 'REF400')).toEqual(['informationReference 00020001']);
  expect(await found('3100020001', 'REF3000')).toEqual([]);
});

test.each([
  ['references of their own', 'REF-T', 'REF-D'],
  ['equal references', 'REF-T', 'REF-T'],
  ['no references', '', ''],
])(
  'CODA record 3.1: with %s, information with the code of the total is that of the total',
  async (_, reference, ofDetails) => {
    const details = [of(6, 400n), of(6, 600n, [], 1)].map((detail) => ({
      ...detail,
      bankReference: ofDetails,
    }));
    const lines = written({ ...of(2, 1000n, details), bankReference: reference });
    const given = changed(lines, '3100010003', 11, `${reference.padEnd(21)}2`);
    const [result] = await readAll(fileOf(given));
    const [total] = result?.statement?.movements ?? [];
    expect(total?.information).toHaveLength(1);
    expect(total?.details.flatMap(({ information }) => information)).toEqual([]);
    expect(result?.findings).toEqual([]);
  },
);

test.each([
  ['type', 32, '1'],
  ['family', 33, '02'],
  ['operation', 35, '51'],
  ['category', 37, '001'],
])(
  'CODA record 3.1: the %s of the transaction code is that of the movement',
  async (_, position, digits) => {
    const lines = written(of(0, 1000n, [], 1), of(0, 2000n, [], 1));
    expect(await findingsOf(lines)).toEqual([]);
    expect(await findingsOf(changed(lines, '3100010001', position, digits))).toEqual([
      'informationTransactionCode 00010001',
    ]);
  },
);

test('CODA record 3.1: five texts on one movement or detail are treated as one wrapped text', async () => {
  expect(await findingsOf(written(of(0, 1000n, [], 4), of(0, 1000n, [], 4)))).toEqual([]);
  expect(await findingsOf(written(of(1, 1000n, [of(5, 1000n, [], 4)], 4)))).toEqual([]);
  expect(await findingsOf(written(of(0, 1000n, [], 12)))).toEqual(['wrappedInformation 00010005']);
  const structured: MovementDraft = {
    ...of(0, 1000n, [], 4),
    information: [
      ...[free, free, free, free],
      { communication: { kind: 'structured', type: '008', name: 'Jan', identification: '' } },
    ],
  };
  expect(await findingsOf(written(structured))).toEqual([]);
});
