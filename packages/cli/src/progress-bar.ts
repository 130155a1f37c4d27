import { Presets, SingleBar } from 'cli-progress';
import type { Context } from './context.js';

interface ProgressBar {
  /** Draws the bar. */
  readonly show: (done: number, total: number) => void;
  /** Erases the bar. Required before anything else is written. */
  readonly clear: () => void;
}

/** Creates a bar for a terminal. It writes nothing to any other stream, so logs and pipes stay clean. */
export function createProgressBar(stream: Context['stderr'], isQuiet: boolean): ProgressBar {
  if (isQuiet || stream.isTTY !== true) return { show() {}, clear() {} };
  // Otherwise a process that is killed leaves a terminal that does not wrap lines.
  const options = { stream, clearOnComplete: true, linewrap: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  return {
    show(done, total) {
      if (bar.isActive) bar.update(done);
      else bar.start(total, done);
    },
    clear: () => bar.stop(),
  };
}
