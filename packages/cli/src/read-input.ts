import { readFile } from 'node:fs/promises';
import { fileMessage } from './explain.js';
import { WrongUse } from './failure.js';

/**
 * Reads a file that the user has named.
 *
 * @throws WrongUse if it cannot be read
 */
export async function readInput(path: string): Promise<Buffer> {
  if (path === '') throw new WrongUse('The name of a file is empty.');
  try {
    return await readFile(path);
  } catch (error) {
    const message = fileMessage(error, path);
    throw message === undefined ? error : new WrongUse(message, { cause: error });
  }
}

/** The encodings by their byte order marks. */
const encodings: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

/**
 * Decodes UTF-8, or UTF-16 with its byte order mark, in which Windows PowerShell and "Unicode text"
 * of spreadsheets are. Leaves the mark out.
 *
 * @returns undefined if it is neither
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  try {
    return new TextDecoder(encodings[mark] ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
