import { describe, expect, test } from 'vitest';
import { type MovementDraft, writeCamt053 } from '../../src/index.js';
import { directDebit, party } from '../communications.js';
import { code, day, free, sampleStatement } from '../pdf/sample-statement.js';
import { detail, entryOf, payment, valuesOf } from './camt053-entries.js';

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
    const given = (rTransaction: string, reason: string) =>
      directDebit({ creditor: 'BE69ZZZ0403019261', mandate: 'M-1', rTransaction, reason });
    const fromDebit = await entryOf({ ...debit, communication: given('3', 'MD06') });
    const kindOfDebit = { ...debit, reason: 'MD06', communication: given('3', '') };
    const reasonOfDebit = { ...debit, rTransaction: 3, communication: given('2', 'MD06') };
    const fromBoth = await Promise.all([kindOfDebit, reasonOfDebit].map((each) => entryOf(each)));
    for (const xml of [fromRecord, fromDebit, ...fromBoth]) {
      expect(xml).toMatch(
        /<RtrInf>\s*<Rsn>\s*<Cd>MD06<\/Cd>\s*<\/Rsn>\s*<AddtlInf>refund<\/AddtlInf>/,
      );
    }
    expect(valuesOf(await entryOf(debit), 'AddtlInf')).toEqual([]);
  });

  test('that came back does not have the holder’s identifier as its debtor’s', async () => {
    const back = {
      ...debit,
      rTransaction: 3,
      counterparty: { account: '', currency: '', name: 'KLANT' },
    };
    const xml = await entryOf(back);
    expect(xml).toMatch(/<Cdtr>\s*<Pty>\s*<Nm>KLANT<\/Nm>\s*<\/Pty>/);
    expect(valuesOf(xml, 'AddtlTxInf')[0]).toContain('BE69ZZZ0403019261');
  });

  test.each([
    ['a refund', { rTransaction: 3 }],
    ['a reversal', { transactionCode: code(0, '05', '58') }],
  ])('that comes back to the holder by %s has the creditor as its debtor', async (_, changes) => {
    const xml = await entryOf({ ...debit, amount: 12_100n, ...changes });
    expect(xml).toMatch(/<Dbtr>.*<Nm>ENERGIE NV<.*<Id>BE69ZZZ0403019261<.*<\/Dbtr>/s);
    expect(xml).not.toContain('<Cdtr>');
  });

  test('the creditor of a direct debit before SEPA has no SEPA identifier', async () => {
    const { number, creditor } = { number: '000000123456', creditor: '00401234567' };
    const former = { kind: 'structured', type: '107', number, creditor, text: '' } as const;
    const xml = await entryOf({
      ...debit,
      communication: { ...former, date: '2026-01-15', refusal: '' },
    });
    expect(xml).not.toContain('SEPA');
    expect(valuesOf(xml, 'AddtlTxInf')[0]).toContain(creditor);
  });

  test('or a bank, behind the fields of a counterparty, is there', async () => {
    const { communication } = party('ENERGIE NV', 'STRAAT 1', '1000 BRUSSEL');
    const more = { communication: { ...communication, remainder: 'MORE TEXT' } } as const;
    const xml = await entryOf({ ...debit, information: [more] });
    expect(valuesOf(xml, 'AddtlTxInf')[0]).toContain('MORE TEXT');
  });

  test('or a bank, of two equal fees, is there twice, and so are two purposes', async () => {
    const fee = {
      communication: {
        ...({ kind: 'structured', type: '006', description: 'FEE', currency: 'EUR' } as const),
        ...{ amount: -12_500n, category: '' },
      },
    } as const;
    const texts = { categoryPurpose: 'SALA', purpose: 'BONU', information: [fee, fee] };
    const [text = ''] = valuesOf(await entryOf({ ...debit, ...texts }), 'AddtlTxInf');
    expect(text.match(/FEE/g)).toHaveLength(2);
    expect(text).toContain('salary');
    const same = await entryOf({ ...debit, ...texts, purpose: 'SALA' });
    expect(valuesOf(same, 'AddtlTxInf').join()).not.toContain('salary');
  });

  test('as a reference keeps its spaces', async () => {
    const xml = await entryOf({ ...payment, customerReference: 'FACT  2026  31' });
    expect(valuesOf(xml, 'EndToEndId')).toEqual(['FACT  2026  31']);
  });

  test('of a total is not lost where its detail has another mandate or ultimate party', async () => {
    const ultimate = (name: string) => ({
      communication: { kind: 'structured', type: '009', name, identification: '' } as const,
    });
    const total = {
      ...debit,
      information: [ultimate('FIRST')],
      transactionCode: code(3, '05', '01'),
    };
    const own = directDebit({ creditor: 'BE69ZZZ0403019261', mandate: 'OTHER', text: '' });
    const below = { ...detail(-12_100n), communication: own, information: [ultimate('SECOND')] };
    const xml = await entryOf({ ...total, details: [below] });
    expect(valuesOf(xml, 'MndtId')).toEqual(['OTHER']);
    expect(valuesOf(xml, 'AddtlTxInf')[0]).toMatch(
      /FIRST.*MANDATE-2024-000077|MANDATE-2024-000077.*FIRST/,
    );
    expect(valuesOf(xml, 'IntrBkSttlmDt')).toHaveLength(1);
  });

  test.each([
    ['+++090/9337/55493+++ RENT', ['BBA 090933755493']],
    ['RENT ***090933755493***', ['BBA 090933755493']],
    ['REF 090/9337/55493.', ['BBA 090933755493']],
    ['090933755493', ['BBA 090933755493']],
    ['+++090/9337/55494+++', []],
    ['+++ 090933755493 +++', ['BBA 090933755493']],
    ['Facture 090.9337.55493 juin', ['BBA 090933755493']],
    ['090 / 9337 / 55493', ['BBA 090933755493']],
    ['090 9337 55493', ['BBA 090933755493']],
    ['090 9337/55493', []],
    ['090-9337-55493', ['BBA 090933755493']],
    ['090933755493 HUUR', ['BBA 090933755493']],
    ['REF.090/9337/55493', ['BBA 090933755493']],
    ['FACTURE N-090/9337/55493-2', ['BBA 090933755493']],
    ['OGM: 090933755493, factuur 2026', ['BBA 090933755493']],
    ['4090933755493 HUUR', []],
    ['TERUGBETALING OP BE71 096123456769', []],
    ['IBAN BE71 096 1234 56769, REK 096123456769', []],
    ['RF48 090933755493', ['ISO RF48090933755493']],
    ['1/090/9337/55493', []],
    ['PHONE 0909 33755493', []],
    ['RF18539007547034 INVOICE', ['ISO RF18539007547034']],
    ['INVOICE RF18 5390 0754 7034', ['ISO RF18539007547034']],
    ['RF18 5390 0754 7034 AND 240/2838/42818', ['BBA 240283842818', 'ISO RF18539007547034']],
    ['RF18 5390 0754 7034 RF71 2348 231', ['ISO RF18539007547034', 'ISO RF712348231']],
    ['RF18-5390-0754-7034', ['ISO RF18539007547034']],
    ['rf18539007547034 invoice', ['ISO RF18539007547034']],
    ['Invoice rf18 5390 0754 7034 voor werk', ['ISO RF18539007547034']],
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
    const inReference = await entryOf({ ...debit, customerReference: '090933755493' });
    const communication = {
      ...({ kind: 'structured', type: '105', reference: '090933755493', country: 'US' } as const),
      ...{ amount: 12_100n, originalAmount: 13_000n, originalCurrency: 'USD' },
      ...{ rate: 92_000_000n, amountInEuro: 12_100n },
    };
    const exchange = await entryOf({ ...debit, communication });
    for (const xml of [inMessage, inReference, exchange]) {
      expect(valuesOf(xml, 'Ref')).toEqual(['090933755493']);
    }
    expect(exchange).toMatch(/<InstdAmt>\s*<Amt Ccy="USD">13.00</);
    expect(exchange).not.toContain('originalAmount');
  });

  test('is not what a bank wrote in a communication of an unknown type', async () => {
    const communication = { kind: 'unknown', type: '199', text: '00012345 FIELD' } as const;
    const xml = await entryOf({ ...debit, communication });
    expect(valuesOf(xml, 'Ustrd')).toEqual([]);
    expect(valuesOf(xml, 'AddtlTxInf')).toEqual(['00012345 FIELD']);
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
