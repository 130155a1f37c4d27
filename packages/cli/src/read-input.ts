import { readFile } from 'node:fs/promises';
import { fileMessage } from './explain.js';
import { WrongUse } from './failure.js';

/**
 * Reads a file that the user has named.
 *
 * @throws WrongUse if it cannot be read
 */
export async function readInput(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const message = fileMessage(error, path);
    throw message === undefined ? error : new WrongUse(message, { cause: error });
  }
}
