import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The faces that PDFs are set in. */
export type Face = 'regular' | 'bold';

export const faces: readonly Face[] = ['regular', 'bold'];

const files: Readonly<Record<Face, string>> = {
  regular: 'DejaVuSansCondensed.ttf',
  bold: 'DejaVuSansCondensed-Bold.ttf',
};

const loaded = new Map<Face, Buffer>();

/**
 * The font of a face. DejaVu has all of Latin, Greek and Cyrillic, unlike the fonts that PDF
 * readers bring along; only the characters that are used are embedded.
 */
export function loadFont(face: Face): Buffer {
  const known = loaded.get(face);
  if (known) return known;
  const path = createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${files[face]}`);
  const font = withoutLayout(readFileSync(path));
  loaded.set(face, font);
  return font;
}

/** Tables that move and join glyphs: kerning, ligatures, marks. */
const layoutTables = new Set(['GDEF', 'GPOS', 'GSUB', 'kern']);

/**
 * The font without layout tables and names of glyphs: PDFKit reads them anew for each document, which
 * took four fifths of the time of printing one. The sfnt table directory has 16 bytes for each table:
 * tag, checksum, offset, length.
 */
function withoutLayout(font: Buffer): Buffer {
  const end = 12 + 16 * font.readUInt16BE(4);
  for (let at = 12; at < end; at += 16) {
    const tag = font.toString('latin1', at, at + 4);
    if (layoutTables.has(tag)) font.write('none', at, 'latin1');
    // Version 3 of `post` has no names.
    if (tag === 'post') font.writeUInt32BE(0x0003_0000, font.readUInt32BE(at + 8));
  }
  return font;
}
