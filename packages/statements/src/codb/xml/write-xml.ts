import { forbiddenCharacter } from './xml-references.js';

/** The content of an element: text, elements, or undefined for an element that is left out. */
export type XmlContent = string | readonly XmlNode[] | undefined;
export type XmlNode = readonly [
  name: string,
  content: XmlContent,
  attributes?: Readonly<Record<string, string>>,
];

/** Writes an element; nothing if it has no content. */
export function writeXml([name, content, attributes = {}]: XmlNode, indent = ''): string {
  const start = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('')}>`;
  if (typeof content === 'string') {
    return content === '' ? '' : `${start}${escapeText(content)}</${name}>\n`;
  }
  const inner = (content ?? []).map((node) => writeXml(node, `${indent}  `)).join('');
  return inner === '' ? '' : `${start}\n${inner}${indent}</${name}>\n`;
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
