import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { hasCode, moveFile, syncFolder, writeSynced } from '@adx/client/save-file';
import { CommandFailure, WrongUse } from '../failure.js';
import {
  foldersBeside,
  type Layout,
  otherPath,
  type Part,
  type Path,
  pathOf,
  type SafeName,
  safeName,
  safeNameOfTwo,
} from './layout.js';
import { type Ledger, type LedgerEntry, openLedger } from './ledger.js';
import type { ListedFile } from './listed-files.js';
import { lockFolder } from './lock-folder.js';

/**
 * Opens a folder for this process alone, and completes what an earlier process has left. The folder
 * `.adx` in it has the ledger, the lock, and `incoming` with files that are not in place yet.
 *
 * A file is first written and synced in `incoming`, then it is noted in the ledger, then renamed.
 * So a file in `incoming` that the ledger has was not renamed, and one that is not there was, even
 * if it is gone.
 *
 * @param isKnown true if the folder was opened before, so that it is not created again in place of
 *   a drive
 * @throws CommandFailure if another process has the folder open, or it is no longer there; WrongUse
 *   if it cannot be used
 */
export async function openSyncedFolder(
  path: string,
  layout: Layout,
  isKnown = false,
): Promise<SyncedFolder> {
  if (isKnown && (await isMissing(join(path, '.adx')))) {
    throw new CommandFailure(
      `${path} no longer has the folder .adx. Mount its drive, or start the command again if you have deleted it.`,
    );
  }
  await makeFolder(path);
  const root = await realpath(path);
  const own = join(root, '.adx');
  const incoming = join(own, 'incoming');
  await makeFolder(incoming);
  if ((await realpath(incoming)) !== incoming) {
    throw new WrongUse(`${own} must be a folder, not a link to one.`);
  }
  const release = await lockFolder(join(own, 'lock'));
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger(join(own, 'ledger.jsonl'));
    await syncFolder(own);
    const folder = new SyncedFolder({ root, incoming, layout, ledger, release });
    await folder.complete();
    return folder;
  } catch (error) {
    await ledger?.close();
    await release();
    throw error;
  }
}

/** A file in `incoming` that the ledger does not have yet. */
interface Staged {
  readonly file: ListedFile;
  readonly part: Part;
  readonly size: number;
  readonly sha256: string;
}

/** The paths of an open folder, its ledger, and the function that gives up its lock. */
interface Resources {
  readonly root: string;
  readonly incoming: string;
  readonly layout: Layout;
  readonly ledger: Ledger;
  readonly release: () => Promise<void>;
}

/** A folder in which each file of the service is written once (D-51). */
export class SyncedFolder {
  readonly #resources: Resources;
  readonly #staged: Staged[] = [];
  /** The paths that `commit` has not returned yet. */
  readonly #placed: string[] = [];
  /** The paths that are taken, in lower case: some file systems do not tell cases apart. */
  readonly #taken = new Set<string>();
  /** The customer of each folder at the top, by its enterprise number. */
  readonly #owners = new Map<string, string>();

  constructor(resources: Resources) {
    this.#resources = resources;
    for (const entry of resources.ledger.entries()) this.#take(entry);
  }

  /** True if no file was ever written here. */
  get isNew(): boolean {
    return this.#resources.ledger.entries().next().done === true;
  }

  /** Returns true if the file was ever written here, also if it is no longer here. */
  has({ id }: ListedFile, part: Part): boolean {
    return this.#resources.ledger.find(id, part) !== undefined;
  }

  /** Puts a file on the disk, but not in its place. */
  async stage(file: ListedFile, part: Part, bytes: Uint8Array): Promise<void> {
    await writeSynced(join(this.#resources.incoming, stagedName(file.id, part)), bytes);
    this.#staged.push({ file, part, size: bytes.length, sha256: hashOf(bytes) });
  }

  /**
   * Puts all staged files in their places, and returns their paths below the folder when all are
   * safe, with those that an earlier process had left. If it fails or the process ends, each of
   * them is in its place or not written at all, once the folder is opened again.
   */
  async commit(): Promise<string[]> {
    // Ids grow with time: of two files with the same name, the older one gets it.
    const staged = this.#staged.splice(0).sort((a, b) => (a.file.id < b.file.id ? -1 : 1));
    const entries: LedgerEntry[] = [];
    for (const { file, part, size, sha256 } of staged) {
      const { id, product, enterpriseNumber } = file;
      const company = this.#companyOf(file);
      for (const beside of foldersBeside(this.#resources.layout, company, file)) {
        await this.#openFolder(beside);
      }
      const path = await this.#freePath(
        pathOf(this.#resources.layout, company, file, part),
        id,
        sha256,
      );
      await this.#openFolder(path.slice(0, -1));
      const place = { path: path.join('/'), size, sha256, enterpriseNumber };
      const entry = { id, product, part, ...place };
      this.#take(entry);
      entries.push(entry);
    }
    if (entries.length > 0) {
      await syncFolder(this.#resources.incoming);
      await this.#resources.ledger.append(entries);
      await this.#place(entries);
    }
    return this.#placed.splice(0);
  }

  async close(): Promise<void> {
    await this.#resources.ledger.close();
    await this.#resources.release();
  }

  /** Puts files in place that the ledger has, and removes those that it does not have. */
  async complete(): Promise<void> {
    const left = new Set(await readdir(this.#resources.incoming));
    const noted = [...this.#resources.ledger.entries()].filter((entry) =>
      left.delete(stagedName(entry.id, entry.part)),
    );
    for (const name of left) await rm(join(this.#resources.incoming, name), { recursive: true });
    for (const entry of noted) await this.#place([await this.#renewed(entry)]);
  }

  /** Returns an entry with another path if somebody has used the path since. */
  async #renewed(entry: LedgerEntry): Promise<LedgerEntry> {
    this.#taken.delete(entry.path.toLowerCase());
    const path = (await this.#freePath(partsOf(entry), entry.id, entry.sha256)).join('/');
    const renewed = { ...entry, path };
    this.#take(renewed);
    if (path !== entry.path) await this.#resources.ledger.append([renewed]);
    return renewed;
  }

  /** Renames files from `incoming`, and returns when their names are on the disk. */
  async #place(entries: readonly LedgerEntry[]): Promise<void> {
    const folders = new Set<string>();
    for (const entry of entries) {
      const parts = partsOf(entry);
      const folder = await this.#openFolder(parts.slice(0, -1));
      await moveFile(
        join(this.#resources.incoming, stagedName(entry.id, entry.part)),
        join(folder, parts.at(-1) ?? ''),
      );
      folders.add(folder);
    }
    for (const folder of folders) await syncFolder(folder);
    this.#placed.push(...entries.map(({ path }) => path));
  }

  /** Creates a folder below the root if it is missing, and returns its path. */
  async #openFolder(parts: Path): Promise<string> {
    let folder = this.#resources.root;
    for (const part of parts) {
      folder = join(folder, part);
      await makeFolder(folder);
      const real = await realpath(folder);
      if (!real.startsWith(join(this.#resources.root, sep))) {
        throw new WrongUse(`${folder} is a link that leads out of ${this.#resources.root}.`);
      }
    }
    return folder;
  }

  /**
   * Returns the path if it is free or has the same content, otherwise one with the id of the file.
   */
  async #freePath(path: Path, id: string, sha256: string): Promise<Path> {
    for (const candidate of [path, otherPath(path, id)]) {
      const isTaken = this.#taken.has(candidate.join('/').toLowerCase());
      if (!isTaken && (await this.#isFree(candidate, sha256))) return candidate;
    }
    throw new WrongUse(`${path.join('/')} is in the way of another file. Move it.`);
  }

  async #isFree(path: Path, sha256: string): Promise<boolean> {
    const place = join(this.#resources.root, ...path);
    if (await isMissing(place)) return true;
    return (await lstat(place)).isFile() && hashOf(await readFile(place)) === sha256;
  }

  /**
   * Returns the folder of a customer: its reference, if no other customer has a folder of that
   * name.
   */
  #companyOf({ accountingRef = '', enterpriseNumber }: ListedFile): SafeName {
    const number = safeName(enterpriseNumber, 'customer');
    const name = safeName(accountingRef, number);
    const owner = this.#owners.get(name.toLowerCase()) ?? enterpriseNumber;
    return owner === enterpriseNumber ? name : safeNameOfTwo(`${name} ${number}`);
  }

  #take({ path, enterpriseNumber }: LedgerEntry): void {
    this.#taken.add(path.toLowerCase());
    const [company = '', ...rest] = path.split('/');
    if (rest.length > 0) this.#owners.set(company.toLowerCase(), enterpriseNumber);
  }
}

/**
 * Creates a folder and those above it that are missing, and returns when their names are on the
 * disk.
 */
async function makeFolder(path: string): Promise<void> {
  if (!(await isMissing(path))) return;
  const parent = dirname(path);
  // The root of a drive that is not there is its own parent.
  if (parent !== path) await makeFolder(parent);
  // This is not recursive: Node never ends below a folder such as /proc, where nothing can be
  // created.
  await mkdir(path).catch((error: unknown) => {
    // Another process may have created it meanwhile.
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  await syncFolder(parent);
}

/** Returns true if nothing has this path, not even a link. */
async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

/** The path of an entry of the ledger, in parts. */
function partsOf({ path }: LedgerEntry): Path {
  return path.split('/').map(safeNameOfTwo);
}

/** The name of a file in `incoming`. */
function stagedName(id: string, part: Part): string {
  return `${safeName(id, 'file')}.${part}`;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
