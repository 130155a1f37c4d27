import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';
import { fromOptionalPackage } from './optional-packages.js';

/** The font faces of the PDFs. */
export type Face = 'regular' | 'bold';

export const faces: readonly Face[] = ['regular', 'bold'];

const files: Readonly<Record<Face, string>> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
};

let parsed: Promise<Readonly<Record<Face, Font>>> | undefined;

/**
 * Returns the fonts of the faces, which are parsed once and shared by all documents. Unlike the
 * built-in fonts of PDF readers, DejaVu has all of Latin, Greek and Cyrillic. Only the characters
 * in use are embedded.
 */
export function printedFonts(): Promise<Readonly<Record<Face, Font>>> {
  parsed ??= fromOptionalPackage(parseFonts);
  return parsed;
}

async function parseFonts(): Promise<Readonly<Record<Face, Font>>> {
  const { create } = await import('fontkit');
  const parse = (face: Face) => {
    const font = create(readFont(face)) as Font;
    // fontkit caches a glyph with the characters of its first use, which PDFKit writes into each
    // PDF as its text. A glyph whose first use is as a part of another, as in ŵ, would have no
    // character.
    for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
    return font;
  };
  return { regular: parse('regular'), bold: parse('bold') };
}

/** Reads the font file of a face. */
export function readFont(face: Face): Buffer {
  const path = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${files[face]}`);
  return withoutLayout(readFileSync(path));
}

/** Tables that position and join glyphs: kerning, ligatures, marks. */
const layoutTables = new Set(['GDEF', 'GPOS', 'GSUB', 'kern']);

/**
 * Removes layout tables, which fontkit would evaluate for every text, and glyph names, which
 * nothing uses. The sfnt table directory has 16 bytes per table: tag, checksum, offset, length.
 */
function withoutLayout(font: Buffer): Buffer {
  const end = 12 + 16 * font.readUInt16BE(4);
  for (let at = 12; at < end; at += 16) {
    const tag = font.toString('latin1', at, at + 4);
    if (layoutTables.has(tag)) font.write('none', at, 'latin1');
    // Version 3 of `post` has no glyph names.
    if (tag === 'post') font.writeUInt32BE(0x0003_0000, font.readUInt32BE(at + 8));
  }
  return font;
}
