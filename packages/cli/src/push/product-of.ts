import { looksLikeCoda } from '@adx/statements';
import { WrongUse } from '../failure.js';
import type { ProductName } from '../folder/listed-files.js';

/** Files that partners push by mistake, by how they begin, and what to do. */
const others: readonly (readonly [RegExp, kind: string, advice: string])[] = [
  [/^\s*$/, 'is empty', 'Get it again from the program that wrote it'],
  [/^%PDF-/, 'looks like a PDF', 'Get the CODA file of the statement from the bank'],
  [/^PK\p{Cc}{2}/u, 'looks like a ZIP archive or a workbook', 'Extract it, and push what is in it'],
  [/^\p{Cc}\x8b|^7z\xbc\xaf|^Rar!/u, 'looks like an archive', 'Extract it, and push what is in it'],
  [/iso:20022:tech:xsd:camt/, 'looks like CAMT', 'Get the same statement as CODA from the bank'],
  [/iso:20022:/, 'looks like a message of ISO 20022, not a statement', 'Choose another file'],
  [/^(\{1:|([^\n]*\n)?:20:)/, 'looks like MT940', 'Get the same statement as CODA from the bank'],
  [/^\s*<(!doctype )?html/i, 'looks like a web page', 'Download the file itself, signed in'],
  [/^\s*[[{]/, 'looks like JSON', 'Get the CODA or CODB file'],
  [
    /^\P{Cc}*[;,\t]\P{Cc}*[;,\t]/u,
    'looks like CSV',
    'Get the CODA or CODB file, or create customers with `adx customers import`',
  ],
];

/**
 * Returns whether a file is CODA or CODB, by its first bytes. XML can only be CODB. The service
 * reads CODA also after blank lines and control characters.
 *
 * @throws WrongUse if it looks like neither
 */
export function productOf(path: string, bytes: Uint8Array): ProductName {
  const begin = bytes.findIndex((byte) => byte > 0x20);
  if ([0, begin].some((from) => looksLikeCoda(bytes.subarray(from).subarray(0, 116))))
    return 'coda';
  const text = Buffer.from(bytes.subarray(0, 2000))
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
  const found = others.find(([pattern]) => pattern.test(text));
  if (found === undefined && /^\s*</.test(text)) return 'codb';
  const [, kind, advice] = found ?? [undefined, 'looks like neither CODA nor CODB', 'Check it'];
  throw new WrongUse(`${path} ${kind}. ${advice}. To upload it all the same, give --product.`);
}
