/** How long each file waited until its statements were listed, and until they were printed, in seconds. */
export interface Waits {
  readonly listed: readonly number[];
  readonly printed: readonly number[];
}

/**
 * Returns the seconds at which files arrive: most of them at the beginning, twice as many as on average, and
 * hardly any at the end.
 */
export function arriveInTheMorning(files: number, seconds: number): number[] {
  return Array.from(
    { length: files },
    (_, index) => seconds * (1 - Math.sqrt(1 - (index + 0.5) / files)),
  );
}

/**
 * Simulates workers that list files and print them, each in the order in which they arrived. A worker that has
 * work of both kinds divides its time equally. Several workers share the files, but not one file.
 *
 * @param arrivals - in seconds, the earliest first
 * @param options.listSeconds - how long one worker lists a file; `printSeconds` likewise, if it has files of several
 *   firms to print
 * @param options.printAloneSeconds - how long it takes until a listed file is printed if no other is
 * @param options.scanSeconds - the time between two scans of the upload buckets; a file is found by the next scan
 */
export function simulateWorkers(
  arrivals: readonly number[],
  options: {
    readonly workers: number;
    readonly listSeconds: number;
    readonly printSeconds: number;
    readonly printAloneSeconds: number;
    readonly scanSeconds: number;
    readonly stepSeconds?: number;
  },
): Waits {
  const { workers, listSeconds, printSeconds, printAloneSeconds } = options;
  const { scanSeconds, stepSeconds = 0.25 } = options;
  const waits = { listed: [] as number[], printed: [] as number[] };
  let [found, listed, printed] = [0, 0, 0];
  for (let now = 0; waits.printed.length < arrivals.length; now += stepSeconds) {
    const lastScan = Math.floor(now / scanSeconds) * scanSeconds;
    while ((arrivals[found] ?? Number.POSITIVE_INFINITY) <= lastScan) found += 1;
    const listing = Math.min(workers, Math.ceil(found - listed));
    const printing = Math.min(workers, Math.ceil(Math.floor(listed) - printed));
    const share = stepSeconds * Math.min(1, workers / (listing + printing));
    printed = Math.min(Math.floor(listed), printed + (share * printing) / printSeconds);
    listed = Math.min(found, listed + (share * listing) / listSeconds);
    // Several workers do not share one file, so it takes at least the time of one worker.
    while (waits.listed.length < Math.floor(listed)) {
      const arrival = arrivals[waits.listed.length] ?? 0;
      const foundAt = Math.ceil(arrival / scanSeconds) * scanSeconds;
      waits.listed.push(Math.max(now + stepSeconds, foundAt + listSeconds) - arrival);
    }
    while (waits.printed.length < Math.floor(printed)) {
      const file = waits.printed.length;
      const earliest = (waits.listed[file] ?? 0) + printAloneSeconds;
      waits.printed.push(Math.max(now + stepSeconds - (arrivals[file] ?? 0), earliest));
    }
  }
  return waits;
}
