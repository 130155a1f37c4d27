import { describe, expect, test } from 'vitest';
import type { MovementDraft } from '../../src/coda/write/statement-draft.js';
import type { PayrollLine } from '../../src/codb/payroll-booking.js';
import { renderPayrollPdf } from '../../src/pdf/render-payroll-pdf.js';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import { describePdf, readPdf } from './read-pdf.js';
import { sampleBooking } from './sample-booking.js';
import { code, day, free, movements, sampleStatement } from './sample-statement.js';

const amount = 30_000n;

/** A movement with details of details, and one that is longer than half a page. */
const wide: MovementDraft[] = [
  {
    ...day,
    amount,
    transactionCode: code(2, '04', '50'),
    communication: free('Encaissements'),
    details: [
      {
        ...day,
        amount,
        transactionCode: code(7, '04', '50'),
        communication: free('Terminal 1'),
        details: [
          {
            ...day,
            amount,
            transactionCode: code(9, '04', '50'),
            communication: free('Un commentaire du commerçant qui prend plus d’une ligne'),
          },
        ],
      },
    ],
  },
  {
    ...day,
    amount,
    transactionCode: code(0, '04', '50'),
    communication: free('Détail des tickets'),
    information: Array.from({ length: 45 }, (_, index) => ({
      communication: free(
        `Ligne ${index + 1} d’un long texte, que la banque répartit sur ses articles`,
      ),
    })),
  },
];

/**
 * Compares the layout of documents with `layouts/*.txt`, to a hundredth of a point. After an
 * intended change, write these files again with `npx vitest run layout -u`, and look at the PDF
 * before you commit them.
 */
describe('PDF: the layout', () => {
  test('of a statement on one page', async () => {
    const pdf = await renderStatementPdf(await sampleStatement(), {
      language: 'nl',
      bankName: 'Belfius Bank',
    });
    await expect(describePdf(pdf)).toMatchFileSnapshot('layouts/statement.txt');
  });

  test('of a statement on several pages, with details of details', async () => {
    const statement = await sampleStatement({
      movements: [...movements, ...wide, ...movements, ...movements],
      newBalance: { date: '2026-02-28' },
      freeCommunications: [
        { lines: ['Nos agences sont fermées le 1er mai.', 'Bonne fête.'] },
        {
          lines: [
            'Un message assez long pour prendre plus d’une ligne',
            'dans la colonne qui lui revient.',
          ],
        },
      ],
    });
    const pdf = await renderStatementPdf(statement, { language: 'fr' });
    await expect(describePdf(pdf)).toMatchFileSnapshot('layouts/statement-of-pages.txt');
  });

  test('of an empty statement, of an account with a long description and neither IBAN nor holder', async () => {
    const statement = await sampleStatement({
      movements: [],
      newBalance: undefined,
      freeCommunications: [],
    });
    const pdf = await renderStatementPdf(
      {
        ...statement,
        paperNumber: 0,
        account: {
          ...statement.account,
          iban: undefined,
          number: '123456789',
          holder: '',
          description: 'Compte à vue des entreprises et des indépendants',
        },
        oldBalance: { ...statement.oldBalance, date: undefined },
      },
      { language: 'nl' },
    );
    await expect(describePdf(pdf)).toMatchFileSnapshot('layouts/empty-statement.txt');
  });

  test('of a payroll booking on two pages', async () => {
    const lines = Array.from({ length: 60 }, (_, index): PayrollLine => {
      const amount = BigInt(index + 1) * 1_234_560n;
      const isDebit = index % 2 === 0;
      return {
        account: `${618_000 + index}`,
        label:
          index === 7 ? 'Cotisations patronales à la sécurité sociale, régularisation' : 'Salaires',
        socialPeriod: '202601',
        department: index < 50 ? 'Atelier' : undefined,
        debit: isDebit ? amount : 0n,
        credit: isDebit ? 0n : amount,
      };
    });
    const pdf = await renderPayrollPdf({ ...sampleBooking, lines }, { language: 'fr' });
    await expect(describePdf(pdf)).toMatchFileSnapshot('layouts/payroll.txt');
  });

  test('the totals of a statement are on one page, and the messages are on the page of their heading', async () => {
    const [movement = expect.fail('there are movements')] = movements;
    let turned = 0;
    // One more line each time moves the end of the first page through all these rows.
    for (let lines = 0; lines < 14; lines += 1) {
      const information = Array.from({ length: lines }, (_, index) => ({
        communication: {
          ...{ kind: 'structured' as const, type: '002' as const, line1: `Ligne ${index}` },
          ...{ line2: '', line3: '', line4: '' },
        },
      }));
      const statement = await sampleStatement({
        movements: [{ ...movement, information }, ...Array.from({ length: 11 }, () => movement)],
        newBalance: { date: '2026-02-28' },
      });
      const pages = readPdf(await renderStatementPdf(statement, { language: 'fr' }));
      const pageOf = (text: string) =>
        pages.findIndex((page) => page.some((shown) => shown.text === text));
      expect(pageOf('Total des débits')).toBeGreaterThanOrEqual(0);
      expect(pageOf('Total des crédits')).toBe(pageOf('Total des débits'));
      expect(pageOf('Nouveau solde')).toBe(pageOf('Total des débits'));
      expect(pageOf('Messages de la banque')).toBe(pageOf('Nos agences sont fermées le 1er mai.'));
      if (pageOf('Nouveau solde') < pageOf('Messages de la banque')) turned += 1;
    }
    expect(turned).toBeGreaterThan(0);
  });
});
