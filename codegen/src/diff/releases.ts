import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { SpecFiles } from '../document/spec-files.js';

export interface Source {
  readonly name: string;
  readonly text: string;
  readonly files: SpecFiles;
}

export interface Release extends Source {
  /** `1.0.0`, if it lies in a folder of that name. */
  readonly version?: string | undefined;
}

/** A spec or a usage that cannot be read, which the message explains. */
export class SourceError extends Error {}

/**
 * @param major only the versions that start with this number
 * @param folder the folder that names in messages start from
 */
export async function readNewestRelease(
  spec: string,
  folder: string,
  major?: string,
): Promise<Release | undefined> {
  const versions = await releasedVersions(spec);
  const newest = versions.findLast((name) => major === undefined || name.split('.')[0] === major);
  return newest === undefined
    ? undefined
    : readFrom(join(dirname(spec), 'releases', newest, basename(spec)), folder);
}

/** Returns the versions under `releases/` beside a spec, the newest last. */
export async function releasedVersions(spec: string): Promise<string[]> {
  return (await readdir(join(dirname(spec), 'releases')).catch(() => []))
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/**
 * @param where a file, or a revision of git
 * @throws SourceError
 */
export function readReleased(where: string, spec: string, folder: string): Release {
  const path = resolve(folder, where);
  const files = new SpecFiles(path, nameOf(path, folder));
  const ofFile = readSource(files);
  if (ofFile) return withVersion(ofFile);
  const name = `${prefixOf(dirname(spec))}${basename(spec)}`;
  const ofRevision = readSource(new SpecFiles(spec, name, { revision: where }));
  if (ofRevision) return ofRevision;
  if (existsSync(path)) throw new SourceError(files.failureOf(path));
  throw new SourceError(`${where} is neither a file nor a revision of git with ${name}.`);
}

/** Returns a folder as git names it in a revision: from the top of the repository. */
function prefixOf(folder: string): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--show-prefix'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout?.trim() ?? '';
}

export function readFrom(path: string, folder: string): Release {
  const files = new SpecFiles(path, nameOf(path, folder));
  const source = readSource(files);
  if (!source) throw new SourceError(files.failureOf(path));
  return withVersion(source);
}

function readSource(files: SpecFiles): Source | undefined {
  const text = files.read(files.spec);
  return text === undefined ? undefined : { name: files.shown(files.spec), text, files };
}

function withVersion(source: Source): Release {
  const version = basename(dirname(source.files.spec));
  return { ...source, ...(/^\d+\.\d+\.\d+$/.test(version) && { version }) };
}

/** Returns the path as messages show it: relative if that is shorter. */
function nameOf(path: string, folder: string): string {
  const short = relative(folder, path) || '.';
  return short.length < path.length ? short : path;
}
