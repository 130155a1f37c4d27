import { describe, expect, test } from 'vitest';
import { renderPayrollPdf } from '../../src/pdf/render-payroll-pdf.js';
import { textsOf } from './printed-pages.js';
import { readPdf } from './read-pdf.js';
import { sampleBooking as booking, pair } from './sample-booking.js';

const printed = async (given: typeof booking, language: 'fr' | 'nl' = 'fr') =>
  textsOf(readPdf(await renderPayrollPdf(given, { language })));

// layout.test.ts has the columns of debits and credits.
describe('PDF: payroll booking', () => {
  test('lines are grouped by department, with totals', async () => {
    const pages = await printed(booking, 'nl');
    expect(pages).toHaveLength(1);
    expect(pages[0]).toEqual([
      'Loonjournaal 01/2026',
      ...['Werkgever', 'Ateliers du Midi SA', 'Ondernemingsnummer', 'BE 0403.019.261'],
      ...['Boekingsperiode', '01/2026', 'Sociaal secretariaat', 'Groep S – Sociaal Secretariaat'],
      ...['Nummer', '7', 'Datum', '02/02/2026'],
      ...['Rekening', 'Omschrijving', 'Maand', 'Debet', 'Credit'],
      'Afdeling Atelier',
      ...['618220', 'Rémunérations', '01/2026', '1.234,56'],
      ...['4530', 'Rémunérations', '01/2026', '1.234,56'],
      ...['618220', 'Rémunérations', '01/2026', '0,44'],
      ...['4530', 'Rémunérations', '01/2026', '0,44'],
      ...['Totaal Atelier', '1.235,00', '1.235,00'],
      'Zonder afdeling',
      ...['618220', 'Rémunérations', '01/2026', '10,00'],
      ...['4530', 'Rémunérations', '01/2026', '10,00'],
      ...['Totaal zonder afdeling', '10,00', '10,00'],
      ...['Algemeen totaal', '1.245,00', '1.245,00'],
      'Pagina 1 van 1',
    ]);
  });

  test('without departments, there is one list', async () => {
    const lines = pair(undefined, 10_000n);
    const [texts = []] = await printed({ ...booking, lines });
    expect(texts.join(' ')).not.toContain('épartement');
    expect(texts).toContain('Total général');
  });

  test('a long booking has all its lines, and the same bytes each time', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => pair('Atelier', BigInt(index) * 10n));
    const long = { ...booking, lines: lines.flat() };
    const pdf = await renderPayrollPdf(long, { language: 'fr' });
    expect(await renderPayrollPdf(long, { language: 'fr' })).toEqual(pdf);
    const pages = textsOf(readPdf(pdf));
    expect(pages.flat().filter((text) => text === '618220')).toHaveLength(500);
    for (const page of pages) expect(page).toContain('Libellé');
    expect(pages.at(-1)).toEqual(
      expect.arrayContaining(['1.247,50', `Page ${pages.length} sur ${pages.length}`]),
    );
  });

  test('the longest texts of a file fit', async () => {
    const text = 'Long nom '.repeat(111);
    const lines = booking.lines.map((line) => ({
      ...line,
      label: text,
      department: text,
      account: 'A'.repeat(1000),
    }));
    const long = { ...booking, lines, source: text, enterpriseName: text };
    for (const shown of (await printed(long)).flat()) expect(shown.length).toBeLessThan(150);
  });
});
