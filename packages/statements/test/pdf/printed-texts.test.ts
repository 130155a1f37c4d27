import { describe, expect, test } from 'vitest';
import { givenText } from '../../src/coda/given-text.js';
import { nameLanguages } from '../../src/coda/names/code-table.js';
import { printableText } from '../../src/pdf/layout/wrap-text.js';
import { communicationTexts } from '../../src/texts/communication-texts.js';
import type { PrintedTexts } from '../../src/texts/printed-texts.js';
import { textsOfLanguage } from '../../src/texts/texts-of-language.js';

const { fr } = textsOfLanguage;

/** Returns every text with its name. Templates have sample values. */
function textsOf(texts: PrintedTexts): Record<string, string> {
  const { rTransactions, fields, parties, subtotal, page, colon: _, ...plain } = texts;
  const named = (group: string, of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, text]) => [`${group}.${name}`, text] as const);
  return Object.fromEntries([
    ...Object.entries(plain),
    ...named('parties', parties),
    ...named('rTransactions', rTransactions),
    ...named('fields', fields),
    ['subtotal', subtotal('X')],
    ['page', page(2, 3)],
  ]);
}

describe('PDF: texts', () => {
  test.each(nameLanguages)('D-46 all texts are there in %s', (language) => {
    const texts = textsOf(textsOfLanguage[language]);
    expect(Object.keys(texts)).toEqual(Object.keys(textsOf(fr)));
    for (const text of Object.values(texts)) expect(text).toMatch(/\p{L}/u);
    const { rTransactions } = textsOfLanguage[language];
    expect(Object.keys(rTransactions)).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(Object.values(rTransactions)).size).toBe(5);
  });
});

const noBreak = (text: string): string => text.replaceAll(' ', '\u00A0');
const structured = (type: string, fields: object) =>
  ({ kind: 'structured', type, ...fields }) as unknown as Parameters<typeof communicationTexts>[0];

describe('PDF: communications', () => {
  test.each(
    Object.entries<readonly [Parameters<typeof communicationTexts>[0], string[]]>({
      'free text': [{ kind: 'free', text: 'Facture  7' } as const, ['Facture  7']],
      'an unknown type': [{ kind: 'unknown', type: '199', text: 'abc' } as const, ['abc']],
      'a creditor reference': [
        structured('100', { reference: 'RF18539007547034' }),
        ['RF18 5390 0754 7034'],
      ],
      'a structured reference': [
        structured('101', { reference: '090933755493' }),
        ['+++090/9337/55493+++'],
      ],
      'a reconstituted one': [
        structured('102', { reference: '090933755493' }),
        ['+++090/9337/55493+++'],
      ],
      'a counterparty': [
        structured('001', {
          name: 'Jan',
          street: 'Kerkstraat 1',
          locality: '9000 Gent',
          identification: 'ID-1',
        }),
        ['Jan', 'Kerkstraat 1', '9000 Gent', noBreak('Identification ID-1')],
      ],
      'a counterparty without street and identification': [
        structured('001', { name: 'Jan', street: '', locality: 'Gent', identification: '' }),
        ['Jan', 'Gent'],
      ],
      'own texts first, then labelled values': [
        structured('113', {
          cardNumber: '6703 1234',
          terminalName: 'TOTAL',
          terminalTown: 'NAMUR',
          date: '2026-02-01',
          time: '14:35',
          originalAmount: 1_060_125n,
          originalCurrency: 'USD',
          rate: 110_000_000n,
          volume: 3_520n,
          unitPrice: 1_700n,
        }),
        [
          'TOTAL NAMUR',
          ...[
            'Carte 6703 1234',
            'Date 01/02/2026',
            'Heure 14:35',
            'Montant d’origine 1.060,125 USD',
            'Cours 1,10',
            'Volume 35,20',
            'Prix unitaire 1,70',
          ].map(noBreak),
        ],
      ],
      'rates with their own decimals': [
        structured('106', { percentage: 2_112_345_678n, rate: 12_000_000n }),
        [noBreak('Pourcentage 21,12345678 %'), noBreak('Cours 0,12')],
      ],
      'an amount without its own currency': [
        structured('108', { originalAmount: 5_000n, interestRate: 150_000_000n }),
        [noBreak('Montant d’origine 5,00'), noBreak('Taux 1,50 %')],
      ],
      'no values that are empty, zero or missing': [
        structured('105', {
          amount: 0n,
          rate: undefined,
          country: '',
          reference: '000000',
          terminalName: '',
          terminalTown: '',
        }),
        [],
      ],
      'an amount with its currency and the name of its category': [
        structured('006', {
          description: 'FEE',
          currency: 'EUR',
          amount: -1_210n,
          category: '011',
        }),
        ['FEE', 'TVA', noBreak('Montant -1,21 EUR')],
      ],
      'the point of sale, the terminal, and a count without zeros': [
        structured('111', { pointOfSale: '123456', terminal: '0047', count: '0000010' }),
        ['Point de vente 123456', 'Terminal 0047', 'Nombre 10'].map(noBreak),
      ],
      'no codes of the bank': [
        structured('111', { cardScheme: '1', product: '01', type2: 'x' }),
        [],
      ],
      'lines of a message': [
        structured('002', { line1: 'one', line2: 'two', line3: '', line4: 'four' }),
        ['one', 'two', 'four'],
      ],
      'text after a reference': [
        structured('101', { reference: '090933755493', remainder: 'RENT MAY' }),
        ['+++090/9337/55493+++', 'RENT MAY'],
      ],
      'text after a reference of a creditor': [
        structured('100', { reference: 'RF18539007547034', remainder: 'RENT MAY' }),
        ['RF18 5390 0754 7034', 'RENT MAY'],
      ],
      'text after the layout': [
        structured('103', { number: '12', remainder: 'more' }),
        ['more', noBreak('Numéro 12')],
      ],
      'a period of the century before': [
        structured('108', { period: '011298310199' }),
        [noBreak('Période 01/12/1998 – 31/01/1999')],
      ],
      'a field that cannot be read': [
        structured('107', { date: undefined, unread: { date: '999999' } }),
        [noBreak('Date 999999')],
      ],
      'a long value may be broken': [
        structured('127', { mandate: 'M A N D A T E of more than thirty-five characters' }),
        ['Mandat M A N D A T E of more than thirty-five characters'],
      ],
    }),
  )('%s', (_, [communication, lines]) => {
    const { own, labelled } = communicationTexts(communication, fr);
    expect([...own, ...labelled]).toEqual(lines);
  });

  test.each([
    ['NOTPROVIDED', ''],
    ['Not provided', ''],
    ['END TO END: NOTPROVIDED', ''],
    ['MANDAAT: M-1 REFERENTIE : NOTPROVIDED', 'MANDAAT: M-1'],
    ['REF. 12: NOTPROVIDED', 'REF. 12:'],
    ['Mandate reference NOTPROVIDED', ''],
    ['MANDAATREFERENTIE NOTPROVIDED', ''],
    ['CREDITOR REFERENCE NOTPROVIDED MANDATE REFERENCE NOTPROVIDED', ''],
    ['FACTURE 7 IDENTIFICATION DU CRÉANCIER : NOTPROVIDED', 'FACTURE 7'],
    ['Référence du mandat NOTPROVIDED, loyer de mai', 'loyer de mai'],
    ['LOYER DE MAI REFERENCE DONNEUR D’ORDRE NOTPROVIDED', 'LOYER DE MAI'],
    ['GLÄUBIGER-ID NOTPROVIDED', ''],
    ['CREDITOR ACME NV NOTPROVIDED', 'CREDITOR ACME NV'],
    ['BETALING 12 NOTPROVIDED', 'BETALING 12'],
    ['ORDER 4711 REFUND NOTPROVIDED', 'ORDER 4711 REFUND'],
    ['TERUGBETALING CREDITNOTA NOTPROVIDED', 'TERUGBETALING CREDITNOTA'],
    ['BETALING VAN DE KLANT NOTPROVIDED', 'BETALING VAN DE KLANT'],
    ['BETALING ZONDER REFERENTIE NOTPROVIDED', 'BETALING ZONDER REFERENTIE'],
    ['FACTUUR VAN DE CREDITNOTA REF: NOTPROVIDED', 'FACTUUR VAN DE CREDITNOTA'],
    ['LOYER NOTPROVIDED REF.: NOTPROVIDED', 'LOYER'],
    ['JAN PEETERS REFERENTIE: NOTPROVIDED OM 13.08 UUR', 'JAN PEETERS OM 13.08 UUR'],
    ['Uw klantenreferentie NOTPROVIDED', ''],
    ['REFERENTIE NOTPROVIDED', ''],
    ['REFERENTIE: NOT PROVIDED', ''],
    ['MANDAAT: M-1 OMSCHRIJVING: NOTPROVIDED', 'MANDAAT: M-1'],
    ['BETALING 12 NOTPROVIDED NOTPROVIDED', 'BETALING 12'],
    ['Invoice not provided yet', 'Invoice not provided yet'],
    ['VAT NUMBER NOT PROVIDED, PLEASE SEND', 'VAT NUMBER NOT PROVIDED, PLEASE SEND'],
    ['VAT NUMBER: NOT PROVIDED', 'VAT NUMBER: NOT PROVIDED'],
    ['INVOICE NOT PROVIDED', 'INVOICE NOT PROVIDED'],
    ['CUSTOMER NUMBER NOT PROVIDED, PLEASE SEND', 'CUSTOMER NUMBER NOT PROVIDED, PLEASE SEND'],
    ['REFERENCE: NOT PROVIDED BY THE CLIENT', 'REFERENCE: NOT PROVIDED BY THE CLIENT'],
    ['NOTPROVIDED LOYER DE MAI', 'LOYER DE MAI'],
    ['WHY-NOTPROVIDED', 'WHY-NOTPROVIDED'],
    ['000000000000', ''],
    ['BE00000000000000', ''],
    ['0', ''],
    ['', ''],
    ['0A', '0A'],
    ['AA0', 'AA0'],
    ['BC00', 'BC00'],
    ['BE54000000000097', 'BE54000000000097'],
    ['OK', 'OK'],
    ['BE', 'BE'],
  ])('D-46 of %j, %j is printed', (text, given) => {
    expect(givenText(text)).toBe(given);
  });

  test('40 characters with their label stay on one line, 41 may be broken', () => {
    const lines = (reference: string) =>
      communicationTexts(structured('103', { reference }), fr).labelled;
    const reference = `a ${'b'.repeat(40 - 'Référence a '.length)}`;
    expect(lines(reference)).toEqual([noBreak(`Référence ${reference}`)]);
    expect(lines(`${reference}c`)).toEqual([`Référence ${reference}c`]);
  });
});

test.each([
  ['a  b', 'a b'],
  ['a\tb\r\nc\u0000d\u007Fe', 'a b c d e'],
  [' \n a \n ', 'a'],
  ['a\u2028b\u3000c', 'a b c'],
  ['a\u00A0b', 'a\u00A0b'],
  ['a \u00A0 b', 'a \u00A0 b'],
  ['a\uD83Db\uDE42', 'a\uFFFDb\uFFFD'],
  ['🙂', '🙂'],
  ['', ''],
])('PDF: %j is printed as %j', (text, printed) => {
  expect(printableText(text)).toBe(printed);
});
