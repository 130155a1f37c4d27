import { isUtf8 } from '../../bytes.js';
import { decodeCodePage } from '../../code-pages.js';
import { above, XmlFault, xmlLimits } from './xml-fault.js';

/** The text of an XML file. */
export interface DecodedXml {
  /** Without the byte order mark. */
  readonly text: string;
  /** The actual encoding of the file. */
  readonly encoding: string;
  /** The encoding of the XML declaration, UTF-8 if there is none, if it is not the actual one. */
  readonly falseDeclaration: string | undefined;
}

type Decode = (bytes: Uint8Array) => string;

/** Throws a `TypeError` for an invalid byte sequence. */
const decodeWith = (encoding: string): Decode => {
  return (bytes) => new TextDecoder(encoding, { fatal: true }).decode(bytes);
};

// ISO-8859-1 is read as windows-1252, as browsers do: the bytes 80 to 9F are control characters in
// ISO-8859-1, but files mean the characters of windows-1252.
const decoders: Readonly<Record<string, Decode>> = {
  'utf-8': decodeWith('utf-8'),
  'utf-16le': decodeWith('utf-16le'),
  'utf-16be': decodeWith('utf-16be'),
  'windows-1252': (bytes) => decodeCodePage('windows-1252', bytes),
  'iso-8859-15': (bytes) => decodeCodePage('iso-8859-15', bytes),
};

const encodingsByLabel: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['utf-16', 'utf-16'],
  ['utf-16le', 'utf-16'],
  ['utf-16be', 'utf-16'],
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['iso-8859-15', 'iso-8859-15'],
]);

/**
 * Decodes an XML file by its byte order mark, else its first bytes, else its declared encoding,
 * else as UTF-8.
 *
 * @throws {XmlFault} if the file is too large, or its encoding is unknown or not that of its bytes
 */
export function decodeXml(bytes: Uint8Array): DecodedXml {
  if (bytes.length > xmlLimits.fileBytes) {
    throw new XmlFault('fileTooLarge', 0, ...above(xmlLimits.fileBytes, ' bytes'));
  }
  const seen = encodingOfFirstBytes(bytes);
  const label = declaredEncoding(bytes, seen ?? 'utf-8');
  const declared = encodingsByLabel.get(label?.toLowerCase() ?? 'utf-8');
  if (declared === undefined && seen === undefined) {
    throw new XmlFault('unknownEncoding', 0, label, label === undefined ? {} : { found: label });
  }
  // .NET programs declare UTF-16 in files that they store as UTF-8.
  const declaredAs = seen ?? (declared === 'utf-16' ? 'utf-8' : declared) ?? 'utf-8';
  // Many programs declare UTF-8 and write the code page of Windows.
  const isCodePage = seen === undefined && declaredAs === 'utf-8' && isNoUtf8(bytes);
  const encoding = isCodePage ? 'windows-1252' : declaredAs;
  const isAsDeclared = declared === encoding.replace(/^utf-16.e$/, 'utf-16');
  return {
    text: decode(bytes, encoding),
    encoding,
    falseDeclaration: isAsDeclared ? undefined : (label ?? 'UTF-8'),
  };
}

/**
 * True if bytes are a code page: invalid in UTF-8, and without any character of several bytes. A
 * file with such characters is a damaged one in UTF-8.
 */
function isNoUtf8(bytes: Uint8Array): boolean {
  return !isUtf8(bytes) && !/[^\0-\x7F\uFFFD]/.test(new TextDecoder().decode(bytes));
}

/** Detects the encoding by the byte order mark or by the bytes of `<`. */
function encodingOfFirstBytes(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  return undefined;
}

/** The encoding of the XML declaration, which is ASCII in all encodings but UTF-16. */
function declaredEncoding(bytes: Uint8Array, encoding: string): string | undefined {
  const start = bytes.subarray(0, 512);
  const text = encoding.startsWith('utf-16')
    ? new TextDecoder(encoding).decode(start)
    : decodeCodePage('windows-1252', start);
  return /^(?:ï»¿)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(text)?.[1];
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return decoders[encoding]?.(bytes) ?? '';
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new XmlFault('invalidEncoding', 0, encoding, { expected: encoding });
  }
}
