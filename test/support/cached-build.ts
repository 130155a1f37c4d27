import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFiles, listFiles } from './repository-copy.js';
import { repository, runCommand } from './run-command.js';

// Ours, because turbo caches only what stands in `dist`, which tests must not change.

/** A build of parts of this repository, which tests only read. */
export interface Build {
  readonly name: string;
  /** The files and folders of the repository; it is built from a copy that has no others. */
  readonly inputs: readonly string[];
  /** Commands for `sh`, which start in the copy. */
  readonly commands: string;
  /** The folder that they write, relative to the copy. */
  readonly output: string;
}

const cache = join(repository, 'node_modules/.cache');
const dayInMs = 24 * 3_600_000;

/**
 * Returns the folder that a build writes. It is built only if nobody has built it from the same
 * files, commands, libraries and version of Node.
 */
export async function cachedBuild(build: Build): Promise<string> {
  const folder = join(cache, `adx-${build.name}-${keyOf(build)}`);
  if (!existsSync(folder)) await buildInto(folder, build);
  // Says that it is in use.
  utimesSync(folder, new Date(), new Date());
  return folder;
}

function keyOf(build: Build): string {
  const hash = createHash('sha256').update(JSON.stringify([build, process.version]));
  for (const path of ['node_modules/.package-lock.json', ...listFiles(build.inputs)]) {
    hash.update(`\0${path}\0`).update(readFileSync(join(repository, path)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds into a folder that appears complete, and once, even if two processes do this at once. */
async function buildInto(folder: string, { name, inputs, commands, output }: Build): Promise<void> {
  mkdirSync(cache, { recursive: true });
  removeUnused(name);
  const copy = mkdtempSync(join(tmpdir(), `adx-${name}-`));
  // Here, because a folder cannot be renamed to another file system.
  const fresh = mkdtempSync(join(cache, `adx-new-${name}-`));
  try {
    copyFiles(inputs, copy);
    await runCommand('sh', ['-euc', commands], { cwd: copy });
    await runCommand('cp', ['-a', `${join(copy, output)}/.`, fresh]);
    renameSync(fresh, folder);
  } catch (error) {
    // Another process was first: a folder with files cannot be replaced by renaming.
    if (!existsSync(folder)) throw error;
  } finally {
    for (const path of [copy, fresh]) rmSync(path, { recursive: true, force: true });
  }
}

/** Removes builds that no run has used for a day. */
function removeUnused(name: string): void {
  for (const entry of readdirSync(cache)) {
    const path = join(cache, entry);
    const isOurs = [`adx-${name}-`, `adx-new-${name}-`].some((start) => entry.startsWith(start));
    if (!isOurs || Date.now() - statSync(path).mtimeMs < dayInMs) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
