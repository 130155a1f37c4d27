import type { XmlElement } from './xml-element.js';
import { XmlFault } from './xml-fault.js';
import { xmlLimits } from './xml-limits.js';
import { forbiddenCharacter, normalLineEnds, resolveReferences } from './xml-references.js';
import { endTag, localName, matchAt, readStartTag } from './xml-start-tag.js';

const declaration =
  /<\?xml\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')(?:\s+encoding\s*=\s*(?:"[\w.:-]+"|'[\w.:-]+'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/y;
const processingInstruction = /<\?(?!xml[\s?])[A-Za-z_][\w.-]*(?=[\s?])/iy;

/** An element whose end tag was not met yet. */
interface OpenElement {
  readonly qualifiedName: string;
  readonly element: XmlElement & { text: string; end: number; children: XmlElement[] };
}

/**
 * Reads XML 1.0 into its root element, strictly, in one pass that is linear in the text. There is
 * no document type and so no entity beyond the predefined ones. An own reader, because a payroll
 * file needs what libraries do not give together: the place of each element to the character,
 * limits that hold while reading, and no repair of what is broken.
 *
 * @throws {XmlFault}
 */
export function parseXml(text: string): XmlElement {
  const forbidden = text.search(forbiddenCharacter);
  if (forbidden >= 0) throw new XmlFault('malformedXml', forbidden, 'XML has no such character');
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let at = matchAt(declaration, text, 0)?.[0].length ?? 0;

  while (at < text.length) {
    const current = open.at(-1);
    if (text.charCodeAt(at) !== 0x3c) {
      at = readText(text, at, current);
    } else if (text.startsWith('</', at)) {
      at = closeElement(text, at, current);
      open.pop();
    } else if (text.startsWith('<!', at) || text.startsWith('<?', at)) {
      at = readMarkup(text, at, current);
    } else {
      elements += 1;
      if (elements > xmlLimits.elements) {
        throw new XmlFault('tooManyElements', at, `more than ${xmlLimits.elements}`);
      }
      if (open.length === xmlLimits.depth) {
        throw new XmlFault('nestedTooDeep', at, `more than ${xmlLimits.depth}`);
      }
      if (root && !current) throw new XmlFault('malformedXml', at, 'there are two roots');
      const opened = openElement(text, at);
      root ??= opened.element;
      current?.element.children.push(opened.element);
      at = opened.element.contentStart;
      if (!opened.isEmptyElement) open.push(opened);
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) {
    throw new XmlFault('malformedXml', unclosed.element.start, 'the element is not closed');
  }
  if (!root) throw new XmlFault('malformedXml', 0, 'there is no root');
  return root;
}

function openElement(text: string, start: number): OpenElement & { isEmptyElement: boolean } {
  const { qualifiedName, attributes, isEmptyElement, end } = readStartTag(text, start);
  const name = localName(qualifiedName);
  const element = { name, attributes, children: [], text: '', start, contentStart: end, end };
  return { qualifiedName, element, isEmptyElement };
}

function closeElement(text: string, at: number, current: OpenElement | undefined): number {
  const found = matchAt(endTag, text, at);
  if (!current || found?.[1] !== current.qualifiedName) {
    const expected = current ? `</${current.qualifiedName}>` : 'the end of the file';
    throw new XmlFault('malformedXml', at, `expected ${expected}`);
  }
  current.element.text = current.element.text.trim();
  current.element.end = at + found[0].length;
  return current.element.end;
}

function readText(text: string, start: number, current: OpenElement | undefined): number {
  const next = text.indexOf('<', start);
  const end = next < 0 ? text.length : next;
  const raw = text.slice(start, end);
  if (!current) {
    const outside = raw.search(/[^ \t\r\n]/);
    if (outside < 0) return end;
    throw new XmlFault('malformedXml', start + outside, 'there is text outside of the root');
  }
  const unescaped = raw.indexOf(']]>');
  if (unescaped >= 0)
    throw new XmlFault('malformedXml', start + unescaped, 'text may not hold ]]>');
  current.element.text += resolveReferences(raw, start);
  return end;
}

/** Comments and processing instructions mean nothing here; a CDATA section is text. */
function readMarkup(text: string, start: number, current: OpenElement | undefined): number {
  if (text.startsWith('<!--', start)) {
    const dashes = text.indexOf('--', start + 4);
    if (dashes >= 0 && text.startsWith('-->', dashes)) return dashes + 3;
    throw new XmlFault('malformedXml', start, 'a comment is not closed, or holds --');
  }
  if (current && text.startsWith('<![CDATA[', start)) {
    const end = text.indexOf(']]>', start + 9);
    if (end < 0) throw new XmlFault('malformedXml', start, 'a CDATA section is not closed');
    current.element.text += normalLineEnds(text.slice(start + 9, end));
    return end + 3;
  }
  if (text.startsWith('<!DOCTYPE', start)) {
    throw new XmlFault('forbiddenDoctype', start);
  }
  const end = matchAt(processingInstruction, text, start) ? text.indexOf('?>', start) : -1;
  if (end < 0) throw new XmlFault('malformedXml', start, 'this markup is not XML');
  return end + 2;
}
