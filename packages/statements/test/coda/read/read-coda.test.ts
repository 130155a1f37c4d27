import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  type Movement,
  type MovementDraft,
  readCoda,
  type StatementDraft,
  statementDate,
  statementKey,
  writeCoda,
} from '../../../src/index.js';
import { changed, codesOf, fileOf, linesOf, readAll, text } from '../coda-file.js';
import { sample, transfer, transferCode } from '../sample-statement.js';

/** Built from the positions of the standard, so that reader and writer cannot share an error. */
const byHand = [
  '0000004022609605        FILE-REF  ACME NV                   GKCCBEBB   00403019261 00000                                       2',
  '12034BE71096123456769               A01EUR1000000001000000020226ACME NV                   Zichtrekening                      014',
  '2100010000OL44HTWLDRRPCT00000011000000000012500030226005010001127030226110BE02ZZZ0477472701                  MAN-1204022603401 0',
  '2200010000                             INVOICE 7               CUSTOMER-REF                       KREDBEBB      2MD06SUPPGDDS1 0',
  '2300010000BE54000000000097                  EURLEVERANCIER NV                                                                0 1',
  '3100010001OL44HTWLDRRPCT0000001005010001008ULTIMATE NV                                                                       1 0',
  '3200010001ID-7                                                                                                               0 0',
  '8035BE71096123456769               A01EUR1000000001012500030226                                                                1',
  '4 00010000                      CLOSED ON MONDAY                                                                               0',
  '9               000007000000000012500000000000000000                                                                           2',
];

test('CODA records 0 to 9: a file that was not written by our writer is read field by field', async () => {
  const [result, ...others] = await readAll(fileOf(byHand));
  expect(others).toEqual([]);
  expect(result?.findings.map(({ code }) => code)).toEqual(['paperNumberIsDayOfYear']);
  const transactionCode = { type: 0, family: '05', operation: '01', category: '000' };
  expect(result?.statement).toEqual({
    header: {
      creationDate: '2026-02-04',
      bankCode: '096',
      duplicate: false,
      fileReference: 'FILE-REF',
      addressee: 'ACME NV',
      bic: 'GKCCBEBB',
      enterpriseNumber: '0403019261',
      separateApplication: '00000',
      transactionReference: '',
      relatedReference: '',
    },
    account: {
      structure: 2,
      number: 'BE71096123456769',
      iban: 'BE71096123456769',
      currency: 'EUR',
      extension: 'A01',
      qualifier: '',
      country: '',
      holder: 'ACME NV',
      description: 'Zichtrekening',
    },
    year: 2026,
    statementNumber: 14,
    paperNumber: 34,
    oldBalance: { amount: -1_000_000n, date: '2026-02-02' },
    newBalance: { amount: -1_012_500n, date: '2026-02-03', paperNumber: 35 },
    movements: [
      {
        sequence: 1,
        detail: 0,
        bankReference: 'OL44HTWLDRRPCT0000001',
        amount: -12_500n,
        valueDate: '2026-02-03',
        transactionCode,
        communication: {
          kind: 'structured',
          type: '127',
          settlementDate: '2026-02-03',
          debitType: '1',
          scheme: '1',
          paid: '0',
          creditor: 'BE02ZZZ0477472701',
          mandate: 'MAN-12',
          text: 'INVOICE 7',
          rTransaction: '',
          reason: '',
        },
        entryDate: '2026-02-04',
        paperNumber: 34,
        globalisation: 0,
        customerReference: 'CUSTOMER-REF',
        counterparty: {
          account: 'BE54000000000097',
          currency: 'EUR',
          bic: 'KREDBEBB',
          name: 'LEVERANCIER NV',
        },
        rTransaction: 2,
        reason: 'MD06',
        categoryPurpose: 'SUPP',
        purpose: 'GDDS',
        information: [
          {
            sequence: 1,
            detail: 1,
            bankReference: 'OL44HTWLDRRPCT0000001',
            transactionCode,
            communication: {
              kind: 'structured',
              type: '008',
              name: 'ULTIMATE NV',
              identification: 'ID-7',
            },
          },
        ],
        informationTexts: [],
        details: [],
      },
    ],
    freeCommunications: [{ sequence: 1, lines: ['CLOSED ON MONDAY'] }],
    trailer: {
      recordCount: 7,
      debitTotal: 12_500n,
      creditTotal: 0n,
      anotherFollows: false,
    },
    encoding: 'ascii',
  });
});

test('CODA record 0: a statement of version 1 is refused and the next one is read', async () => {
  const old = linesOf(sample).map((line, index) =>
    index === 0 ? `${line.slice(0, -1)}1` : line.replaceAll('EUR', 'BEF'),
  );
  const results = await readAll(fileOf([...old, ...linesOf(sample)]));
  expect(codesOf(results)).toEqual(['version1']);
  expect(results.map(({ statement }) => statement?.statementNumber)).toEqual([undefined, 14]);
});

test('CODA record 9: a file of several statements is split into files of one, byte for byte', async () => {
  const file = writeCoda([sample, { ...sample, movements: [transfer] }, sample], {
    finalLineEnd: false,
  });
  const results = await readAll(file);
  expect(results).toHaveLength(3);
  expect(results.map(({ bytes }) => text(bytes)).join('')).toBe(text(file));
  for (const { bytes, range, statement } of results) {
    expect(text(file.subarray(range.start, range.end))).toBe(text(bytes));
    const [alone] = await readAll(bytes);
    expect(alone?.statement).toEqual(statement);
  }
  expect(results.map(({ firstRecord }) => firstRecord)).toEqual([1, 23, 32]);
});

test('CODA record 0: the balances of a separate application are not checked', async () => {
  const part: StatementDraft = {
    ...sample,
    header: { ...sample.header, separateApplication: '00001' },
    statementNumber: 0,
    oldBalance: { amount: 0n, date: undefined },
  };
  const [result] = await readAll(writeCoda([part]));
  expect(result?.findings).toEqual([]);
  expect(result?.statement?.newBalance?.amount).toBe(0n);
});

test('CODA record 8: a statement has the year, date and key of the new balance', async () => {
  const header = { ...sample.header, creationDate: '2027-01-02' };
  const newBalance = { date: '2026-12-31' };
  const [result] = await readAll(writeCoda([{ ...sample, header, newBalance }]));
  const { statement } = result ?? {};
  expect(statement?.year).toBe(2026);
  expect(statement && statementDate(statement)).toBe('2026-12-31');
  expect(statement && statementKey(statement)).toBe('BE71096123456769 EUR  2026 14 2026-12-31');
});

test('CODA record 2.1: a subtotal has the details of its own movement only', async () => {
  const coded = (type: number, amount: bigint, details: MovementDraft[] = []): MovementDraft => ({
    ...transfer,
    amount,
    bankReference: `${amount}`,
    transactionCode: transferCode(type),
    details,
  });
  const lines = linesOf({
    ...sample,
    movements: [
      coded(2, 70_000n, [coded(7, 70_000n, [coded(9, 30_000n), coded(9, 40_000n)])]),
      coded(2, 50_000n, [coded(6, 50_000n)]),
    ],
  });
  // The second movement has a detail of a subtotal, and no subtotal.
  const results = await readAll(fileOf(changed(lines, '2100020001', 54, '9')));
  const shape = (movement: Movement): unknown => [movement.amount, ...movement.details.map(shape)];
  expect(results[0]?.statement?.movements.map(shape)).toEqual([
    [70_000n, [70_000n, [30_000n], [40_000n]]],
    [50_000n, [50_000n]],
  ]);
  expect(codesOf(results)).toEqual([]);
});

test('CODA findings: at most a hundred of a statement are listed, ten of a code, and the rest is counted', async () => {
  const movements = Array.from({ length: 500 }, () => ({ ...transfer, entryDate: undefined }));
  const [result] = await readAll(writeCoda([{ ...sample, movements }]));
  expect(result?.findings).toHaveLength(10);
  expect(result?.omittedFindings).toBe(490);
});

test('CODA: an error of the source is passed on, and leaving the loop early closes the source', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('disk on fire'));
    },
  });
  await expect(readAll(broken)).rejects.toThrow('disk on fire');
  const endless = Readable.from(
    (function* () {
      for (;;) yield writeCoda([sample, sample]);
    })(),
  );
  for await (const { statement } of readCoda(endless)) if (statement !== undefined) break;
  expect(endless.destroyed).toBe(true);
});
