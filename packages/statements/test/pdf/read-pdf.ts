import { inflateSync } from 'node:zlib';

/** One line of text on a page, with the coordinates of its start in points from the bottom left. */
export interface ShownText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A font with its name and the character of each glyph. */
interface Font {
  readonly name: string;
  readonly characters: ReadonlyMap<number, string>;
}

interface PageContent {
  readonly operators: string;
  readonly fonts: ReadonlyMap<string, Font>;
}

/** Reads the texts of the pages of a PDF, as a reader would copy them. */
export function readPdf(bytes: Uint8Array): ShownText[][] {
  return readPages(bytes).map(({ operators, fonts }) =>
    [...operators.matchAll(/BT\n([\s\S]*?)ET/g)].map(([, block = '']) => shown(block, fonts)),
  );
}

/**
 * Describes all drawings on the pages of a PDF, one line for each rule, filled box, and row of
 * texts in one style: coordinates and sizes in points from the top left, colour, and texts.
 */
export function describePdf(bytes: Uint8Array): string {
  const file = Buffer.from(bytes).toString('latin1');
  const properties = [...file.matchAll(/^\((.*)\)$|\/Lang \((.*)\)/gm)].map(
    ([, property, language]) => property ?? language,
  );
  const pages = readPages(bytes).map((page, index) =>
    [`Page ${index + 1}`, ...describePage(page)].join('\n'),
  );
  return [...properties, ...pages, ''].join('\n');
}

/** A path, width, colour or paint operator of a content stream, or a block of text. */
const operator =
  /(?<path>[\d. ]+) (?:re|m|l)\n|(?<width>[\d.]+) w\n|(?<rgb>[\d. ]+) (?:scn|SCN)\n|^(?<paint>[fS])\n|BT\n(?<block>[\s\S]*?)ET/gm;

function describePage({ operators, fonts }: PageContent): string[] {
  const points = (value: number | string): string => Number(value).toFixed(2).padStart(7);
  const lines: string[] = [];
  let row = '';
  let path = '';
  let thickness = '';
  let colour = '';
  for (const { groups = {} } of operators.matchAll(operator)) {
    const { rgb, width, paint, block } = groups;
    if (groups['path'] !== undefined) {
      path += groups['path'].split(' ').map(points).join('');
    } else if (width !== undefined) {
      thickness = width;
    } else if (rgb !== undefined) {
      const bytes = rgb.split(' ').map((part) => Math.round(Number(part) * 255));
      colour = `#${Buffer.from(bytes).toString('hex')}`;
    } else if (paint !== undefined) {
      lines.push(`${path} ${colour} ${paint === 'f' ? 'box' : `rule of ${thickness}`}`);
      path = '';
      row = '';
    } else if (block !== undefined) {
      const { x, y, size, font, text } = shown(block, fonts);
      const place = `${points(841.89 - y)} ${colour} ${font} ${size}`;
      const cell = `${points(x)} ${text}`;
      if (place === row) lines.push(`${lines.pop()} |${cell}`);
      else lines.push(`${place}:${cell}`);
      row = place;
    }
  }
  return lines;
}

/**
 * Reads the pages of a PDF by its cross-reference table, its content streams and the `ToUnicode`
 * maps of its fonts. It supports the output of pdfkit, and throws an error for anything else.
 */
function readPages(bytes: Uint8Array): PageContent[] {
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
    const fonts = new Map<string, Font>();
    for (const [, key = '', font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const { dictionary } = object(font);
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(dictionary) ?? [];
      const [, name = ''] = /\/BaseFont \/\w+\+(\S+)/.exec(dictionary) ?? [];
      fonts.set(key, { name, characters: readUnicodeMap(object(map).stream()) });
    }
    return { operators: content, fonts };
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

function shown(
  block: string,
  fonts: ReadonlyMap<string, Font>,
): ShownText & { readonly font: string } {
  const [, x, y] = /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/.exec(block) ?? [];
  const [, key = '', size] = /\/(F\d+) ([\d.]+) Tf/.exec(block) ?? [];
  const font = fonts.get(key);
  if (!font || x === undefined || y === undefined) throw new Error(`not understood: ${block}`);
  const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].flatMap(
    ([, hex = '']) => hex.match(/.{4}/g) ?? [],
  );
  const text = glyphs
    .map((glyph) => font.characters.get(Number.parseInt(glyph, 16)) ?? '')
    .join('')
    .replaceAll('\u00A0', ' ');
  return { text, x: Number(x), y: Number(y), size: Number(size), font: font.name };
}
