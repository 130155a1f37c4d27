import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import { readPdf, type ShownText } from './read-pdf.js';
import { movements, sampleStatement } from './sample-statement.js';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...(movements[index % movements.length] ?? never()),
    customerReference: `REF-${index}`,
  }));

function never(): never {
  throw new Error('there are movements');
}

const textsOf = (page: readonly ShownText[] = []): string[] => page.map(({ text }) => text);

describe('PDF: statement', () => {
  test('it says all there is, in French', async () => {
    const statement = await sampleStatement();
    const pages = readPdf(
      await renderStatementPdf(statement, { language: 'fr', bankName: 'Belfius Banque' }),
    );
    expect(pages).toHaveLength(1);
    expect(textsOf(pages[0])).toEqual([
      ...['Extrait de compte 2026/014', 'ATELIERS DU MIDI SA'],
      ...['Titulaire', 'ATELIERS DU MIDI SA', 'N° d’entreprise', '0403.019.261'],
      ...['Compte', 'BE71 0961 2345 6769', 'Devise', 'EUR'],
      ...['Type de compte', 'Compte à vue entreprises'],
      ...['Banque', 'Belfius Banque (GKCCBEBB)', 'Extrait n°', '2026/014', 'N° papier', '14'],
      ...['Période', '02/02/2026 – 03/02/2026', 'Opérations', '5'],
      ...['N°', 'Date', 'Valeur', 'Opération', 'Détail', 'Montant'],
      ...['02/02/2026', 'Solde précédent', '+120.000.000,00 EUR'],
      ...['1', '03/02/2026', '02/02/2026', 'Virement SEPA', 'Établissements Œuvre & Söhne'],
      ...['BE54 0000 0000 0097 · BPOTBEB1', '+++090/9337/55493+++', '+1.234,56'],
      ...['2', '03/02/2026', '02/02/2026', 'Virement instantané', 'Leverancier NV'],
      'BE71 0961 2345 6769',
      'Facture 2026/31 du 15 janvier, matériel de bureau et',
      'livraison au dépôt de Liège, solde',
      'Votre référence VREF-2026-000123',
      'Leverancier NV, Kerkstraat 12, 9000 Gent',
      'Ultimate debtor: Atelier du Sud, rue de la Gare 7, 6700',
      ...['Arlon', '-98.765.432,10'],
      ...['3', '03/02/2026', '02/02/2026', 'Carte', 'Encaissements par carte', '+150,00'],
      ...['03/02/2026', '02/02/2026', 'Carte', 'Terminal 1, ticket 000', '+100,00'],
      ...['03/02/2026', '02/02/2026', 'Carte', 'Terminal 2, ticket 001', '+50,00'],
      ...['4', '03/02/2026', '02/02/2026', 'Domiciliation – retour MD06', 'Télécom SA'],
      ...['BE54 0000 0000 0097', 'Abonnement février 2026', 'Règlement 02/02/2026 ·'],
      ...['Créancier BE69ZZZ0403019261 ·', 'Mandat MANDAT-2024-77', '-49,95'],
      ...['5', '03/02/2026', '02/02/2026', 'Carte', 'STATION TOTAL NAMUR'],
      'Carte 6703000000001234 · Terminal 004711 ·',
      ...['Date 01/02/2026 · Heure 14:35 ·', 'Montant d’origine 60,125 EUR · Cours 1,00 ·'],
      ...['Volume 35,20 · Prix unitaire 1,708', '-60,125'],
      ...['Total des débits', '-98.765.542,175 EUR', 'Total des crédits', '+1.384,56 EUR'],
      ...['03/02/2026', 'Nouveau solde', '+21.235.842,385 EUR'],
      ...['Messages de la banque', 'Nos agences sont fermées le 1er mai.'],
      'Page 1 sur 1',
    ]);
  });

  test('in Dutch the words are Dutch', async () => {
    const pdf = await renderStatementPdf(await sampleStatement(), { language: 'nl' });
    expect(textsOf(readPdf(pdf)[0])).toEqual(
      expect.arrayContaining([
        ...['Rekeninguittreksel 2026/014', 'Vorig saldo', 'Nieuw saldo', 'SEPA-overschrijving'],
        ...['Domiciliëring – teruggave MD06', 'Totaal debet', 'Totaal credit', 'Pagina 1 van 1'],
      ]),
    );
  });

  test('the same statement gives the same bytes', async () => {
    const digest = async (): Promise<string> => {
      const pdf = await renderStatementPdf(await sampleStatement(), { language: 'nl' });
      return createHash('sha256').update(pdf).digest('hex');
    };
    const first = await digest();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await digest()).toBe(first);
  });

  test('amounts end, and details begin, where they should', async () => {
    const pdf = await renderStatementPdf(await sampleStatement(), { language: 'fr' });
    const page = readPdf(pdf)[0] ?? [];
    const place = (text: string): ShownText => page.find((shown) => shown.text === text) ?? never();
    expect(place('Terminal 1, ticket 000').x).toBe(place('Encaissements par carte').x + 12);
    // Each digit is as wide as the other, so that the longer one starts further to the left.
    expect(place('-98.765.432,10').x).toBeLessThan(place('+1.234,56').x);
    expect(place('+100,00').x).toBeLessThan(place('+150,00').x - 50);
  });

  test('a long statement has all movements in order, and a head on each page', async () => {
    const statement = await sampleStatement({ movements: many(300) });
    const pages = readPdf(await renderStatementPdf(statement, { language: 'fr' }));
    expect(pages.length).toBeGreaterThan(20);
    for (const [index, page] of pages.entries()) {
      const texts = textsOf(page);
      expect(texts).toContain(`Page ${index + 1} sur ${pages.length}`);
      expect(texts).toContain('Montant');
      if (index > 0) expect(texts[0]).toContain('BE71 0961 2345 6769');
      for (const { x, y } of page) {
        expect(x).toBeGreaterThanOrEqual(40);
        expect(y).toBeGreaterThan(20);
        expect(y).toBeLessThan(810);
      }
    }
    const references = pages.flatMap(textsOf).filter((text) => /REF-\d+$/.test(text));
    expect(references).toEqual(
      Array.from({ length: 300 }, (_, index) => `Votre référence REF-${index}`),
    );
  });

  test('a long statement holds up nothing else for long', async () => {
    const statement = await sampleStatement({ movements: many(3000) });
    // In time of the processor: other processes take none of it.
    const used = () => Object.values(process.cpuUsage()).reduce((sum, each) => sum + each);
    const start = used();
    let longest = 0;
    let last = start;
    const look = () => {
      const now = used();
      longest = Math.max(longest, now - last);
      last = now;
    };
    const timer = setInterval(look, 1);
    await renderStatementPdf(statement, { language: 'fr' });
    clearInterval(timer);
    look();
    expect(longest).toBeLessThan((last - start) / 5);
  });

  test('no movement is cut, and no total stands without its first detail', async () => {
    const statement = await sampleStatement({ movements: many(300) });
    const pages = readPdf(await renderStatementPdf(statement, { language: 'fr' }));
    for (const page of pages) {
      const texts = textsOf(page);
      const count = (text: RegExp): number => texts.filter((shown) => text.test(shown)).length;
      expect(count(/^Virement instantané$/)).toBe(count(/^-98\.765\.432,10$/));
      expect(count(/^Virement instantané$/)).toBe(count(/^Ultimate debtor/));
      expect(count(/^Encaissements par carte$/)).toBe(count(/^Terminal 1,/));
    }
  });

  test('an empty statement says so', async () => {
    const statement = await sampleStatement({
      movements: [],
      newBalance: undefined,
      freeCommunications: [],
    });
    const texts = readPdf(await renderStatementPdf(statement, { language: 'fr' })).flatMap(textsOf);
    expect(texts).toContain('Aucune opération');
    expect(texts.filter((text) => text === '+120.000.000,00 EUR')).toHaveLength(2);
  });

  test('a duplicate and a separate application are marked', async () => {
    const statement = await sampleStatement();
    const header = { ...statement.header, duplicate: true, separateApplication: '00501' };
    const pdf = await renderStatementPdf({ ...statement, header }, { language: 'nl' });
    expect(textsOf(readPdf(pdf)[0])).toContain(
      'DUPLICAAT – Selectie van verrichtingen: de saldi zijn niet vermeld',
    );
  });

  const odd = 'ő ș ğ Œ ß € Ł ŵ Ž ﬁ Ελλάς Кирил';

  test('all of Latin Extended is shown, and what the font lacks breaks nothing', async () => {
    const statement = await sampleStatement();
    const named = (name: string) =>
      statement.movements.map((movement) => ({
        ...movement,
        counterparty: { ...movement.counterparty, name },
      }));
    const shownOf = async (name: string): Promise<string[]> => {
      const changed = { ...statement, movements: named(name) };
      return readPdf(await renderStatementPdf(changed, { language: 'fr' })).flatMap(textsOf);
    };
    expect(await shownOf(odd)).toContain(odd);
    expect(await shownOf('a\0b\tc\r\nd\uD800e')).toContain('a b c d\uFFFDe');
    for (const name of [
      '漢字',
      'שלום',
      'مرحبا',
      '😀🇧🇪👨‍👩‍👧',
      '\u0301\u0301\u202E',
      'ไทย',
      '\u{10FFFF}',
    ]) {
      expect((await shownOf(name)).length).toBeGreaterThan(50);
    }
  });

  test('no text a file can hold breaks it', async () => {
    const statement = await sampleStatement();
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, async (name, communication) => {
        const [movement = never()] = statement.movements;
        const odd = {
          ...movement,
          counterparty: { ...movement.counterparty, name },
          communication: { kind: 'free', text: communication } as const,
        };
        const pdf = await renderStatementPdf(
          { ...statement, movements: [odd] },
          { language: 'fr' },
        );
        expect(readPdf(pdf).flatMap(textsOf)).toContain('+1.234,56');
      }),
      { numRuns: 40 },
    );
  });

  test('words and texts of any length stay between the margins', async () => {
    const statement = await sampleStatement();
    const [movement = never()] = statement.movements;
    const text = `${'W'.repeat(5000)} ${'mot '.repeat(5000)}`;
    const long = { ...movement, communication: { kind: 'free', text } as const };
    const pages = readPdf(
      await renderStatementPdf({ ...statement, movements: [long] }, { language: 'fr' }),
    );
    const texts = pages.flatMap(textsOf);
    expect(texts.join('').match(/W/g)).toHaveLength(5000);
    expect(texts.join(' ').match(/\bmot\b/g)).toHaveLength(5000);
    for (const shown of texts) expect(shown.length).toBeLessThan(120);
  });
});
