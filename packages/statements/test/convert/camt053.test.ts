import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/support/rounds.js';
import type { Statement } from '../../src/coda/statement.js';
import { camtVersions } from '../../src/convert/camt053-parts.js';
import { readCoda, writeCamt053, writeCoda } from '../../src/index.js';
import { anyCharacters, statements as anyStatements } from '../coda/statement-arbitrary.js';
import { businessStatement } from '../pdf/business-statement.js';
import { code, day, free, movements, sampleStatement } from '../pdf/sample-statement.js';
import { camt053Faults } from './camt053-schema.js';

const valuesOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(
    ([, text = '']) => text,
  );

describe('D-46 identifications in CAMT.053', () => {
  test('statements of other accounts, currencies, sub-accounts and selections share none', async () => {
    const sample = await sampleStatement({ movements: movements.slice(0, 1) });
    const { account, header } = sample;
    const variants: Statement[] = [
      sample,
      { ...sample, account: { ...account, number: 'BE68539007547034', iban: 'BE68539007547034' } },
      { ...sample, account: { ...account, currency: 'USD' } },
      { ...sample, account: { ...account, extension: '003' } },
      { ...sample, account: { ...account, extension: '004' } },
      { ...sample, header: { ...header, separateApplication: '00501' } },
      { ...sample, statementNumber: 15 },
      { ...sample, oldBalance: { ...sample.oldBalance, amount: 1n } },
    ];
    const xml = writeCamt053(variants);
    expect(camt053Faults(xml)).toEqual([]);
    const identifications = [...xml.matchAll(/<Stmt>\s*<Id>(.*?)<\/Id>/g)].map(([, id]) => id);
    expect(new Set(identifications).size).toBe(variants.length);
    for (const id of identifications) expect(id).toMatch(/^2026-01[45]-2026-02-03-[\da-f]{15}$/);
    // The same statement, read again, has the same identification.
    expect(writeCamt053([sample])).toContain(`<Id>${identifications[0]}</Id>`);
    // An account has no extension in CAMT.053, so the numbers of sub-accounts would repeat.
    expect(valuesOf(xml, 'ElctrncSeqNb')).toEqual(['14', '14', '14', '15', '14']);
    expect(valuesOf(xml, 'LglSeqNb')).toHaveLength(sample.paperNumber === 0 ? 0 : 5);
  });

  test('each message has an identification of its own, of at most 35 characters', async () => {
    const sample = await sampleStatement({ movements: [] });
    const messages = Array.from({ length: 20 }, () => writeCamt053([sample]));
    const identifications = messages.flatMap((xml) => valuesOf(xml, 'MsgId'));
    expect(new Set(identifications).size).toBe(20);
    for (const id of identifications) expect(id).toMatch(/^[\da-f]{32}$/);
    expect(valuesOf(writeCamt053([sample], { messageId: 'M-1' }), 'MsgId')).toEqual(['M-1']);
  });
});

describe('D-46 CAMT.053', () => {
  test('the statements of any file are valid in each version', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStatements(anyCharacters), { minLength: 1, maxLength: 2 }),
        async (drafts) => {
          const statements: Statement[] = [];
          for await (const { statement } of readCoda(writeCoda(drafts))) {
            if (statement) statements.push(statement);
          }
          expect(statements).toHaveLength(drafts.length);
          for (const version of camtVersions) {
            expect(camt053Faults(writeCamt053(statements, { version }), version)).toEqual([]);
          }
        },
      ),
      { numRuns: rounds({ short: 5, all: 30 }) },
    );
  });

  test('so are the samples, and a statement of nothing but what has to be there', async () => {
    const sample = await sampleStatement({ movements });
    const { oldBalance, header, account } = sample;
    const bare: Statement = {
      ...sample,
      ...{
        movements: [],
        freeCommunications: [],
        newBalance: undefined,
        statementNumber: 0,
        paperNumber: 0,
      },
      header: {
        ...header,
        bic: '',
        addressee: '',
        enterpriseNumber: '',
        separateApplication: '00501',
        duplicate: true,
      },
      account: {
        ...account,
        holder: '',
        description: '',
        iban: undefined,
        number: '1',
        currency: '',
      },
      oldBalance: { ...oldBalance, date: undefined },
    };
    const odd: Statement = {
      ...sample,
      account: { ...account, holder: `<&>"\u0000\uD800${'é😀'.repeat(200)}` },
      freeCommunications: [
        { sequence: 1, lines: Array.from({ length: 30 }, () => 'ligne & ligne'.repeat(6)) },
      ],
    };
    const zeros = { ...sample, account: { ...account, iban: undefined, number: '0' } };
    const blank = { ...sample, account: { ...account, iban: undefined, number: '' } };
    for (const statement of [sample, await businessStatement(8), bare, odd, zeros, blank]) {
      expect(camt053Faults(writeCamt053([statement]))).toEqual([]);
    }
    expect(() => writeCamt053([])).toThrow(RangeError);
  });

  test('a duplicate is marked, and the messages of the bank are there', async () => {
    const sample = await sampleStatement({ movements: [] });
    expect(valuesOf(writeCamt053([sample]), 'CpyDplctInd')).toEqual([]);
    const xml = writeCamt053([{ ...sample, header: { ...sample.header, duplicate: true } }]);
    expect(valuesOf(xml, 'CpyDplctInd')).toEqual(['DUPL']);
    expect(valuesOf(xml, 'AddtlStmtInf')).toEqual(['Nos agences sont fermées le 1er mai.']);
  });

  test('the check sees what is against the schema', async () => {
    const xml = writeCamt053([await sampleStatement({ movements })]);
    const changed = (from: string | RegExp, to: string) => camt053Faults(xml.replace(from, to));
    expect(changed(/<Sts>.*?<\/Sts>/s, '')).toEqual([
      'Document/BkToCstmrStmt/Stmt/Ntry/Sts: 0 times',
    ]);
    expect(changed('<Cd>BOOK</Cd>', '<Cd>BOOKED</Cd>')).toHaveLength(1);
    expect(changed(/(<Ccy>.*?<\/Ccy>\n)(\s*<Nm>.*?<\/Nm>\n)/, '$2$1')).toHaveLength(1);
    expect(
      changed('<NtryRef>0001</NtryRef>', '<NtryRef>0001</NtryRef><Foo>1</Foo>').length,
    ).toBeGreaterThan(0);
    expect(changed('<Amt Ccy="EUR">1234.56</Amt>', '<Amt>1234.56</Amt>')).toHaveLength(1);
    expect(changed('<IBAN>', '<IBAN> ')).toHaveLength(1);
  });

  test('entries have the amounts, sides and dates of the movements, and add up to the balances', async () => {
    const statement = await sampleStatement({ movements });
    const xml = writeCamt053([statement]);
    const [opening = 0, closing = 0, ...amounts] = [
      ...xml.matchAll(/<(?:Bal|Ntry)>.*?<Amt Ccy="EUR">([\d.]+)<\/Amt>\s*<CdtDbtInd>(\w+)</gs),
    ].map(([, amount, side]) => Math.round(Number(amount) * 1000) * (side === 'CRDT' ? 1 : -1));
    expect(amounts.map(BigInt)).toEqual(statement.movements.map(({ amount }) => amount));
    expect(opening + amounts.reduce((sum, amount) => sum + amount, 0)).toBe(closing);
    expect(xml).toMatch(
      /<BookgDt>\s*<Dt>2026-02-03<\/Dt>\s*<\/BookgDt>\s*<ValDt>\s*<Dt>2026-02-02</,
    );
  });

  test('the owner is the holder of the account, not the addressee of the file', async () => {
    const statement = await sampleStatement({ movements });
    const { account, header } = statement;
    const named = {
      ...statement,
      ...{ account: { ...account, holder: 'HOLDER' }, header: { ...header, addressee: 'OTHER' } },
    };
    expect(writeCamt053([named])).toMatch(/<Ownr>\s*<Nm>HOLDER<\/Nm>/);
  });

  test('the summary counts every entry on its side, one of zero too', async () => {
    const [first = expect.fail()] = movements;
    const xml = writeCamt053([
      await sampleStatement({ movements: [...movements, { ...first, amount: 0n }] }),
    ]);
    const entries = [...xml.matchAll(/<Ntry>.*?<CdtDbtInd>(\w+)</gs)].map(([, side]) => side);
    const counts = valuesOf(xml, 'NbOfNtries').map(Number);
    const onSide = (side: string) => entries.filter((each) => each === side).length;
    expect(counts).toEqual([entries.length, onSide('CRDT'), onSide('DBIT')]);
  });

  test('the counterparty is the debtor of a credit and the creditor of a debit; details inherit it', async () => {
    const xml = writeCamt053([await sampleStatement({ movements })]);
    const [credit = '', debit = '', total = ''] = xml.match(/<Ntry>.*?<\/Ntry>/gs) ?? [];
    expect(credit).toMatch(
      /<Dbtr>\s*<Pty>\s*<Nm>Établissements Œuvre &amp; Söhne<.*<DbtrAcct>.*<DbtrAgt>.*BPOTBEB1/s,
    );
    expect(credit).toMatch(/<Cd>SCOR<.*<Issr>BBA<.*<Ref>090933755493</s);
    expect(debit).toMatch(/<Cdtr>\s*<Pty>\s*<Nm>Leverancier NV<.*<AdrLine>Kerkstraat 12</s);
    expect(valuesOf(debit, 'EndToEndId')).toEqual(['VREF-2026-000123']);
    expect(valuesOf(total, 'NbOfTxs')).toEqual(['2']);
    expect(valuesOf(total, 'Ustrd')).toEqual(['Terminal 1, ticket 000', 'Terminal 2, ticket 001']);
    expect(valuesOf(xml, 'MndtId')).toEqual(['MANDAT-2024-77']);
    expect(xml).toContain('<Cd>MD06</Cd>');
  });

  test('a name that is only in record 3.1 is there, also of a detail', async () => {
    const [, invoice = expect.fail()] = movements;
    const { account = '', currency = '' } = invoice.counterparty ?? {};
    const unnamed = { ...invoice, counterparty: { account, currency, name: 'NOTPROVIDED' } };
    const detail = { ...unnamed, counterparty: {}, transactionCode: code(5, '02', '01') };
    const transactionCode = code(1, '02', '01');
    const total = { ...unnamed, transactionCode, information: [], details: [detail] };
    for (const movement of [unnamed, total]) {
      const xml = writeCamt053([await sampleStatement({ movements: [movement] })]);
      expect(xml).toMatch(/<Cdtr>\s*<Pty>\s*<Nm>Leverancier NV<.*<AdrLine>Kerkstraat 12</s);
    }
  });

  test('text after a reference is there too', async () => {
    const [transfer = expect.fail()] = movements;
    const reference = '090933755493';
    const remainder = 'RENT MAY';
    const communication = { kind: 'structured', type: '101', reference, remainder } as const;
    const xml = writeCamt053([
      await sampleStatement({ movements: [{ ...transfer, communication }] }),
    ]);
    expect(camt053Faults(xml)).toEqual([]);
    expect(valuesOf(xml, 'Ustrd')).toEqual([remainder]);
    expect(valuesOf(xml, 'Ref')).toEqual([reference]);
  });

  test('the original amount is there, and for whom the counterparty acts', async () => {
    const [transfer = expect.fail(), , , , withdrawal = expect.fail()] = movements;
    const acting = (type: '008' | '009', name: string) => ({
      communication: { kind: 'structured', type, name, identification: '' } as const,
    });
    const information = [acting('008', 'Beneficiary BV'), acting('009', 'Payer NV')];
    const xml = writeCamt053([
      await sampleStatement({ movements: [{ ...transfer, information }, withdrawal] }),
    ]);
    expect(camt053Faults(xml)).toEqual([]);
    expect(xml).toMatch(/<UltmtDbtr>\s*<Pty>\s*<Nm>Payer NV</);
    expect(xml).toMatch(/<UltmtCdtr>\s*<Pty>\s*<Nm>Beneficiary BV</);
    expect(xml.match(/<InstdAmt>\s*<Amt Ccy="EUR">60.125</g)).toHaveLength(1);
  });

  test('a detail without a counterparty takes over that of its movement, with its own amount', async () => {
    const [transfer = expect.fail()] = movements;
    const details = [1_000_000n, 234_560n].map((amount) => ({
      ...day,
      amount,
      transactionCode: code(8, '01', '50', '100'),
      communication: free(''),
    }));
    const total = { ...transfer, transactionCode: code(3, '01', '50'), details };
    const xml = writeCamt053([await sampleStatement({ movements: [total] })]);
    const transactions = xml.match(/<TxDtls>.*?<\/TxDtls>/gs) ?? [];
    expect(transactions.map((each) => valuesOf(each, 'Amt'))).toEqual([['1000.00'], ['234.56']]);
    for (const each of transactions) {
      expect(valuesOf(each, 'Nm')).toEqual(['Établissements Œuvre &amp; Söhne']);
      expect(valuesOf(each, 'Cd')).toEqual(['80150100', 'SCOR']);
    }
    expect(valuesOf(xml, 'NbOfTxs')).toEqual([]);
  });
});
