/** The parts of a stream, such as standard error, that a progress bar uses. */
export interface BarStream {
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal, in characters; 0 if unknown. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

interface Progress {
  readonly done: number;
  readonly total: number;
  /** The text after the bar. */
  readonly note: string;
}

interface ProgressBar {
  /** Draws the bar over the previous one. */
  show(progress: Progress): void;
  /** Erases the bar. Required before anything else is written, and at the end. */
  clear(): void;
}

/** The length of the bar, in characters. */
const barLength = 24;
/** Moves the cursor to the start of the line and erases the line. */
const eraseLine = '\r\u001b[K';

/** Creates a bar for a terminal. It writes nothing to any other stream, so logs and pipes stay clean. */
export function createProgressBar(stream: BarStream): ProgressBar {
  if (stream.isTTY !== true) return { show() {}, clear() {} };
  let isShown = false;
  return {
    show(progress) {
      // A line of the full width would wrap.
      const width = (stream.columns || 80) - 1;
      stream.write(eraseLine + formatProgress(progress).slice(0, width));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(eraseLine);
      isShown = false;
    },
  };
}

/** Formats a bar such as `[############............]  50%  2/4  1 listed`. */
export function formatProgress({ done, total, note }: Progress): string {
  const part = total === 0 ? 1 : done / total;
  const filled = Math.floor(part * barLength);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}`;
  return `[${bar}] ${String(Math.floor(part * 100)).padStart(3)}%  ${done}/${total}  ${note}`;
}
