import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { basename, join, relative } from 'node:path';

// Ours, because the recursive watch of Node 20 follows files, not folders, on Linux: once a file has been replaced
// twice, as editors do when they save it, no further change of it is reported.

/** Libraries, results of builds, and folders such as `.git` and `.data`. */
const ignored = /^(\..*|node_modules|dist|coverage|reports)$/;

/**
 * Reports every change of a file below a folder until the signal aborts.
 *
 * @param dataDir - the absolute path of a folder that is not read, because the sandbox writes it all the time
 * @param onChange - receives the path of the file, from the folder; it may be called more than once for a change
 */
export function watchSources(
  root: string,
  dataDir: string,
  signal: AbortSignal,
  onChange: (path: string) => void,
): void {
  const watchers = new Map<string, FSWatcher>();
  const isRead = (path: string) => path !== dataDir && !ignored.test(basename(path));
  follow(root);
  signal.addEventListener('abort', () => {
    for (const watcher of watchers.values()) watcher.close();
  });

  function follow(folder: string): void {
    try {
      watchers.set(
        folder,
        watch(folder, (event, name) => report(folder, event, name)),
      );
      for (const path of pathsIn(folder)) if (isFolder(path)) follow(path);
    } catch (error) {
      // It may have been removed meanwhile.
      if (isFolder(folder)) throw error;
      forget(folder);
    }
  }

  function report(folder: string, event: string, name: string | null): void {
    const path = join(folder, name ?? '');
    if (name === null || !isRead(path)) return;
    if (event === 'rename') {
      forget(path);
      if (isFolder(path)) {
        follow(path);
        // They may have been written before they were watched.
        for (const file of filesBelow(path)) onChange(relative(root, file));
      }
    }
    onChange(relative(root, path));
  }

  function filesBelow(folder: string): string[] {
    return pathsIn(folder).flatMap((path) => (isFolder(path) ? filesBelow(path) : [path]));
  }

  function pathsIn(folder: string): string[] {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter(isRead);
  }

  /** Ends the watchers of a folder and the folders below. */
  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
