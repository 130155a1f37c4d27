import type { ListedFile } from './listed-files.js';
import { safeName } from './safe-name.js';

export const layouts = ['flat', 'tree', 'winbooks'] as const;
export type Layout = (typeof layouts)[number];

/** A statement or payroll file, or its PDF. */
export type Part = 'file' | 'pdf';

/** A path below the folder, in parts. Each is a safe name. */
export type Path = readonly string[];

/** The folders of WinBooks for each company: it takes files from the first, and puts them in the last. */
const toBook = 'CODA à encoder';
const pdfs = 'CODA format PDF';
const booked = 'CODA traités';

/**
 * Returns where a part of a file goes (D-51).
 *
 * - `flat`: all in one folder.
 * - `tree`: by customer, year, and IBAN or payroll provider; PDFs beside the files.
 * - `winbooks`: the folders of WinBooks for each customer; payroll files as in `tree`.
 *
 * @param company the folder of the customer
 */
export function pathOf(layout: Layout, company: string, file: ListedFile, part: Part): Path {
  const name = safeName(file.fileName, 'file');
  const last = part === 'pdf' ? `${name.replace(/\.[^.]*$/, '')}.pdf` : name;
  if (layout === 'flat') return [last];
  if (layout === 'winbooks' && file.product === 'CODA') {
    return [company, part === 'pdf' ? pdfs : toBook, last];
  }
  return [company, String(file.year), safeName(file.group, file.product), last];
}

/** Returns the other folders that a program expects beside that of a file. */
export function foldersBeside(layout: Layout, company: string, { product }: ListedFile): Path[] {
  return layout === 'winbooks' && product === 'CODA'
    ? [toBook, pdfs, booked].map((name) => [company, name])
    : [];
}

/** Returns a path for a file whose own path is that of another: the name with the id of the file. */
export function otherPath(path: Path, id: string): Path {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(path.at(-1) ?? '') ?? [];
  return [...path.slice(0, -1), `${stem}-${safeName(id, 'file')}${extension}`];
}
