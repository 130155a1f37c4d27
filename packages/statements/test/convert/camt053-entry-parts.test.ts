import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import { givenText } from '../../src/coda/given-text.js';
import type { Movement } from '../../src/coda/statement.js';
import { camtVersions } from '../../src/convert/camt053-parts.js';
import {
  type MovementDraft,
  readCoda,
  type Statement,
  writeCamt053,
  writeCoda,
} from '../../src/index.js';
import { statements } from '../coda/statement-arbitrary.js';
import { code, day, free } from '../pdf/sample-statement.js';
import { detail, entryOf, payment, transactionsOf, valuesOf } from './camt053-entries.js';

describe('D-70 the parts of an entry', () => {
  test('of a payment have its texts and counterparty, and its charges do not', async () => {
    const xml = await entryOf({ ...payment, details: [detail(800_200n), detail(-1_000n)] });
    const parts = transactionsOf(xml);
    const values = (name: string) => parts.map((part) => valuesOf(part, name));
    expect(values('Amt')).toEqual([['800.20'], ['1.00']]);
    expect(values('CdtDbtInd')).toEqual([['CRDT'], ['DBIT']]);
    expect(values('Ustrd')).toEqual([['INVOICE 6318'], []]);
    expect(values('EndToEndId')).toEqual([['INV-2026-0042'], []]);
    expect(values('AddtlTxInf')).toEqual([['PAID IN TWO PARTS'], []]);
    expect(parts[0]).toMatch(/<Dbtr>\s*<Pty>\s*<Nm>EXAMPLE POLSKA<.*<AdrLine>ULICA 29</s);
    expect(parts[1]).not.toContain('RltdPties');
    expect(valuesOf(xml, 'AddtlNtryInf')[0]).toMatch(/: EXAMPLE: INVOICE 6318$/);
  });

  test('of a debit with charges on its side too have its texts and counterparty once', async () => {
    const details = [detail(-1_000_000n), detail(-5_000n, '', 8, '006')];
    const xml = await entryOf({ ...payment, amount: -1_005_000n, details });
    const parts = transactionsOf(xml);
    const values = (name: string) => parts.map((part) => valuesOf(part, name));
    expect(values('Amt')).toEqual([['1000.00'], ['5.00']]);
    expect(values('Ustrd')).toEqual([['INVOICE 6318'], []]);
    expect(values('EndToEndId')).toEqual([['INV-2026-0042'], []]);
    expect(parts.map((part) => part.includes('<Cdtr>'))).toEqual([true, false]);
  });

  test('of a payment in two parts both have the party of its information', async () => {
    const counterparty = { account: '', currency: '', name: '' };
    const details = [detail(300_000n), detail(499_200n)];
    const parts = transactionsOf(await entryOf({ ...payment, counterparty, details }));
    expect(parts.map((part) => part.match(/<Dbtr>\s*<Pty>\s*<Nm>([^<]*)/)?.[1])).toEqual([
      'EXAMPLE POLSKA',
      'EXAMPLE POLSKA',
    ]);
  });

  test('of a batch have its counterparty, but for charges, on the side of their amounts', async () => {
    const batch = { ...payment, amount: -80_000n, transactionCode: code(2, '05', '01') };
    const subtotal = {
      ...detail(20_000n, '', 7),
      counterparty: { account: '', currency: '', name: 'TELECOM' },
      details: [detail(21_000n, '', 9), detail(-1_000n, '', 9, '013')],
    };
    const details = [detail(-100_000n, '', 6), subtotal];
    const parts = transactionsOf(await entryOf({ ...batch, details }));
    expect(
      parts.map((part) => part.match(/<(Cdtr|Dbtr)>\s*<Pty>\s*<Nm>([^<]*)/)?.slice(1)),
    ).toEqual([['Cdtr', 'EXAMPLE POLSKA'], ['Dbtr', 'TELECOM'], undefined]);
  });

  test('are one if the details only explain a payment, with the amount before charges', async () => {
    const xml = await entryOf({ ...payment, details: [detail(800_200n, 'BEFORE CHARGES')] });
    const [part = '', ...others] = transactionsOf(xml);
    expect(others).toEqual([]);
    expect(valuesOf(part, 'Amt')).toEqual(['799.20', '800.20']);
    expect(part).toMatch(/<InstdAmt>\s*<Amt Ccy="EUR">800.20</);
    expect(valuesOf(part, 'Ustrd')).toEqual(['INVOICE 6318', 'BEFORE CHARGES']);
  });

  test.each([
    ['on the other side', 799_200n, detail(-1_000n, 'CHARGES')],
    ['of charges below a debit', -105_000n, detail(-5_000n, 'CHARGES', 8, '013')],
    ['smaller than a credit', 799_200n, detail(1_000n, 'PART')],
  ])('have no instructed amount for a detail %s', async (_, amount, charges) => {
    expect(await entryOf({ ...payment, amount, details: [charges] })).not.toContain('InstdAmt');
  });

  test('in version 02, where a transaction has no side, are never subtracted', async () => {
    const details = [detail(800_200n), detail(-1_000n)];
    const xml = await entryOf({ ...payment, details }, { version: '02' });
    expect(transactionsOf(xml)).toHaveLength(1);
    expect(xml).toMatch(/<TxAmt>\s*<Amt Ccy="EUR">799.20</);
  });

  test('in version 02 a batch of both sides is one part, and no payer of it is the only one', async () => {
    const details = [
      { ...payment, ...detail(100_000n, 'ONE', 5), information: [] },
      { ...detail(-3_000n, 'TWO', 5), counterparty: { account: '', currency: '', name: 'SECOND' } },
    ];
    const transactionCode = code(1, '01', '01');
    const batch = { ...day, amount: 97_000n, transactionCode, communication: free(''), details };
    const xml = await entryOf(batch, { version: '02' });
    expect(transactionsOf(xml)).toHaveLength(1);
    for (const name of ['NbOfTxs', 'EndToEndId', 'Nm', 'Ustrd']) {
      expect(valuesOf(xml, name)).toEqual([]);
    }
    expect(valuesOf(xml, 'AddtlNtryInf')[0]).toMatch(
      /100,00 INV-2026-0042 EXAMPLE .*ONE: -3,00 SECOND.*TWO$/,
    );
    const withZero = [...details.slice(0, 1), detail(0n, 'NONE', 5)];
    const oneSided = await entryOf(
      { ...batch, amount: 100_000n, details: withZero },
      { version: '02' },
    );
    expect(valuesOf(oneSided, 'NbOfTxs')).toEqual(['2']);
  });

  test('of a batch have its reference and number, and what the details lack', async () => {
    const batch = { ...payment, transactionCode: code(1, '01', '01'), amount: -300_000n };
    const both = [detail(-100_000n, 'ONE', 5), detail(-200_000n, 'TWO', 5)];
    const whole = await entryOf({ ...batch, details: both });
    expect(whole).toMatch(/<Btch>\s*<PmtInfId>INV-2026-0042<\/PmtInfId>\s*<NbOfTxs>2</);
    expect(valuesOf(whole, 'Ustrd')).toEqual(['ONE', 'TWO']);
    expect(valuesOf(whole, 'AddtlNtryInf')[0]).toMatch(
      /: EXAMPLE PL61\d+ INVOICE 6318 .*PAID IN TWO PARTS$/,
    );
    const lacking = await entryOf({ ...batch, details: both.slice(1) });
    expect(transactionsOf(lacking).map((part) => valuesOf(part, 'Amt'))).toEqual([
      ['200.00'],
      ['100.00'],
    ]);
    expect(valuesOf(lacking, 'AddtlTxInf')).toEqual([
      'Difference between the total and its details',
    ]);
    const alone = await entryOf(batch);
    expect(valuesOf(alone, 'PmtInfId')).toEqual(['INV-2026-0042']);
    for (const xml of [lacking, alone]) expect(valuesOf(xml, 'NbOfTxs')).toEqual([]);
    for (const xml of [whole, lacking, alone]) expect(valuesOf(xml, 'EndToEndId')).toEqual([]);
  });

  test('of a payment within a total are its details, which keep its reference', async () => {
    const within = (reference: string, amount: bigint): MovementDraft => ({
      ...{ ...detail(amount, '', 7), customerReference: reference },
      details: [
        { ...payment, ...detail(amount - 1_000n, `${reference} A`, 9), information: [] },
        detail(1_000n, `${reference} B`, 9),
      ],
    });
    const details = [within('SUB-1', 40_000n), within('SUB-2', 60_000n)];
    const xml = await entryOf({ ...payment, ...detail(100_000n, 'TOTAL', 2), details });
    expect(valuesOf(xml, 'NbOfTxs')).toEqual(['4']);
    expect(valuesOf(xml, 'Ustrd')).toEqual(['SUB-1 A', 'SUB-1 B', 'SUB-2 A', 'SUB-2 B']);
    expect(valuesOf(xml, 'EndToEndId')).toEqual([
      ...['INV-2026-0042', 'SUB-1', 'INV-2026-0042', 'SUB-2'],
    ]);
    const [first = ''] = transactionsOf(xml);
    expect(valuesOf(first, 'IBAN')).toEqual(['PL61109010140000071219812874']);
    expect(valuesOf(first, 'AddtlTxInf')).toEqual(['Your reference SUB-1']);
  });

  test('have the information of their total once, however many they are', async () => {
    const details = Array.from({ length: 200 }, () => detail(1_000n));
    const information = Array.from({ length: 200 }, (_, index) => ({
      communication: free(`LINE ${index}.`),
    }));
    const xml = await entryOf({ ...payment, amount: 200_000n, information, details });
    expect(xml.split('LINE 7.')).toHaveLength(2);
    expect(valuesOf(xml, 'Ustrd')).toHaveLength(200);
  });

  test('of a batch with one detail do not repeat its text', async () => {
    const transactionCode = code(1, '01', '01');
    const details = [detail(100_000n, 'ONE', 5)];
    const xml = await entryOf({ ...payment, amount: 100_000n, transactionCode, details });
    expect(xml.split('INVOICE 6318')).toHaveLength(2);
    expect(valuesOf(xml, 'NbOfTxs')).toEqual(['1']);
  });

  test('add up to it, and have the text of each payer, in any statement', async () => {
    const arbitrary = statements(['A', 'B', 'C', '0', ' ', '+', '/']);
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.constantFrom(...camtVersions), async (draft, version) => {
        for await (const { statement } of readCoda(writeCoda([draft]))) {
          if (statement !== undefined) expectWhole(statement, version);
        }
      }),
      { numRuns: rounds({ short: 20, all: 200 }) },
    );
  });
});

/** Asserts that a message has the amounts of a statement, and what payers wrote. */
function expectWhole(statement: Statement, version: (typeof camtVersions)[number]): void {
  const xml = writeCamt053([statement], { version });
  const entries = xml.match(/<Ntry>.*?<\/Ntry>/gs) ?? [];
  expect(entries).toHaveLength(statement.movements.length);
  for (const [index, entry] of entries.entries()) {
    const [amount = 0, ...parts] = [
      ...entry.matchAll(/<(?:Ntry|TxDtls)>.*?(?=<TxDtls>|<\/Ntry>)/gs),
    ].map(([part]) => signedAmount(part, version));
    // In version 02, all parts are on the side of the entry.
    const sign = version === '02' ? Math.sign(amount) : 1;
    expect(sign * parts.reduce((sum, each) => sum + each, 0)).toBe(amount);
    const letters = (text: string) => text.replace(/\s/g, '').replace(/<[^>]*>/g, '');
    const written = letters(entry);
    const movement = statement.movements[index];
    for (const { communication, counterparty, customerReference } of withDetails(movement)) {
      const text = communication.kind === 'free' ? communication.text : '';
      const { name, account } = counterparty;
      // A text that has no more room goes on in another element after a word.
      const words = [text, name, account, customerReference].map(givenText).join(' ').split(' ');
      for (const word of words) expect(written).toContain(word);
    }
  }
}

function withDetails(movement?: Movement): Movement[] {
  return movement === undefined ? [] : [movement, ...movement.details.flatMap(withDetails)];
}

function signedAmount(part: string, version: string): number {
  const [, , inVersion02 = ''] = /<TxAmt>\s*<Amt( [^>]*)>([\d.]+)</.exec(part) ?? [];
  const [, , first = ''] = /<Amt( [^>]*)>([\d.]+)</.exec(part) ?? [];
  const isPart = part.startsWith('<TxDtls>') && version === '02';
  const thousandths = Math.round(Number(isPart ? inVersion02 : first) * 1000);
  return (/<CdtDbtInd>DBIT</.test(part) ? -1 : 1) * thousandths;
}
