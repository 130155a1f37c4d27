/** What a bar needs of a stream such as standard error. */
export interface BarStream {
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal, in characters; 0 where it is not known. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** How far a long command has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** What has come of it so far. */
  readonly note: string;
}

/** A line that is written over again and again. */
export interface ProgressBar {
  show(progress: Progress): void;
  /** Takes the line away: before anything else is written, and at the end. */
  clear(): void;
}

/** Length of the bar itself, in characters. */
const barLength = 24;
/** Back to the start of the line, and all of it erased. */
const erased = '\r\u001b[K';

/** A bar on a terminal; on anything else it writes nothing, so that logs and pipes stay clean. */
export function createProgressBar(stream: BarStream): ProgressBar {
  if (stream.isTTY !== true) return { show() {}, clear() {} };
  let isShown = false;
  return {
    show(progress) {
      // A line as wide as the terminal would go on in the next.
      const width = (stream.columns || 80) - 1;
      stream.write(erased + formatProgress(progress).slice(0, width));
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(erased);
      isShown = false;
    },
  };
}

/** `[############............]  50%  2/4  1 listed` */
export function formatProgress({ done, total, note }: Progress): string {
  const part = total === 0 ? 1 : done / total;
  const filled = Math.floor(part * barLength);
  const bar = `${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}`;
  return `[${bar}] ${String(Math.floor(part * 100)).padStart(3)}%  ${done}/${total}  ${note}`;
}
