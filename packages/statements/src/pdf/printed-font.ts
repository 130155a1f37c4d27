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
  const font = readFileSync(path);
  loaded.set(face, font);
  return font;
}
