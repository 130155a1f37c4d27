import { XmlFault } from './xml-fault.js';

const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Characters that XML 1.0 forbids, also as a reference (XML 1.0, 2.2). */
export const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/**
 * Resolves character references and the five predefined entities, and turns line ends into line
 * feeds. There are no other entities, so none can expand or name a file.
 *
 * @param offset of this text in the file
 * @throws {XmlFault}
 */
export function resolveReferences(text: string, offset: number): string {
  let resolved = '';
  let at = 0;
  // `replace` would find all references before the first one is checked.
  for (const found of text.matchAll(/&(?:([^;&\s]{1,40});)?/g)) {
    const [whole, name] = found;
    resolved += normalLineEnds(text.slice(at, found.index));
    resolved += resolveReference(name, offset + found.index);
    at = found.index + whole.length;
  }
  return resolved + normalLineEnds(text.slice(at));
}

/** Turns line ends into line feeds (XML 1.0, 2.11). */
export function normalLineEnds(text: string): string {
  if (!text.includes('\r')) return text;
  // `replaceAll` takes a gigabyte for 25 MiB of line ends.
  return text.split('\r\n').join('\n').split('\r').join('\n');
}

function resolveReference(name: string | undefined, offset: number): string {
  if (name === undefined) {
    throw new XmlFault('malformedXml', offset, 'an ampersand must be written as &amp;');
  }
  const character = name.startsWith('#') ? characterOf(name) : predefined.get(name);
  if (character !== undefined) return character;
  if (!name.startsWith('#'))
    throw new XmlFault('forbiddenEntity', offset, `&${name};`, { found: `&${name};` });
  throw new XmlFault('malformedXml', offset, `&${name}; is not a valid character`);
}

function characterOf(name: string): string | undefined {
  const hexadecimal = /^#x([0-9a-fA-F]{1,8})$/.exec(name)?.[1];
  const decimal = /^#(\d{1,9})$/.exec(name)?.[1];
  if (hexadecimal === undefined && decimal === undefined) return undefined;
  const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (codePoint > 0x10ffff) return undefined;
  const character = String.fromCodePoint(codePoint);
  return forbiddenCharacter.test(character) ? undefined : character;
}
