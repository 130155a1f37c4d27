import { describe, expect, test } from 'vitest';
import type { MovementDraft } from '../../src/coda/write/statement-draft.js';
import { statementsCsv, writeCamt053 } from '../../src/index.js';
import { directDebit, party } from '../communications.js';
import { counterparty, movement, pagesOf, printed } from './printed-pages.js';
import { code, free, movements, sampleStatement } from './sample-statement.js';

describe('D-46 a bookkeeper', () => {
  test('reads a text that the bank wrapped over two records as one', async () => {
    const texts = ['MANDATE 7F3A REFERENCE: 202/'.padStart(73, '*'), '2-12-13196'];
    const wrapped = movement({ information: texts.map((text) => ({ communication: free(text) })) });
    expect((await pagesOf([wrapped])).flat().join('')).toContain('202/2-12-13196');
    const statement = await sampleStatement({ movements: [wrapped] });
    expect(statementsCsv([statement])).toContain('202/2-12-13196');
    expect(writeCamt053([statement])).toContain('202/2-12-13196');
  });

  test('tells capital from interest, and a fee from its VAT', async () => {
    const part = (family: string, operation: string, category: string) =>
      movement({ transactionCode: code(0, family, operation, category) });
    const parts = [
      part('13', '07', '055'),
      part('13', '07', '002'),
      part('80', '35', '006'),
      part('80', '35', '011'),
    ];
    const [page = []] = await pagesOf(parts);
    expect(page).toEqual(
      expect.arrayContaining([
        'Remboursement de crédit à tempérament – remboursement de capital',
        'Remboursement de crédit à tempérament – intérêts payés',
        'Frais – frais et commissions divers',
        'Frais – TVA',
      ]),
    );
  });

  test('D-70 sees what the details of a total lack', async () => {
    const details = [6_000n, 3_000n].map((amount) =>
      movement({ amount: -amount, transactionCode: code(5, '01', '01') }),
    );
    const [page = []] = await pagesOf(
      [movement({ transactionCode: code(1, '01', '01'), details })],
      'nl',
    );
    const at = page.indexOf('Verschil tussen het totaal en zijn details');
    expect(page[at + 1]).toBe('-1,00');
    const whole = movement({ amount: -9_000n, transactionCode: code(1, '01', '01'), details });
    expect((await pagesOf([whole], 'nl')).flat().join()).not.toContain('Verschil');
  });

  test('D-46 sees dates of the past century, and a term without an end', async () => {
    const communication = {
      ...({ kind: 'structured', type: '123', startDate: '1998-06-15' } as const),
      ...{ maturityDate: 'noFixedTerm', baseAmount: 1_000n, percentage: 0n },
      ...{ days: '0090', minimum: '0', guaranteeNumber: 'G-1' },
    };
    const [page = []] = await pagesOf([movement({ communication })], 'en');
    const shown = page.join(' ').replaceAll('\u00A0', ' ');
    expect(shown).toContain('Start 15/06/1998');
    expect(shown).toContain('Maturity without fixed term');
  });

  test('sees neither NOTPROVIDED nor an account of zeros', async () => {
    const [page = []] = await pagesOf([
      movement({
        counterparty: {
          account: '000000000000',
          currency: 'EUR',
          name: 'Shop',
          bic: 'NOTPROVIDED',
        },
        customerReference: 'NOTPROVIDED',
        information: [{ communication: free('E2E: NOTPROVIDED') }],
      }),
    ]);
    expect(page.filter((text) => /provided|0{5}/i.test(text))).toEqual([]);
    expect(page).toContain('Shop');
  });

  test('reads the amount of a loan once, its rate as a percentage, and the extension with the account', async () => {
    const credit = movement({
      transactionCode: code(0, '13', '02', '055'),
      communication: {
        ...{ kind: 'structured', type: '125', creditAccount: '726123456789', extension: '' },
        ...{ oldBalance: 120_000_000n, newBalance: 119_990_000n, amount: 10_000n, currency: 'EUR' },
        ...{ startDate: '2026-01-03', endDate: '2026-02-02', interestRate: 325_000_000n },
        reference: '',
      },
    });
    const [page = []] = await pagesOf([credit]);
    expect(page.join(' ')).toContain('Taux 3,25 %');
    expect(page.filter((text) => text.includes('10,00'))).toEqual(['-10,00', '-10,00 EUR']);
    const statement = await sampleStatement({ movements: [credit] });
    const account = { ...statement.account, extension: '003' };
    expect((await printed({ ...statement, account })).flat()).toEqual(
      expect.arrayContaining(['BE71 0961 2345 6769 / 003', 'EUR']),
    );
  });

  test.each(['Jan Peeters', 'NOTPROVIDED'])(
    'reads a name, and all that banks repeat, once, after %j in record 2.3',
    async (name) => {
      const [page = []] = await pagesOf([
        movement({
          counterparty: { ...counterparty, name },
          communication: free('Facture 7'),
          information: [
            party('JAN PEETERS & ZONEN', 'Kerkstraat 1', '9000 Gent'),
            { communication: free('Facture 7') },
          ],
        }),
      ]);
      expect(page.filter((text) => /peeters/i.test(text))).toEqual([
        'JAN PEETERS & ZONEN · BE54 0000 0000 0097 · Kerkstraat 1, 9000 Gent',
      ]);
      expect(page.filter((text) => text === 'Facture 7')).toHaveLength(1);
      expect(page.filter((text) => text === 'ATELIERS DU MIDI SA')).toHaveLength(1);
    },
  );

  test('keeps another party with the same first letters, and amounts that differ by their sign', async () => {
    const fee = {
      kind: 'structured',
      type: '006',
      description: '',
      currency: 'EUR',
      category: '',
    } as const;
    const [page = []] = await pagesOf([
      movement({
        counterparty,
        information: [
          party('An Janssens'),
          { communication: { ...fee, amount: 1_000n } },
          { communication: { ...fee, amount: -1_000n } },
        ],
      }),
    ]);
    expect(page.join('\n')).toContain(
      'Jan Peeters · BE54 0000 0000 0097\nContrepartie : An Janssens\nMontant 1,00 EUR\nMontant -1,00 EUR',
    );
  });

  test('sees the purpose, the kind of return and its reason by name, and unknown codes as they are', async () => {
    const [page = []] = await pagesOf(
      [
        movement({ categoryPurpose: 'SALA', purpose: 'XXXX' }),
        movement({ rTransaction: 1, reason: 'AC04' }),
        movement({ rTransaction: 2, reason: 'ZZ99' }),
        movement({ transactionCode: code(0, '00', '00') }),
      ],
      'en',
    );
    const lines = page.join('\n');
    expect(lines).toContain('Transfer order\nPurpose: salary · Purpose: XXXX');
    expect(lines).toContain('Transfer order – reject: account closed (AC04)');
    expect(lines).toContain('Transfer order – return ZZ99');
    expect(page.filter((text) => text === 'Transaction')).toHaveLength(2);
  });

  test('reads the base of a fee and of its VAT with each of them', async () => {
    const part = (category: string, communication: MovementDraft['communication']) =>
      movement({
        transactionCode: code(5, '80', '35', category),
        ...(communication && { communication }),
      });
    const base = {
      kind: 'structured',
      baseAmount: 8_000n,
      percentage: undefined,
      minimum: '',
    } as const;
    const dates = { startDate: undefined, maturityDate: undefined, days: '', guaranteeNumber: '' };
    const total = movement({
      ...{ amount: -20_000n, transactionCode: code(1, '80', '35') },
      details: [
        part('006', { ...base, ...dates, type: '123' }),
        part('011', { ...base, type: '106', amount: undefined, amountInEuro: undefined }),
      ],
    });
    const [page = []] = await pagesOf([total]);
    expect(page.join('\n').match(/ · Base\s8,00/g)).toHaveLength(2);
  });

  test.each([
    ['en', '000000004936000', 'Basis 4.936,00 · Rate of interest 10,00 %'],
    ['fr', '360 JOURS', 'Base de calcul 360 JOURS · Taux 10,00 %'],
    ['nl', '000000000000000', 'Rentevoet 10,00 %'],
    ['de', '', 'Zinssatz 10,00 %'],
  ] as const)('sees in %s the period and basis of interest', async (language, basis, rate) => {
    const interest = movement({
      transactionCode: code(0, '35', '01', '002'),
      communication: {
        ...{ kind: 'structured', type: '108', amount: 10_000n, basis },
        ...{ interestRate: 1_000_000_000n, period: '010126310126' },
      },
    });
    const text = (await pagesOf([interest], language)).flat().join('\n');
    expect(text.replaceAll('\u00A0', ' ')).toContain(rate);
    expect(text).toMatch(/(?:Period|Période|Periode|Zeitraum).01\/01\/2026.–.31\/01\/2026/);
    expect(text.match(/10,00(?! %)/g)).toHaveLength(2);
  });

  test('sees neither the town of a terminal, nor an amount, nor a reason twice', async () => {
    const deposit = movement({
      communication: {
        ...{ kind: 'structured', type: '115', cardNumber: '', cardScheme: '', terminal: '' },
        ...{ sequence: '', date: undefined, time: undefined, validationDate: undefined },
        ...{ validationSequence: '', originalAmount: 10_000n, conformity: '', reference: '' },
        ...{ terminalName: 'BELFIUS GENT', terminalTown: 'GENT' },
      },
    });
    const [card = expect.fail()] = (await pagesOf([deposit])).slice(0, 1);
    expect(card).toContain('BELFIUS GENT');
    expect(card.join('\n')).not.toContain('Montant d’origine');
    const returned = movement({
      ...{ rTransaction: 2, reason: 'MD06' },
      communication: directDebit({
        ...{ settlementDate: undefined, creditor: '', mandate: 'M-1' },
        ...{ rTransaction: '2', reason: 'MD06' },
      }),
    });
    const [page = []] = await pagesOf([returned]);
    expect(page.join(' ').match(/demandé par le débiteur/g)).toHaveLength(1);
    expect(page).toContain('Mandat M-1');
  });

  test('sees the date of a statement without a number, and no balances of a separate application', async () => {
    const numberless = await sampleStatement({ statementNumber: 0, movements });
    const header = { ...numberless.header, separateApplication: '00501' };
    const texts = (await printed({ ...numberless, header })).flat();
    expect(texts[0]).toBe('Extrait de compte 03/02/2026');
    expect(texts).not.toContain('Extrait n°');
    expect(texts).not.toContain('Solde précédent');
    expect(texts).not.toContain('Nouveau solde');
    expect(texts).toContain('Total des débits');
  });
});
