import { forbiddenCharacter } from './xml-references.js';

/** An element with a text or with elements. Whatever is undefined or has no content is left out. */
export interface XmlNode {
  readonly name: string;
  readonly content: readonly (XmlNode | string | undefined)[];
  readonly attributes?: Readonly<Record<string, string>>;
}

export function element(name: string, ...content: XmlNode['content']): XmlNode {
  return { name, content };
}

/** Writes an element; nothing if it has no content. */
export function writeXml({ name, content, attributes = {} }: XmlNode, indent = ''): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  const start = `${indent}<${name}${pairs.join('')}>`;
  const [text] = content;
  if (typeof text === 'string') {
    return text === '' ? '' : `${start}${escapeText(text)}</${name}>\n`;
  }
  const inner = content.map((node) =>
    typeof node === 'object' ? writeXml(node, `${indent}  `) : '',
  );
  return inner.join('') === '' ? '' : `${start}\n${inner.join('')}${indent}</${name}>\n`;
}

const forbidden = new RegExp(forbiddenCharacter, 'gu');
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A literal carriage return would be read as a line feed; XML forbids other control characters. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>]/g, (character) => escapes[character] ?? character)
    .replace(/\r/g, '&#13;')
    .replace(forbidden, '\uFFFD');
}
