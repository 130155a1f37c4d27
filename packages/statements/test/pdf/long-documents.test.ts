import { describe, expect, test } from 'vitest';
import type { MovementDraft } from '../../src/coda/write/statement-draft.js';
import { renderPayrollPdf } from '../../src/pdf/render-payroll-pdf.js';
import { directDebit } from '../communications.js';
import { businessStatement } from './business-statement.js';
import { counterparty, movement, pagesOf, printed, textsOf } from './printed-pages.js';
import { readPdf } from './read-pdf.js';
import { sampleBooking } from './sample-booking.js';
import { code, free } from './sample-statement.js';

/** A total of card payments with this many details, and an indication of the terminal. */
const takings = (count: number): MovementDraft =>
  movement({
    amount: BigInt(count) * 10_000n,
    transactionCode: code(2, '04', '50'),
    communication: free('Ventes du jour'),
    details: Array.from({ length: count }, (_, index) =>
      movement({
        amount: 10_000n,
        transactionCode: code(6, '04', '50'),
        communication: free(`Ticket ${index + 1}`),
      }),
    ),
  });

describe('D-46 on several pages, a bookkeeper', () => {
  test('reads 26 ordinary movements of a business on three pages', async () => {
    for (const language of ['fr', 'nl', 'de', 'en'] as const) {
      expect(await printed(await businessStatement(26), language)).toHaveLength(3);
    }
  });

  test('sees above the details on the next page what they are part of', async () => {
    const pages = await pagesOf([takings(100)]);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(1)) {
      const heading = page.indexOf('Encaissement par terminal (suite)');
      expect(page.slice(heading + 1)[0]).toMatch(/^Ticket \d+$/);
      expect(page[heading - 1]).toBe('1');
    }
    const details = pages.flat().filter((text) => /^Ticket/.test(text));
    expect(details).toEqual(Array.from({ length: 100 }, (_, index) => `Ticket ${index + 1}`));
  });

  test('reads 40 details of a collective amount on two pages, what they share with the total alone', async () => {
    const details = Array.from({ length: 40 }, (_, index) =>
      movement({
        amount: 25_500n,
        transactionCode: code(6, '05', '50'),
        counterparty: { ...counterparty, name: `Client ${index + 1}` },
        communication: directDebit({
          ...{ mandate: `M-${index + 1}`, text: `Cotisation ${index + 1}`, rTransaction: '0' },
        }),
      }),
    );
    const total = movement({ amount: 1_020_000n, transactionCode: code(2, '05', '50'), details });
    const pages = await pagesOf([total]);
    expect(pages).toHaveLength(2);
    const lines = pages.flat();
    expect(lines.filter((text) => text.includes('BE69ZZZ0403019261'))).toEqual([
      'Règlement 02/02/2026 · Créancier BE69ZZZ0403019261',
    ]);
    expect(lines.join(' ')).toMatch(
      /Client 7 · BE54\s0000\s0000\s0097 (?:· )?Cotisation 7 · Mandat\sM-7 \+25,50 Client 8/,
    );
    // A text that not all details share is printed with each detail.
    const [first = expect.fail(), ...others] = details;
    const other = {
      ...total,
      details: [movement({ amount: 25_500n, transactionCode: first.transactionCode }), ...others],
    };
    const [page = []] = await pagesOf([other]);
    expect(page.filter((text) => text.includes('BE69ZZZ0403019261')).length).toBeGreaterThan(10);
  });

  test('sees the new balance on the page of the totals, wherever the page ends', async () => {
    for (let details = 36; details <= 52; details += 1) {
      const pages = await pagesOf([takings(details)], 'en');
      const last = pages.find((page) => page.includes('Total debit'));
      expect(last).toEqual(expect.arrayContaining(['Total credit', 'New balance']));
    }
  });

  test('sees no such heading where a movement begins the page', async () => {
    const pages = await pagesOf(
      Array.from({ length: 60 }, () => movement({ communication: free('x') })),
    );
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().filter((text) => text.includes('(suite)'))).toEqual([]);
  });

  test('sees the department of payroll lines on each page', async () => {
    const [line = expect.fail()] = sampleBooking.lines;
    const lines = Array.from({ length: 120 }, () => ({ ...line, department: 'Atelier' }));
    const pdf = await renderPayrollPdf({ ...sampleBooking, lines }, { language: 'fr' });
    for (const page of textsOf(readPdf(pdf)).slice(1)) {
      expect(page).toContain('Département Atelier (suite)');
    }
  });
});
