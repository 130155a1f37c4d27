import { above, XmlFault, xmlLimits } from './xml-fault.js';
import { resolveReferences } from './xml-references.js';

export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

/** A start tag of the file. */
export interface XmlStartTag {
  /** With its prefix, which the end tag has to repeat. */
  readonly qualifiedName: string;
  readonly attributes: readonly XmlAttribute[];
  readonly isEmptyElement: boolean;
  /** The offset after the tag. */
  readonly end: number;
}

// NameStartChar and NameChar without the colon (XML 1.0, 2.3), around at most one colon.
const nameStart =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D' +
  '\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const part = `[${nameStart}][${nameStart}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]{0,99}`;
const qualified = `(?:${part}:)?${part}`;

// `\s` has more than XML's four white space characters.
const space = '[ \\t\\r\\n]';

const tagName = new RegExp(`<(${qualified})(?=${space}|[/>])`, 'uy');
const attribute = new RegExp(
  `${space}+(${qualified})${space}*=${space}*(?:"([^<"]*)"|'([^<']*)')`,
  'uy',
);
const tagEnd = /[ \t\r\n]*(\/?)>/y;
export const endTag = new RegExp(`</(${qualified})${space}*>`, 'uy');

/** The name without its prefix. */
export function localName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.indexOf(':') + 1);
}

/**
 * Reads the start tag at an offset of the text.
 *
 * @throws {XmlFault}
 */
export function readStartTag(text: string, start: number): XmlStartTag {
  const qualifiedName = matchAt(tagName, text, start)?.[1];
  if (qualifiedName === undefined) {
    throw new XmlFault('malformedXml', start, 'this is not a start tag');
  }
  const values = new Map<string, string>();
  let at = start + 1 + qualifiedName.length;
  for (let found = matchAt(attribute, text, at); found; found = matchAt(attribute, text, at)) {
    const [whole, name = '', doubleQuoted, singleQuoted] = found;
    const end = at + whole.length;
    refuseLongTag(start, end);
    if (values.has(name))
      throw new XmlFault('malformedXml', at, `the attribute ${name} is repeated`);
    const value = doubleQuoted ?? singleQuoted ?? '';
    values.set(name, resolveReferences(value, end - 1 - value.length));
    at = end;
  }
  const closing = matchAt(tagEnd, text, at);
  if (!closing) {
    const next = text.slice(start, start + xmlLimits.tagLength + 2).indexOf('<', 1);
    if (next < 0) refuseLongTag(start, text.length);
    throw new XmlFault('malformedXml', at, `the tag ${qualifiedName} is not closed`);
  }
  const end = at + closing[0].length;
  refuseLongTag(start, end);
  return {
    qualifiedName,
    attributes: [...values].flatMap(([name, value]) =>
      /^(?:xmlns$|xmlns:|xsi:|xml:)/.test(name) ? [] : [{ name: localName(name), value }],
    ),
    isEmptyElement: closing[1] === '/',
    end,
  };
}

function refuseLongTag(start: number, end: number): void {
  if (end - start <= xmlLimits.tagLength) return;
  throw new XmlFault('tagTooLong', start, ...above(xmlLimits.tagLength, ' characters'));
}

/**
 * Matches a sticky pattern at this offset, and never beyond the longest tag: a pattern that goes
 * back over megabytes exhausts the stack of an engine that does not optimize it.
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return pattern.exec(text.slice(at, at + xmlLimits.tagLength + 1));
}
