import { watch as watchFolder } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A save counts as finished after this many milliseconds without a further event. */
const quietMs = 40;

/**
 * Runs `onSave` now and after every save of a file, one run at a time, until `signal` aborts.
 *
 * It watches the folder, because editors save a file by replacing it.
 */
export async function watchFile(
  path: string,
  signal: AbortSignal,
  onSave: () => Promise<unknown>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = onSave();
  const watcher = watchFolder(dirname(path), { signal }, (_event, name) => {
    if (name !== null && name !== basename(path)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(onSave);
    }, quietMs);
  });
  await new Promise<void>((resolve, reject) => {
    watcher.on('close', resolve);
    watcher.on('error', reject);
    if (signal.aborted) resolve();
  });
  clearTimeout(timer);
  await running;
}
