import { once } from 'node:events';
import { basename, relative } from 'node:path';
import { watch } from 'chokidar';

/** Libraries, results of builds, and folders such as `.git` and `.data`. */
const ignored = /^(\..*|node_modules|dist|coverage|reports)$/;

/**
 * Watches a folder, and resolves when it sees all changes.
 *
 * @param dataDir - not read, because the sandbox writes it all the time
 * @param onChange - may be called more than once for a change, with the path from the root
 */
export async function watchSources(
  root: string,
  dataDir: string,
  signal: AbortSignal,
  onChange: (path: string) => void,
): Promise<void> {
  const isIgnored = (path: string) =>
    path === dataDir || (path !== root && ignored.test(basename(path)));
  const watcher = watch(root, { ignored: isIgnored, ignoreInitial: true });
  signal.addEventListener('abort', () => void watcher.close());
  await Promise.race([once(watcher, 'ready'), once(signal, 'abort')]);
  watcher.on('all', (_event, path) => onChange(relative(root, path)));
}
