import { expect, test } from 'vitest';
import { faces, printedFonts, readFont } from '../../src/pdf/layout/printed-font.js';

/** Returns the offsets of a font's tables, by tag. */
function tablesOf(font: Buffer): Map<string, number> {
  const count = font.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + 16 * index;
      return [font.toString('latin1', at, at + 4), font.readUInt32BE(at + 8)];
    }),
  );
}

test.each(faces)(
  'PDF: the font of the face %s has its glyphs, and no tables that are slow to evaluate',
  (face) => {
    const font = readFont(face);
    const tables = tablesOf(font);
    const needed = ['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'OS/2', 'post'];
    expect([...tables.keys()]).toEqual(expect.arrayContaining(needed));
    for (const tag of ['GDEF', 'GPOS', 'GSUB', 'kern']) expect(tables.has(tag), tag).toBe(false);
    // Version 3 has no glyph names.
    expect(font.readUInt32BE(tables.get('post') ?? 0)).toBe(0x0003_0000);
  },
);

test('PDF: the fonts are parsed once', async () => {
  const fonts = await printedFonts();
  expect(await printedFonts()).toBe(fonts);
  expect(fonts.regular.postscriptName).toBe('DejaVuSansCondensed');
  expect(fonts.bold.postscriptName).toBe('DejaVuSansCondensed-Bold');
});
