import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, fstatSync, openSync, rmSync } from 'node:fs';
import { access, constants, realpath, rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { WrongUse } from './command-line.js';

/**
 * Checks, before anything is written, that all files can be read, and that none of them would be overwritten, also
 * under another name.
 *
 * @param names paths, or `-` for standard input
 * @param out the file that is written
 * @throws WrongUse
 */
export async function checkFiles(names: readonly string[], out: string | undefined): Promise<void> {
  const target = out === undefined ? out : await statOf(out).catch(() => undefined);
  if (target?.isFile() === false) throw new WrongUse(`${out} is not a file`);
  for (const name of names) {
    const file = await statOf(name).catch((error) => cannotRead(name, error));
    if (file.isDirectory()) throw new WrongUse(`${name}: this is a folder, not a file`);
    if (name !== '-') {
      await access(name, constants.R_OK).catch((error) => cannotRead(name, error));
    }
    if (file.dev === target?.dev && file.ino === target.ino) {
      throw new WrongUse(`${out} would be overwritten, but it is read too`);
    }
  }
}

/**
 * Reads a file, or standard input.
 *
 * @throws WrongUse if it cannot be read
 */
export async function* bytesOf(
  name: string,
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* name === '-' ? input : createReadStream(name);
  } catch (error) {
    cannotRead(name, error);
  }
}

/**
 * Writes a file whole or not at all: it is written beside its place, and moved there at the end. Without any text,
 * and if the process exits before the end, there is no file.
 *
 * @throws WrongUse if it cannot be written
 */
export async function writeOutput(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const { mode } = await stat(target).catch(() => ({ mode: 0o666 }));
  const unfinished = `${target}.${randomUUID()}.tmp`;
  const remove = () => rmSync(unfinished, { force: true });
  process.once('exit', remove);
  try {
    const file = createWriteStream(unfinished, { fd: openSync(unfinished, 'wx', mode) });
    await pipeline(pieces, file);
    if (file.bytesWritten > 0) await rename(unfinished, target);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new WrongUse(`${path} cannot be written: ${error.message}`);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** @param name a path, or `-` for standard input */
async function statOf(name: string) {
  // Numbers of files may be too large for a JavaScript number.
  const options = { bigint: true } as const;
  return name === '-' ? fstatSync(0, options) : stat(name, options);
}

function cannotRead(name: string, error: unknown): never {
  if (!(error instanceof Error)) throw error;
  if ('code' in error && error.code === 'ENOENT') {
    throw new WrongUse(`${name}: there is no such file`);
  }
  throw new WrongUse(`${name}: this file cannot be read: ${error.message}`);
}
