import { escapeText } from '../codb/write-codb.js';

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
  const inner = (content ?? []).map((node) => writeXml(node, `${indent} `)).join('');
  return inner === '' ? '' : `${start}\n${inner}${indent}</${name}>\n`;
}

/** Returns a text without line breaks, of at most so many characters (the limits of XML Schema count code points). */
export function limitedText(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].slice(0, most).join('').trim();
}
