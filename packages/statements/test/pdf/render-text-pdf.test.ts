import { describe, expect, test } from 'vitest';
import { renderTextPdf, type TextBlock } from '../../src/pdf/render-text-pdf.js';
import { describePdf, readPdf } from './read-pdf.js';

const render = (blocks: readonly TextBlock[]) =>
  renderTextPdf({
    ...{ title: 'Mandat', subject: 'Demo', language: 'de', date: '2026-11-02' },
    blocks,
    footer: (page, pages) => `Seite ${page} von ${pages}`,
  });

const textsOf = async (blocks: readonly TextBlock[]) =>
  readPdf(await render(blocks)).map((page) => page.map(({ text }) => text));

describe('PDF: a document of text', () => {
  test('PDF: each kind of block is set in its order, with a label beside the first line of a fact', async () => {
    const pdf = await render([
      { kind: 'title', text: 'Unterzeichnete Mandate' },
      { kind: 'fact', label: 'Unterzeichnet von', value: 'Jürgen Groß' },
      { kind: 'heading', text: 'Bankauszüge' },
      { kind: 'entry', name: 'BE71 0961 2345 6769', notes: ['BELFIUS BANK', 'Einwilligung'] },
      { kind: 'entry', name: 'BE68 5390 0754 7034', notes: [] },
      { kind: 'paragraph', text: 'Σας ευχαριστώ, спасибо, dziękuję, ő.' },
      { kind: 'point', text: 'Sie können es später beenden.' },
    ]);
    expect(describePdf(pdf)).toMatchInlineSnapshot(`
      "PDFKit
      Accounting Data Exchange
      D:20261102000000Z
      Mandat
      Demo
      de-BE
      Page 1
        56.71 #1a1a1a DejaVuSansCondensed-Bold 18:  40.00 Unterzeichnete Mandate
        76.28 #595959 DejaVuSansCondensed 10:  40.00 Unterzeichnet von
        76.28 #1a1a1a DejaVuSansCondensed 10: 190.00 Jürgen Groß
       104.14 #1a1a1a DejaVuSansCondensed-Bold 12:  40.00 Bankauszüge
       125.28 #1a1a1a DejaVuSansCondensed-Bold 10:  52.00 BE71 0961 2345 6769
       138.35 #595959 DejaVuSansCondensed 9:  52.00 BELFIUS BANK
       151.35 #595959 DejaVuSansCondensed 9:  52.00 Einwilligung
       171.28 #1a1a1a DejaVuSansCondensed-Bold 10:  52.00 BE68 5390 0754 7034
       191.28 #1a1a1a DejaVuSansCondensed 10:  40.00 Σας ευχαριστώ, спасибо, dziękuję, ő.
       208.28 #595959 DejaVuSansCondensed 10:  40.00 •
       208.28 #1a1a1a DejaVuSansCondensed 10:  52.00 Sie können es später beenden.
       816.39 #595959 DejaVuSansCondensed 7: 513.73 Seite 1 von 1
      "
    `);
  });

  test('PDF: the same document gives the same bytes', async () => {
    const blocks: TextBlock[] = [{ kind: 'paragraph', text: 'Zweimal dasselbe' }];
    const [first, second] = [await render(blocks), await render(blocks)];
    expect(Buffer.from(first).equals(second)).toBe(true);
  });

  test('PDF: a long text runs over pages, loses nothing and stays within the margins', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => `Wort${index}`);
    const pages = readPdf(await render([{ kind: 'paragraph', text: words.join(' ') }]));
    expect(pages.length).toBeGreaterThan(1);
    const shown = pages.flatMap((page) => page.slice(0, -1).map(({ text }) => text));
    expect(shown.join(' ').split(' ')).toEqual(words);
    for (const { x, y } of pages.flat()) {
      expect(x).toBeGreaterThanOrEqual(40);
      expect(y).toBeGreaterThanOrEqual(20);
    }
    expect(pages.map((page) => page.at(-1)?.text)).toEqual(
      pages.map((_, index) => `Seite ${index + 1} von ${pages.length}`),
    );
  });

  test('PDF: a word that is wider than a line is cut', async () => {
    const value = 'a'.repeat(300);
    const [lines = []] = await textsOf([{ kind: 'fact', label: 'Browser', value }]);
    const [label, ...parts] = lines.slice(0, -1);
    expect(label).toBe('Browser');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(value);
  });

  test('PDF: a heading and the name of an entry are on the page of the next line', async () => {
    let turned = 0;
    for (let lines = 40; lines < 60; lines += 1) {
      const pages = await textsOf([
        ...Array.from({ length: lines }, (): TextBlock => ({ kind: 'point', text: 'Zeile' })),
        { kind: 'heading', text: 'Überschrift' },
        { kind: 'entry', name: 'Name', notes: ['Hinweis'] },
      ]);
      const pageOf = (text: string) => pages.findIndex((page) => page.includes(text));
      expect(pageOf('Überschrift')).toBeGreaterThanOrEqual(0);
      expect(pageOf('Name')).toBe(pageOf('Überschrift'));
      expect(pageOf('Hinweis')).toBe(pageOf('Überschrift'));
      if (pageOf('Hinweis') === 1) turned += 1;
    }
    expect(turned).toBeGreaterThan(0);
    expect(turned).toBeLessThan(20);
  });
});
