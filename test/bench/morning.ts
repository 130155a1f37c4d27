/** A file that arrives in the morning. */
interface Arrival {
  /** Seconds after the beginning. */
  readonly at: number;
}

/**
 * Returns when files arrive: most of them at the beginning, twice as many as on average, and hardly any at the
 * end.
 */
export function arriveInTheMorning(files: number, seconds: number): Arrival[] {
  return Array.from({ length: files }, (_, index) => ({
    at: seconds * (1 - Math.sqrt(1 - (index + 0.5) / files)),
  }));
}

/** Seconds between two scans of the upload buckets, the first of which sees a new file. */
const SCAN = 3;

/**
 * Simulates workers that read one file after the other, the one that has waited longest first.
 *
 * @param secondsPerFile - how long one worker takes
 * @returns how long each file waited until it was read, in seconds
 */
export function simulateWorkers(
  arrivals: readonly Arrival[],
  workers: number,
  secondsPerFile: number,
): number[] {
  const freeAt = new Array<number>(workers).fill(0);
  return arrivals.map(({ at }) => {
    const worker = freeAt.indexOf(Math.min(...freeAt));
    const end = Math.max(Math.ceil(at / SCAN) * SCAN, freeAt[worker] ?? 0) + secondsPerFile;
    freeAt[worker] = end;
    return end - at;
  });
}
