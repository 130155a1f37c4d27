import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';

// chokidar begins to watch a file some milliseconds after it is told to, and would miss a save
// meanwhile. It does not see files in a folder that is missing at first.

/** A save counts as finished after this many milliseconds without a further event. */
const quietMs = 40;

/**
 * Runs `onSave` now and after every save of a file that it read, one run at a time. Each run names
 * its files before it reads them, also those that are missing. It watches the folders, because
 * editors save a file by replacing it.
 */
export async function watchFiles(
  signal: AbortSignal,
  onSave: (willRead: (path: string) => void) => Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let folders = new Map<string, WatchedFolder>();
  let running: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    function run(): Promise<unknown> {
      close(folders);
      folders = new Map();
      return onSave(watch);
    }
    function watch(path: string): void {
      const file = nearestWithFolder(path);
      const folder = folders.get(dirname(file));
      if (folder) {
        folder.names.add(basename(file));
        return;
      }
      const names = new Set([basename(file)]);
      const watcher = watchFolder(dirname(file), (_event, name) => {
        if (name !== null && !names.has(name)) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          running = running.then(run);
        }, quietMs);
      });
      watcher.on('error', reject);
      folders.set(dirname(file), { watcher, names });
    }
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
    running = run();
  }).finally(() => {
    clearTimeout(timer);
    close(folders);
  });
  await running;
  close(folders);
}

interface WatchedFolder {
  readonly watcher: FSWatcher;
  readonly names: Set<string>;
}

function close(folders: ReadonlyMap<string, WatchedFolder>): void {
  for (const { watcher } of folders.values()) watcher.close();
}

/** Returns the path, or the folder above it that is missing in a folder that is not. */
function nearestWithFolder(path: string): string {
  return existsSync(dirname(path)) ? path : nearestWithFolder(dirname(path));
}
