import { cp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError, Refusal, run } from './run.js';
import { format, type Lock, type Manifest, readLock, type Workspace } from './workspaces.js';

/** A packed package. */
export interface Tarball {
  readonly name: string;
  readonly version: string;
  /** The path of the tarball. */
  readonly file: string;
  /** `sha512-…` of the file. The same content always has the same. */
  readonly integrity: string;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The number of files in it. */
  readonly fileCount: number;
}

const sbomFile = 'sbom.cdx.json';

/**
 * Builds a package and packs it with the changelog and an SBOM (CycloneDX).
 *
 * @param target an empty folder for the tarball and for the files in it
 * @throws Refusal
 */
export async function pack(
  root: string,
  { folder, manifest }: Workspace,
  target: string,
): Promise<Tarball> {
  const { name, version } = manifest;
  const source = join(root, folder);
  const staged = join(target, name);
  try {
    // A file of an earlier build would be packed too.
    await rm(join(source, 'dist'), { recursive: true, force: true });
    await run(source, 'npm', 'run', '--silent', 'prepack');
    // npm packs only those files that the manifest names.
    const isOwn = (path: string) => basename(path) !== 'node_modules';
    await cp(source, staged, { recursive: true, filter: isOwn });
    const published = publishedManifest(manifest);
    await writeFile(join(staged, 'package.json'), format(published));
    await writeFile(
      join(staged, sbomFile),
      await sbom(await readLock(root), published, staged, folder),
    );
    const [packed] = await npmPack(staged, '--pack-destination', target);
    if (packed === undefined) throw new Error(`npm packed nothing of ${name}.`);
    const { filename, integrity, size, files } = packed;
    const file = join(target, filename);
    return { name, version, file, integrity, size, fileCount: files.length };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new Refusal(`${name} cannot be packed.\n${error.message}`);
  }
}

interface Packed {
  readonly filename: string;
  readonly integrity: string;
  readonly size: number;
  readonly files: readonly unknown[];
}

async function npmPack(folder: string, ...args: string[]): Promise<Packed[]> {
  const flags = ['--json', '--ignore-scripts', '--loglevel=error'];
  return JSON.parse(await run(folder, 'npm', 'pack', ...flags, ...args));
}

/** Leaves out what only this repository uses: scripts, development tools, and the sources. */
function publishedManifest({ scripts, devDependencies, ...manifest }: Manifest): Manifest {
  const { exports, imports } = manifest;
  return { ...manifest, exports: withoutSources(exports), imports: withoutSources(imports) };
}

function withoutSources(paths: unknown): unknown {
  if (typeof paths !== 'object' || paths === null) return paths;
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([condition]) => condition !== 'adx-source')
      .map(([condition, target]) => [condition, withoutSources(target)]),
  );
}

/** Returns the dependencies in the versions of the lock file. */
async function sbom(
  { packages }: Lock,
  manifest: Manifest,
  staged: string,
  folder: string,
): Promise<string> {
  const places = Object.entries(packages).flatMap(([path, entry]) => {
    const own = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
    if (!own.startsWith('node_modules/')) return [];
    // A package of this repository is linked here, and installed by those who use this one.
    return [[own, entry['link'] === true ? packages[String(entry['resolved'])] : entry]];
  });
  const { name, version } = manifest;
  const lock = join(staged, 'package-lock.json');
  await writeFile(
    lock,
    format({
      name,
      version,
      lockfileVersion: 3,
      packages: { '': manifest, ...Object.fromEntries(places) },
    }),
  );
  // npm removes what is not a dependency of this package.
  const flags = ['--package-lock-only', '--omit=dev', '--ignore-scripts', '--loglevel=error'];
  await run(staged, 'npm', 'install', '--offline', ...flags);
  const text = await run(staged, 'npm', 'sbom', '--sbom-format=cyclonedx', ...flags);
  await rm(lock);
  const { serialNumber, metadata, ...rest } = JSON.parse(text);
  // Both differ each time, and the same content must have the same integrity.
  const { timestamp, ...constant } = metadata;
  return format({ ...rest, metadata: constant });
}
