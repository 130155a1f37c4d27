import type { Product } from '@adx/client';
import type { ListedFile } from './listed-files.js';

export const layouts = ['flat', 'tree', 'winbooks'] as const;
export type Layout = (typeof layouts)[number];

/** A statement or payroll file, or its PDF. */
export type Part = 'file' | 'pdf';

/** One part of a path on each operating system. Only `safeName` makes them. */
export type SafeName = string & { readonly isSafe: true };

/** A path below the folder, in parts. */
export type Path = readonly SafeName[];

// Ours, because the libraries for it refuse single characters, and a name of another kind passes
// them.

/**
 * The maximum length of a name, and of two names put together, in UTF-8 bytes. File systems allow
 * 255, and some cloud drives much less for a whole path.
 */
const longest = 100;
const longestOfTwo = 210;

/**
 * The names of devices on Windows, also with an extension, and with spaces before it; and names
 * that programs take for options.
 */
const special = /^(-|(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]) *(\.|$))/i;

/**
 * Returns a name that is one part of a path on each operating system. The texts come from the
 * service, and must not lead out of the folder: only letters, digits, spaces and some marks stay,
 * the rest becomes `_`.
 *
 * @param text of any type, because the answers of the service are not validated
 * @param fallback the name to use if nothing is left, or if it is neither a text nor a number
 */
export function safeName(text: unknown, fallback: string, most = longest): SafeName {
  const kept = (typeof text === 'string' || typeof text === 'number' ? String(text) : '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M} ._()+&,'-]/gu, '_');
  const [, stem = '', extension = ''] = /^(.*?)(\.[a-z\d]{1,8})?$/iu.exec(kept) ?? [];
  const short = shorten(stem, most - extension.length) + extension;
  // Windows removes closing dots and spaces, and a name that begins with a dot is hidden.
  const name = short.replace(/^[. ]+/, '').replace(/[. ]+$/, '') || fallback;
  return (special.test(name) ? `_${name}` : name) as SafeName;
}

/**
 * The same for a text that consists of two safe names, or of one that an earlier run made: cut like
 * a single name, it would lose its end, which tells it from others.
 */
export function safeNameOfTwo(text: string): SafeName {
  return safeName(text, 'file', longestOfTwo);
}

/** Returns the first characters of a text, up to this many bytes. */
function shorten(text: string, bytes: number): string {
  const short = new TextDecoder().decode(Buffer.from(text).subarray(0, bytes));
  return short.replace(/\ufffd$/, '');
}

/**
 * The folders of WinBooks for each company: it takes files from the first, and puts them in the
 * last.
 */
const [toBook, pdfs, booked] = [
  safeName('CODA à encoder', ''),
  safeName('CODA format PDF', ''),
  safeName('CODA traités', ''),
];

const takenByWinBooks: Readonly<Record<Product, boolean>> = { CODA: true, CODB: false };

/**
 * Returns where a part of a file goes (D-51).
 *
 * - `flat`: all in one folder.
 * - `tree`: by customer, year, and IBAN or payroll provider; PDFs beside the files.
 * - `winbooks`: the folders of WinBooks for each customer; payroll files as in `tree`.
 *
 * @param company the folder of the customer
 */
export function pathOf(layout: Layout, company: SafeName, file: ListedFile, part: Part): Path {
  const name = safeName(file.fileName, 'file');
  const last = part === 'pdf' ? safeName(`${name.replace(/\.[^.]*$/, '')}.pdf`, 'file') : name;
  if (layout === 'flat') return [last];
  if (layout === 'winbooks' && takenByWinBooks[file.product]) {
    return [company, part === 'pdf' ? pdfs : toBook, last];
  }
  return [company, safeName(file.year, 'year'), safeName(file.group, file.product), last];
}

/** Returns the other folders that a program expects beside that of a file. */
export function foldersBeside(layout: Layout, company: SafeName, { product }: ListedFile): Path[] {
  return layout === 'winbooks' && takenByWinBooks[product]
    ? [toBook, pdfs, booked].map((name) => [company, name])
    : [];
}

/**
 * Returns a path for a file whose own path is that of another: the name with the id of the file.
 */
export function otherPath(path: Path, id: string): Path {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(path.at(-1) ?? '') ?? [];
  return [...path.slice(0, -1), safeNameOfTwo(`${stem}-${safeName(id, 'file')}${extension}`)];
}
