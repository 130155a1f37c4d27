// Our own XML reader. saxes 6 was tried in its place, behind the same tests:
// - A finding names the place where faulty markup begins. saxes reports the place where it noticed
//   the fault, for example the end of the file for an unclosed comment, so that the fault has to be
//   searched for once more.
// - It accepts a second byte order mark, lone surrogates and names such as `a:b:c`, and has no
//   limits. With the checks around it, the code was longer than this reader.
// - It took 2.4 times the CPU time for a payroll file of 18 MB, and 8 times (16 s) for 25 MiB of
//   line ends, for which it needs 940 MB unless a private field of it is touched (366 MB here).

import { above, XmlFault, xmlLimits } from './xml-fault.js';
import { forbiddenCharacter, normalLineEnds, resolveReferences } from './xml-references.js';
import { endTag, localName, matchAt, readStartTag, type XmlAttribute } from './xml-start-tag.js';

const declaration =
  /<\?xml\s+version\s*=\s*(?:"1\.\d+"|'1\.\d+')(?:\s+encoding\s*=\s*(?:"[\w.:-]+"|'[\w.:-]+'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/y;
const processingInstruction = /<\?(?!xml[\s?])[A-Za-z_][\w.-]*(?=[\s?])/iy;

/** An element of an XML file. Names are local names, without their prefix. */
export interface XmlElement {
  readonly name: string;
  /** Without those that declare namespaces or belong to XML Schema. */
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** Its own text, references resolved, surrounding white space removed. */
  readonly text: string;
  /** Offset at which its start tag begins, in UTF-16 code units. */
  readonly start: number;
  /** Offset at which its start tag ends. */
  readonly contentStart: number;
  /** Offset at which its end tag ends. */
  readonly end: number;
}

/** An element whose end tag has not been read yet. */
interface OpenElement {
  readonly qualifiedName: string;
  readonly element: XmlElement & { text: string; end: number; children: XmlElement[] };
}

/**
 * Reads XML 1.0 into its root element, strictly, in one pass that is linear in the text. Document
 * types are refused, so that there are no entities beyond the predefined ones.
 *
 * @throws {XmlFault}
 */
export function parseXml(text: string): XmlElement {
  const forbidden = text.search(forbiddenCharacter);
  if (forbidden >= 0)
    throw new XmlFault('malformedXml', forbidden, 'XML does not allow this character');
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
        throw new XmlFault('tooManyElements', at, ...above(xmlLimits.elements));
      }
      if (open.length === xmlLimits.depth) {
        throw new XmlFault('nestedTooDeep', at, ...above(xmlLimits.depth));
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
    throw new XmlFault('malformedXml', at, `expected ${expected}`, { expected });
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
    throw new XmlFault('malformedXml', start + outside, 'there is text outside the root');
  }
  const unescaped = raw.indexOf(']]>');
  if (unescaped >= 0) {
    throw new XmlFault('malformedXml', start + unescaped, 'text may not contain ]]>');
  }
  current.element.text += resolveReferences(raw, start);
  return end;
}

/** Skips a comment or processing instruction, and takes a CDATA section as text. */
function readMarkup(text: string, start: number, current: OpenElement | undefined): number {
  if (text.startsWith('<!--', start)) {
    const dashes = text.indexOf('--', start + 4);
    if (dashes >= 0 && text.startsWith('-->', dashes)) return dashes + 3;
    throw new XmlFault('malformedXml', start, 'the comment is not closed or contains --');
  }
  if (current && text.startsWith('<![CDATA[', start)) {
    const end = text.indexOf(']]>', start + 9);
    if (end < 0) throw new XmlFault('malformedXml', start, 'the CDATA section is not closed');
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
