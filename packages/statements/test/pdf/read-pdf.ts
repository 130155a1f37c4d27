import { inflateSync } from 'node:zlib';

/** One line of text that a page shows, with the place of its start in points from the bottom left. */
export interface ShownText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/**
 * Reads what the pages of a PDF show, by its cross-reference table, its content streams and the
 * `ToUnicode` maps of its fonts: what a reader copies and searches. Knows what pdfkit writes, and
 * throws at anything else.
 */
export function readPdf(bytes: Uint8Array): ShownText[][] {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = readObjects(file);
  const object = (reference: string | undefined): PdfObject => {
    const found = objects.get(Number(reference));
    if (!found) throw new Error(`no object ${reference}`);
    return found;
  };
  const catalog = object(/\/Root (\d+) 0 R/.exec(file)?.[1]);
  const tree = object(/\/Pages (\d+) 0 R/.exec(catalog.dictionary)?.[1]);
  const kids = /\/Kids \[([^\]]*)\]/.exec(tree.dictionary)?.[1] ?? '';
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => {
    const page = object(number);
    const content = object(/\/Contents (\d+) 0 R/.exec(page.dictionary)?.[1]).stream();
    const resources = object(/\/Resources (\d+) 0 R/.exec(page.dictionary)?.[1]).dictionary;
    const fonts = new Map<string, Map<number, string>>();
    for (const [, name = '', font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(object(font).dictionary)?.[1];
      fonts.set(name, readUnicodeMap(object(map).stream()));
    }
    return [...content.matchAll(/BT\n([\s\S]*?)ET/g)].map(([, block = '']) => shown(block, fonts));
  });
}

interface PdfObject {
  readonly dictionary: string;
  readonly stream: () => string;
}

function readObjects(file: string): Map<number, PdfObject> {
  const table = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(file)?.[1]);
  const [, count] = /^xref\n0 (\d+)\n/.exec(file.slice(table, table + 40)) ?? [];
  const entries = file.slice(table).matchAll(/(\d{10}) \d{5} ([nf]) ?\n/g);
  const objects = new Map<number, PdfObject>();
  let number = 0;
  for (const [, offset, kind] of entries) {
    if (kind === 'n') objects.set(number, readObject(file, number, Number(offset)));
    number += 1;
  }
  if (number !== Number(count)) throw new Error('the cross-reference table is short');
  return objects;
}

function readObject(file: string, number: number, offset: number): PdfObject {
  const start = `${number} 0 obj\n`;
  if (!file.startsWith(start, offset)) throw new Error(`object ${number} is elsewhere`);
  const from = offset + start.length;
  const end = file.indexOf('endobj', from);
  const streamAt = file.indexOf('stream\n', from);
  const dictionary = file.slice(from, streamAt > 0 && streamAt < end ? streamAt : end);
  const stream = (): string => {
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
    const raw = file.slice(streamAt + 7, streamAt + 7 + length);
    return /\/FlateDecode/.test(dictionary)
      ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1')
      : raw;
  };
  return { dictionary, stream };
}

function readUnicodeMap(map: string): Map<number, string> {
  const unicode = new Map<number, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    const texts = [...list.matchAll(/<([\w ]*)>/g)];
    for (const [index, [, hex = '']] of texts.entries()) {
      const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
      unicode.set(Number.parseInt(first, 16) + index, bytes.swap16().toString('utf16le'));
    }
  }
  return unicode;
}

function shown(block: string, fonts: Map<string, Map<number, string>>): ShownText {
  const [, x, y] = /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/.exec(block) ?? [];
  const [, font = '', size] = /\/(F\d+) ([\d.]+) Tf/.exec(block) ?? [];
  const map = fonts.get(font);
  if (!map || x === undefined || y === undefined) throw new Error(`not understood: ${block}`);
  const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].flatMap(
    ([, hex = '']) => hex.match(/.{4}/g) ?? [],
  );
  const text = glyphs.map((glyph) => map.get(Number.parseInt(glyph, 16)) ?? '').join('');
  return { text: text.replaceAll('\u00A0', ' '), x: Number(x), y: Number(y), size: Number(size) };
}
