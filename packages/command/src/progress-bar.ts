// Ours, because `cli-progress` would bring six packages to the service, for one line.

/** The parts of a stream, such as standard error, that a progress bar uses. */
export interface BarStream {
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal, in characters; 0 if unknown. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

interface ProgressBar {
  /**
   * Draws the bar over the previous one, such as `[############............] 50% 2/4 1 listed`.
   */
  readonly show: (done: number, total: number, note?: string) => void;
  /** Erases the bar. Required before anything else is written, and at the end. */
  readonly clear: () => void;
}

/** The length of the bar, in characters. */
const barLength = 24;
/** Moves the cursor to the start of the line and erases the line. */
export const eraseLine = '\r\u001b[K';

/**
 * Creates a bar for a terminal. It writes nothing to any other stream, so logs and pipes stay
 * clean.
 */
export function createProgressBar(stream: BarStream, isQuiet = false): ProgressBar {
  if (isQuiet || stream.isTTY !== true) return { show() {}, clear() {} };
  let isShown = false;
  return {
    show(done, total, note = '') {
      const part = total === 0 ? 1 : done / total;
      const bar = '#'.repeat(Math.floor(part * barLength)).padEnd(barLength, '.');
      const percentage = String(Math.floor(part * 100)).padStart(3);
      const line = `[${bar}] ${percentage}%  ${done}/${total}  ${note}`;
      // A line of the full width would wrap.
      stream.write(eraseLine + line.slice(0, (stream.columns || 80) - 1));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}
