import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative } from 'node:path';

// Ours, because the recursive watch of Node 20 follows files, not folders, on Linux: once a file has been replaced
// twice, as editors do when they save it, no further change of it is reported.

/** Libraries, results of builds, and folders such as `.git` and `.data`. */
const ignored = /^(\..*|node_modules|dist|coverage|reports)$/;

/**
 * Reports every change of a file below a folder until the signal aborts.
 *
 * @param onChange - receives the path of the file, from the folder; it may be called more than once for a change
 */
export function watchSources(
  root: string,
  signal: AbortSignal,
  onChange: (path: string) => void,
): void {
  const watchers = new Map<string, FSWatcher>();
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
      for (const entry of entriesOf(folder)) {
        if (entry.isDirectory()) follow(join(folder, entry.name));
      }
    } catch (error) {
      // It may have been removed meanwhile.
      if (isFolder(folder)) throw error;
      forget(folder);
    }
  }

  function report(folder: string, event: string, name: string | null): void {
    if (name === null || ignored.test(name)) return;
    const path = join(folder, name);
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

  /** Ends the watchers of a folder and the folders below. */
  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }
}

function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !ignored.test(name));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
