import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The text of a spec, and its name in messages. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** A spec that was released. */
export interface Release extends Source {
  /** `1.0.0`, if it lies in a folder of that name. */
  readonly version?: string | undefined;
}

/** A spec that cannot be read, which the message explains. */
export class SourceError extends Error {}

/**
 * Reads the newest spec under `releases/` beside a spec; undefined if there is none.
 *
 * @param major only the versions that start with this number
 * @param folder the folder that names in messages start from
 */
export async function readNewestRelease(
  spec: string,
  folder: string,
  major?: string,
): Promise<Release | undefined> {
  const releases = join(dirname(spec), 'releases');
  const versions = (await readdir(releases).catch(() => []))
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .filter((name) => major === undefined || name.split('.')[0] === major)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const newest = versions.at(-1);
  return newest === undefined
    ? undefined
    : readFrom(join(releases, newest, basename(spec)), folder);
}

/**
 * Reads a spec from a file, or the version of a spec in a revision of git.
 *
 * @throws SourceError
 */
export async function readReleased(where: string, spec: string, folder: string): Promise<Release> {
  const path = resolve(folder, where);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return readFrom(path, folder);
  try {
    const name = `${where}:./${basename(spec)}`;
    const options = { cwd: dirname(spec), maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(
      'git',
      ['show', '--end-of-options', name],
      options,
    );
    return { name: `${where}:${basename(spec)}`, text: stdout };
  } catch {
    throw new SourceError(
      `${where} is neither a file nor a revision of git with ${basename(spec)}.`,
    );
  }
}

/** @throws SourceError */
export async function readFrom(path: string, folder: string): Promise<Release> {
  const name = nameOf(path, folder);
  const version = basename(dirname(path));
  try {
    const text = await readFile(path, 'utf8');
    return { name, text, ...(/^\d+\.\d+\.\d+$/.test(version) && { version }) };
  } catch {
    throw new SourceError(`${name} cannot be read.`);
  }
}

/** The path as messages show it: relative if that is shorter. */
function nameOf(path: string, folder: string): string {
  const short = relative(folder, path);
  return short.length < path.length ? short : path;
}
