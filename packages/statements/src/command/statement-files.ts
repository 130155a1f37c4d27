import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, fstatSync, openSync, rmSync } from 'node:fs';
import { access, constants, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WrongUse } from './command-line.js';

/**
 * Checks, before anything is written, that all files can be read, and that none of them would be
 * overwritten, also under another name.
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
 * Writes a file whole or not at all: it is written beside its place, and moved there at the end. If
 * anything fails, or the process exits before the end, the former file stays. Without any text it
 * is removed, so that nobody reads it as the new one: the exit code is the same as that of a file
 * with a part of what was read (D-46).
 *
 * @throws WrongUse if it cannot be written
 */
export async function writeOutput(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const target = await targetOf(path);
  const { mode } = await stat(target).catch(() => ({ mode: 0o666 }));
  const unfinished = `${target}.${randomUUID()}.tmp`;
  const remove = () => {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // It cannot be there, as its folder is none.
    }
  };
  process.once('exit', remove);
  try {
    const file = createWriteStream(unfinished, { fd: openSync(unfinished, 'wx', mode) });
    await pipeline(pieces, file);
    if (file.bytesWritten > 0) await rename(unfinished, target);
    else await rm(target, { force: true });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    if ('code' in error && /^ENO(?:ENT|TDIR)$/.test(String(error.code))) {
      throw new WrongUse(`${path} cannot be written: there is no folder ${dirname(target)}`);
    }
    throw new WrongUse(`${path} cannot be written: ${error.message}`);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/**
 * Returns the path that a link leads to, also if no file is there (yet, or any more), or the path
 * itself.
 */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Links that lead in a circle have another code.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return path;
    const next = await readlink(path).catch(() => undefined);
    return next === undefined ? path : targetOf(resolve(await realpath(dirname(path)), next));
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
