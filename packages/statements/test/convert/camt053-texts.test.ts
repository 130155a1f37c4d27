import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import { camtVersions } from '../../src/convert/camt053-parts.js';
import {
  type MovementDraft,
  readCoda,
  type Statement,
  writeCamt053,
  writeCoda,
} from '../../src/index.js';
import { statements } from '../coda/statement-arbitrary.js';
import { directDebit, party } from '../communications.js';
import { code, day, free, sampleStatement } from '../pdf/sample-statement.js';
import { camt053Faults } from './camt053-schema.js';

type Options = Parameters<typeof writeCamt053>[1];

/** Writes the entry of a movement, of which nothing is against the schema. */
async function entryOf(movement: MovementDraft, options: Options = {}): Promise<string> {
  const xml = writeCamt053([await sampleStatement({ movements: [movement] })], options);
  expect(camt053Faults(xml, options.version)).toEqual([]);
  return xml.match(/<Ntry>.*<\/Ntry>/s)?.[0] ?? '';
}

const valuesOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(
    ([, text = '']) => text,
  );
const transactionsOf = (xml: string) => xml.match(/<TxDtls>.*?<\/TxDtls>/gs) ?? [];

const payment: MovementDraft = {
  ...day,
  amount: 799_200n,
  transactionCode: code(3, '41', '50'),
  communication: free('INVOICE 6318'),
  customerReference: 'INV-2026-0042',
  counterparty: { account: 'PL61109010140000071219812874', currency: 'EUR', name: 'EXAMPLE' },
  information: [
    party('EXAMPLE POLSKA', 'ULICA 29', '15-620 BIALYSTOK'),
    { communication: free('PAID IN TWO PARTS') },
  ],
};
const detail = (amount: bigint, text = '', type = 8): MovementDraft => ({
  ...{ ...day, amount, transactionCode: code(type, '41', '50'), communication: free(text) },
});

describe('D-70 the parts of an entry', () => {
  test('of a payment with its charges have all its texts', async () => {
    const xml = await entryOf({ ...payment, details: [detail(800_200n), detail(-1_000n)] });
    const parts = transactionsOf(xml);
    expect(parts.map((part) => [valuesOf(part, 'Amt'), valuesOf(part, 'CdtDbtInd')])).toEqual([
      [['800.20'], ['CRDT']],
      [['1.00'], ['DBIT']],
    ]);
    for (const part of parts) {
      expect(valuesOf(part, 'Ustrd')).toEqual(['INVOICE 6318']);
      expect(valuesOf(part, 'EndToEndId')).toEqual(['INV-2026-0042']);
      expect(valuesOf(part, 'AddtlTxInf')).toEqual(['PAID IN TWO PARTS']);
      expect(part).toMatch(/<Dbtr>\s*<Pty>\s*<Nm>EXAMPLE POLSKA<.*<AdrLine>ULICA 29</s);
    }
  });

  test('are one if the details only explain a payment, with the amount before charges', async () => {
    const xml = await entryOf({ ...payment, details: [detail(800_200n, 'BEFORE CHARGES')] });
    const [part = '', ...others] = transactionsOf(xml);
    expect(others).toEqual([]);
    expect(valuesOf(part, 'Amt')).toEqual(['799.20', '800.20']);
    expect(part).toMatch(/<InstdAmt>\s*<Amt Ccy="EUR">800.20</);
    expect(valuesOf(part, 'Ustrd')).toEqual(['INVOICE 6318', 'BEFORE CHARGES']);
  });

  test('in version 02, where a transaction has no side, are never subtracted', async () => {
    const details = [detail(800_200n), detail(-1_000n)];
    const xml = await entryOf({ ...payment, details }, { version: '02' });
    expect(transactionsOf(xml)).toHaveLength(1);
    expect(xml).toMatch(/<TxAmt>\s*<Amt Ccy="EUR">799.20</);
  });

  test('of a batch have its reference and number, and what the details lack', async () => {
    const batch = { ...payment, transactionCode: code(1, '01', '01'), amount: -300_000n };
    const both = [detail(-100_000n, 'ONE', 5), detail(-200_000n, 'TWO', 5)];
    const whole = await entryOf({ ...batch, details: both });
    expect(whole).toMatch(/<Btch>\s*<PmtInfId>INV-2026-0042<\/PmtInfId>\s*<NbOfTxs>2</);
    expect(valuesOf(whole, 'Ustrd')).toEqual(['ONE', 'TWO']);
    expect(valuesOf(whole, 'AddtlNtryInf')[0]).toMatch(/: INVOICE 6318 .*PAID IN TWO PARTS$/);
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
    const { communication } = statement.movements[index] ?? {};
    const written = communication?.kind === 'free' ? communication.text : '';
    const letters = (text: string) => text.replace(/\s/g, '').replace(/<[^>]*>/g, '');
    expect(letters(entry)).toContain(letters(written));
  }
}

function signedAmount(part: string, version: string): number {
  const [, , inVersion02 = ''] = /<TxAmt>\s*<Amt( [^>]*)>([\d.]+)</.exec(part) ?? [];
  const [, , first = ''] = /<Amt( [^>]*)>([\d.]+)</.exec(part) ?? [];
  const isPart = part.startsWith('<TxDtls>') && version === '02';
  const thousandths = Math.round(Number(isPart ? inVersion02 : first) * 1000);
  return (/<CdtDbtInd>DBIT</.test(part) ? -1 : 1) * thousandths;
}

describe('D-70 what a payer wrote', () => {
  const debit: MovementDraft = {
    ...{ ...day, amount: -12_100n, transactionCode: code(0, '05', '01') },
    counterparty: { account: 'BE68539007547034', currency: '', name: 'ENERGIE NV' },
    communication: directDebit({
      ...{ creditor: 'BE69ZZZ0403019261', mandate: 'MANDATE-2024-000077' },
      text: 'FACTUUR 2026/0015 VAN 15/01/2026 KLANT 4711',
    }),
  };

  test('for a direct debit is whole, and its fields are elements', async () => {
    const xml = await entryOf(debit);
    expect(valuesOf(xml, 'Ustrd')).toEqual(['FACTUUR 2026/0015 VAN 15/01/2026 KLANT 4711']);
    expect(valuesOf(xml, 'MndtId')).toEqual(['MANDATE-2024-000077']);
    expect(xml).toMatch(
      /<Cdtr>.*<Nm>ENERGIE NV<.*<PrvtId>\s*<Othr>\s*<Id>BE69ZZZ0403019261<.*<Prtry>SEPA</s,
    );
    expect(valuesOf(xml, 'AddtlTxInf')).toEqual([]);
  });

  test('comes back with the reason, from record 2.2 or from the direct debit', async () => {
    const fromRecord = await entryOf({ ...debit, rTransaction: 3, reason: 'MD06' });
    const given = { ...debit.communication, rTransaction: '3', reason: 'MD06' };
    const fromDebit = await entryOf({ ...debit, communication: given as never });
    for (const xml of [fromRecord, fromDebit]) {
      expect(xml).toMatch(
        /<RtrInf>\s*<Rsn>\s*<Cd>MD06<\/Cd>\s*<\/Rsn>\s*<AddtlInf>refund<\/AddtlInf>/,
      );
    }
    expect(valuesOf(await entryOf(debit), 'AddtlInf')).toEqual([]);
  });

  test.each([
    ['+++090/9337/55493+++ RENT', ['BBA 090933755493']],
    ['RENT ***090933755493***', ['BBA 090933755493']],
    ['REF 090/9337/55493.', ['BBA 090933755493']],
    ['090933755493', ['BBA 090933755493']],
    ['+++090/9337/55494+++', []],
    ['PHONE 0909 33755493', []],
    ['RF18539007547034 INVOICE', ['ISO RF18539007547034']],
    ['INVOICE RF18 5390 0754 7034', ['ISO RF18539007547034']],
    ['RF18 5390 0754 7034 AND 240/2838/42818', ['BBA 240283842818', 'ISO RF18539007547034']],
    ['RF19539007547034', []],
    ['SURF18539007547034', []],
  ])('has the references of the creditor in %j', async (text, references) => {
    const xml = await entryOf({ ...debit, communication: free(text) });
    expect(valuesOf(xml, 'Ustrd')).toEqual([text]);
    const found = [...xml.matchAll(/<Issr>(\w+)<\/Issr>\s*<\/Tp>\s*<Ref>(\w+)</g)];
    expect(found.map(([, issuer, reference]) => `${issuer} ${reference}`)).toEqual(references);
  });

  test('in a message of the bank is found too, and that of a currency exchange', async () => {
    const information = [{ communication: free('VOOR +++090/9337/55493+++') }];
    const inMessage = await entryOf({ ...debit, information });
    const communication = {
      ...({ kind: 'structured', type: '105', reference: '090933755493', country: 'US' } as const),
      ...{ amount: 12_100n, originalAmount: 13_000n, originalCurrency: 'USD' },
      ...{ rate: 92_000_000n, amountInEuro: 12_100n },
    };
    const exchange = await entryOf({ ...debit, communication });
    for (const xml of [inMessage, exchange]) {
      expect(valuesOf(xml, 'Ref')).toEqual(['090933755493']);
    }
    expect(exchange).toMatch(/<InstdAmt>\s*<Amt Ccy="USD">13.00</);
    expect(exchange).not.toContain('originalAmount');
  });

  test('is never cut, however long it is', async () => {
    const words = Array.from({ length: 120 }, (_, index) => `WORD${index}`).join(' ');
    const pieces = words.match(/.{1,250}(?: |$)/g) ?? [];
    const information = pieces.map((text) => ({ communication: free(text.trim()) }));
    const batch = { ...debit, transactionCode: code(1, '05', '01'), information };
    const single = await entryOf({ ...debit, information });
    const total = await entryOf({ ...batch, details: [detail(-12_100n, 'ONE', 5)] });
    for (const xml of [single, total]) {
      for (const word of words.split(' ')) expect(xml).toMatch(new RegExp(`\\b${word}\\b`));
    }
    const text = `${'LONG '.repeat(26)}WORDS AT THE END`;
    expect(valuesOf(await entryOf({ ...debit, communication: free(text) }), 'Ustrd')).toEqual([
      `${'LONG '.repeat(26)}WORDS AT`,
      'THE END',
    ]);
  });
});

test('D-70 a party of record 3.1 that is another one stays as a text', async () => {
  const information = [party('SOMEBODY ELSE', 'RUE 1', '1000 BRUXELLES')];
  const xml = await entryOf({ ...payment, information });
  expect(valuesOf(xml, 'Nm')).toEqual(['EXAMPLE']);
  expect(valuesOf(xml, 'AddtlTxInf')[0]).toContain('SOMEBODY ELSE RUE 1 1000 BRUXELLES');
});

test('D-70 an entry without a date has that of the statement', async () => {
  const xml = await entryOf({ ...payment, entryDate: undefined });
  expect(xml).toMatch(/<BookgDt>\s*<Dt>2026-02-03</);
});

test('D-70 the references of more than 9,999 entries differ', async () => {
  const statement = await sampleStatement({ movements: [payment] });
  const [movement = expect.fail()] = statement.movements;
  const movements = Array.from({ length: 10_001 }, () => movement);
  const references = valuesOf(writeCamt053([{ ...statement, movements }]), 'NtryRef');
  expect(new Set(references).size).toBe(10_001);
});
