import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../../test/support/any-character.js';
import { rounds } from '../../../../test/support/rounds.js';
import { renderStatementPdf } from '../../src/pdf/render-statement-pdf.js';
import { printed, textsOf } from './printed-pages.js';
import { readPdf } from './read-pdf.js';
import { movements, sampleStatement } from './sample-statement.js';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...(movements[index % movements.length] ?? never()),
    customerReference: `REF-${index}`,
  }));

function never(): never {
  throw new Error('There are movements');
}

describe('PDF: statements of any length and any text', () => {
  test('a long statement has all movements in order, and a header on each page', async () => {
    const statement = await sampleStatement({ movements: many(150) });
    const pages = readPdf(await renderStatementPdf(statement, { language: 'fr' }));
    expect(pages.length).toBeGreaterThan(10);
    for (const [index, page] of pages.entries()) {
      const texts = page.map(({ text }) => text);
      expect(texts).toContain(`Page ${index + 1} sur ${pages.length}`);
      expect(texts).toContain('Montant');
      if (index > 0) expect(texts[0]).toContain('BE71 0961 2345 6769');
      expect(page.filter(({ x, y }) => x < 40 || y <= 20 || y >= 810)).toEqual([]);
    }
    const references = textsOf(pages)
      .flat()
      .join('\n')
      .match(/Votre référence REF-\d+/g);
    expect(references).toEqual(
      Array.from({ length: 150 }, (_, index) => `Votre référence REF-${index}`),
    );
  });

  test('a long statement does not block the event loop for long', async () => {
    const statement = await sampleStatement({ movements: many(1000) });
    // CPU time, which does not depend on the load of the machine.
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

  test('no movement is split, and each total is on the page of its first detail', async () => {
    const statement = await sampleStatement({ movements: many(150) });
    for (const texts of await printed(statement)) {
      const count = (text: RegExp): number => texts.filter((shown) => text.test(shown)).length;
      expect(count(/^Virement instantané$/)).toBe(count(/^-98\.765\.432,10$/));
      expect(count(/^Virement instantané$/)).toBe(count(/^Ultimate debtor/));
      expect(count(/^Encaissements par carte/)).toBe(count(/^Terminal 1,/));
    }
  });

  const odd = 'ő ș ğ Œ ß € Ł ŵ Ž ﬁ Ελλάς Кирил';

  test('all of Latin Extended is printed, and missing glyphs are tolerated', async () => {
    const statement = await sampleStatement();
    const named = (name: string) =>
      statement.movements.map((movement) => ({
        ...movement,
        counterparty: { ...movement.counterparty, name },
      }));
    const shownOf = async (name: string): Promise<string[]> => {
      return (await printed({ ...statement, movements: named(name) })).flat();
    };
    expect(await shownOf(odd)).toContain(odd);
    // The glyph of г is first used as a part of that of ѓ, in another document.
    expect(await shownOf('ѓ')).toContain('ѓ');
    expect(await shownOf('г')).toContain('г');
    expect(await shownOf('a\0b\tc\r\nd\uD800e')).toContain('a b c d\uFFFDe');
    const unprintable = [
      '漢字',
      'שלום',
      'مرحبا',
      '😀🇧🇪👨‍👩‍👧',
      '\u0301\u0301\u202E',
      'ไทย',
      '\u{10FFFF}',
    ];
    for (const name of unprintable) {
      expect((await shownOf(name)).length).toBeGreaterThan(50);
    }
  });

  test('any text of a file can be printed', async () => {
    const statement = await sampleStatement();
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, async (name, communication) => {
        const [movement = never()] = statement.movements;
        const odd = {
          ...movement,
          counterparty: { ...movement.counterparty, name },
          communication: { kind: 'free', text: communication } as const,
        };
        const pages = await printed({ ...statement, movements: [odd] });
        expect(pages.flat()).toContain('+1.234,56');
      }),
      { numRuns: rounds({ short: 4, all: 20 }) },
    );
  });

  test('words and texts of any length stay between the margins', async () => {
    const statement = await sampleStatement();
    const [movement = never()] = statement.movements;
    const text = `${'W'.repeat(5000)} ${'mot '.repeat(5000)}`;
    const long = { ...movement, communication: { kind: 'free', text } as const };
    const texts = (await printed({ ...statement, movements: [long] })).flat();
    expect(texts.join('').match(/W/g)).toHaveLength(5000);
    expect(texts.join(' ').match(/\bmot\b/g)).toHaveLength(5000);
    expect(texts.filter((shown) => shown.length >= 120)).toEqual([]);
  });
});
