import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A `package.json`, or what `package-lock.json` says about it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly [member: string]: unknown;
}

/** A package of this repository. */
export interface Workspace {
  /** The folder: `packages/client`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A `package-lock.json`. */
export interface Lock {
  readonly packages: Readonly<Record<string, Manifest>>;
}

const lockFile = 'package-lock.json';

/** The files with the version that programs print. */
const versionFiles = ['packages/server/src/version.ts', 'packages/cli/src/version.ts'];

/** Reads the packages of the repository, which the lock file lists. */
export async function readWorkspaces(root: string): Promise<Workspace[]> {
  const { packages } = await readLock(root);
  const folders = Object.keys(packages).filter((path) => !/^$|(^|\/)node_modules\//.test(path));
  return Promise.all(
    folders.map(async (folder) => ({
      folder,
      manifest: await readJson<Manifest>(root, join(folder, 'package.json')),
    })),
  );
}

/** Returns the packages that are published, those first that others need. */
export function publishedOf(workspaces: readonly Workspace[]): Workspace[] {
  const published = workspaces.filter(({ manifest }) => manifest.private !== true);
  const needs = ({ manifest }: Workspace) =>
    published.filter((other) => other.manifest.name in Object(manifest['dependencies'])).length;
  return published.toSorted((one, other) => needs(one) - needs(other));
}

export function readLock(root: string): Promise<Lock> {
  return readJson(root, lockFile);
}

/**
 * Returns the files that contain the version of the packages, with another version: the path and
 * the text of each. All packages have the same version, and those that use each other name it
 * exactly.
 */
export async function withVersion(
  root: string,
  workspaces: readonly Workspace[],
  version: string,
): Promise<[path: string, text: string][]> {
  const names = workspaces.map(({ manifest }) => manifest.name);
  const lock = await readLock(root);
  const entries = workspaces.map(({ folder }): [string, Manifest | undefined] => {
    const entry = lock.packages[folder];
    return [folder, entry && released(entry, names, version)];
  });
  const packages = { ...lock.packages, ...Object.fromEntries(entries) };
  const sources = versionFiles.map(async (path): Promise<[string, string]> => {
    const source = await readFile(join(root, path), 'utf8');
    return [path, source.replace(/version = '[^']+'/, `version = '${version}'`)];
  });
  return [
    [lockFile, format({ ...lock, packages })],
    ...workspaces.map(({ folder, manifest }): [string, string] => [
      join(folder, 'package.json'),
      format(released(manifest, names, version)),
    ]),
    ...(await Promise.all(sources)),
  ];
}

const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies'];

/** Returns a manifest with another version of itself and of the named packages. */
function released(manifest: Manifest, names: readonly string[], version: string): Manifest {
  const dependencies = dependencyFields
    .filter((field) => field in manifest)
    .map((field) => [
      field,
      Object.fromEntries(
        Object.entries(manifest[field] as Record<string, string>).map(([name, range]) => [
          name,
          names.includes(name) ? version : range,
        ]),
      ),
    ]);
  return { ...manifest, version, ...Object.fromEntries(dependencies) };
}

async function readJson<T>(root: string, path: string): Promise<T> {
  return JSON.parse(await readFile(join(root, path), 'utf8'));
}

/** Formats JSON as npm does. */
export function format(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
