import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Statement } from '../../src/coda/statement.js';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import { printed, textsOf } from './printed-pages.js';
import { readPdf } from './read-pdf.js';
import { sampleStatement } from './sample-statement.js';

// layout.test.ts has the texts in Dutch, and where they are.
describe('PDF: statement', () => {
  test('it prints all data, in French', async () => {
    const statement = await sampleStatement();
    const pdf = await renderStatementPdf(statement, { language: 'fr', bankName: 'Belfius Banque' });
    const pages = textsOf(readPdf(pdf));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toEqual([
      'Extrait de compte 2026/014',
      ...['Titulaire', 'ATELIERS DU MIDI SA', 'N° d’entreprise', '0403.019.261'],
      ...['Compte', 'BE71 0961 2345 6769', 'Devise', 'EUR'],
      ...['Type de compte', 'Compte à vue entreprises'],
      ...['Banque', 'Belfius Banque (GKCCBEBB)', 'Extrait n°', '2026/014', 'N° papier', '14'],
      ...['Période', '02/02/2026 – 03/02/2026', 'Opérations', '5'],
      ...['N°', 'Date', 'Valeur', 'Opération', 'Détail', 'Montant'],
      ...['02/02/2026', 'Solde précédent', '+120.000.000,00 EUR'],
      ...['1', '03/02/2026', '02/02/2026', 'Virement en votre faveur'],
      'Établissements Œuvre & Söhne · BE54 0000 0000 0097 · BPOTBEB1',
      ...['+++090/9337/55493+++', '+1.234,56'],
      ...['2', '03/02/2026', '02/02/2026', 'Virement instantané'],
      'Leverancier NV · BE71 0961 2345 6769 · Kerkstraat 12, 9000 Gent',
      'Facture 2026/31 du 15 janvier, matériel de bureau et livraison au dépôt de',
      'Liège, solde · Votre référence VREF-2026-000123',
      'Ultimate debtor: Atelier du Sud, rue de la Gare 7, 6700 Arlon',
      '-98.765.432,10',
      ...['3', '03/02/2026', '02/02/2026', 'Encaissement par terminal'],
      ...['Encaissements par carte', '+150,00'],
      ...['Terminal 1, ticket 000', '+100,00'],
      ...['Terminal 2, ticket 001', '+50,00'],
      ...['4', '03/02/2026', '02/02/2026'],
      'Paiement par domiciliation – retour : remboursement demandé par le',
      ...['débiteur (MD06)', 'Télécom SA · BE54 0000 0000 0097'],
      'Abonnement février 2026 · Règlement 02/02/2026',
      ...['Créancier BE69ZZZ0403019261 · Mandat MANDAT-2024-77', '-49,95'],
      ...['5', '03/02/2026', '02/02/2026', 'Chargement d’une carte GSM'],
      'STATION TOTAL NAMUR · Carte 6703000000001234 · Terminal 004711',
      'Date 01/02/2026 · Heure 14:35 · Volume 35,20 · Prix unitaire 1,708',
      '-60,125',
      ...['Total des débits', '-98.765.542,175 EUR', 'Total des crédits', '+1.384,56 EUR'],
      ...['03/02/2026', 'Nouveau solde', '+21.235.842,385 EUR'],
      ...['Messages de la banque', 'Nos agences sont fermées le 1er mai.'],
      'Page 1 sur 1',
    ]);
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

  test('a duplicate and a separate application are marked', async () => {
    const statement = await sampleStatement();
    const header = { ...statement.header, duplicate: true, separateApplication: '00501' };
    const [page] = await printed({ ...statement, header }, 'nl');
    expect(page).toContain('DUPLICAAT – Selectie van verrichtingen: de saldi zijn niet vermeld');
  });
});

/** Renders a statement, and returns the most often that `count` grew until other work went on. */
async function mostAtOnce(statement: Statement, count: () => number): Promise<number> {
  let isDone = false;
  const rendering = renderStatementPdf(statement, { language: 'nl' }).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    const before = count();
    await setImmediate();
    most = Math.max(most, count() - before);
  }
  await rendering;
  return most;
}

test('D-38 PDF: the messages of a bank are laid out page by page, so that other work goes on', async () => {
  let laidOut = 0;
  const message = {
    sequence: 1,
    get lines() {
      laidOut += 1;
      return ['A message of the bank'];
    },
  };
  const freeCommunications = Array.from({ length: 2_000 }, () => message);
  const statement = { ...(await sampleStatement()), freeCommunications };
  expect(await mostAtOnce(statement, () => laidOut)).toBeLessThan(200);
  expect(laidOut).toBe(4_000);
});

test('D-38 PDF: so is the information of one movement', async () => {
  const sample = await sampleStatement();
  const [movement = expect.fail()] = sample.movements;
  const [piece = expect.fail()] = sample.movements.flatMap(({ information }) => information);
  let laidOut = 0;
  const counted = {
    ...piece,
    get communication() {
      laidOut += 1;
      return piece.communication;
    },
  };
  const information = Array.from({ length: 2_000 }, () => counted);
  const statement = { ...sample, movements: [{ ...movement, information }] };
  // Each piece is looked at several times, to join texts that were wrapped.
  expect(await mostAtOnce(statement, () => laidOut)).toBeLessThan(500);
  expect(laidOut).toBeGreaterThanOrEqual(10_000);
});
