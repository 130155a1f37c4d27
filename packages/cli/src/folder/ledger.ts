import { type FileHandle, open, truncate } from 'node:fs/promises';
import type { Product } from '@adx/client';
import { WrongUse } from '../failure.js';
import type { Part } from './layout.js';

/** A line of the ledger: one file that was written into the folder (D-51). */
export interface LedgerEntry {
  /** The id of the file in the service. */
  readonly id: string;
  readonly product: Product;
  readonly part: Part;
  /** The path below the folder, with `/` on each operating system. */
  readonly path: string;
  /** The size in bytes. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The customer to whom the folder of the path belongs. */
  readonly enterpriseNumber: string;
}

/**
 * Opens a ledger, or begins one.
 *
 * @throws WrongUse if a line is no entry
 */
export async function openLedger(path: string): Promise<Ledger> {
  const file = await open(path, 'a+');
  try {
    const text = await file.readFile('utf8');
    const known = new Map<string, LedgerEntry>();
    const lines = text.split('\n');
    // If writing was interrupted, or the disk was full, the last line has no end. Its file was not
    // put in place.
    const torn = lines.pop() ?? '';
    if (torn !== '') {
      // The path is used because Windows does not truncate a file that is open for appending.
      await truncate(path, Buffer.byteLength(text) - Buffer.byteLength(torn));
      await file.datasync();
    }
    for (const [index, line] of lines.entries()) {
      const entry = parseEntry(line);
      if (entry === undefined) throw new WrongUse(damaged(path, index + 1));
      known.set(keyOf(entry.id, entry.part), entry);
    }
    return ledgerOf(file, known);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The files that were ever written into a folder. Of two lines about the same file, the later one
 * counts.
 */
export type Ledger = ReturnType<typeof ledgerOf>;

function ledgerOf(file: FileHandle, known: Map<string, LedgerEntry>) {
  return {
    find: (id: string, part: Part) => known.get(keyOf(id, part)),
    entries: () => known.values(),
    /** Returns when the lines are on the disk. After an error, it has to be opened again. */
    async append(entries: readonly LedgerEntry[]): Promise<void> {
      await file.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      await file.datasync();
      for (const entry of entries) known.set(keyOf(entry.id, entry.part), entry);
    },
    close: () => file.close(),
  };
}

function keyOf(id: string, part: Part): string {
  return `${id} ${part}`;
}

const texts = ['id', 'path', 'sha256', 'enterpriseNumber'];

function parseEntry(line: string): LedgerEntry | undefined {
  try {
    const entry = JSON.parse(line);
    return texts.every((field) => typeof entry[field] === 'string') ? entry : undefined;
  } catch {
    return undefined;
  }
}

function damaged(path: string, line: number): string {
  return `Line ${line} of ${path} is damaged, so it is not known which files were written. Restore it from a backup, or delete it: then files that are acknowledged are only written again with --again.`;
}
