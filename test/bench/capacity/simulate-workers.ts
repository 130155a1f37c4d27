/** A file that a firm uploads. */
export interface Arrival {
  /** The number of the firm, from 0. */
  readonly firm: number;
  /** When, in seconds. */
  readonly at: number;
}

/** How long each file waited until its statements were listed, and until they were printed, in seconds. */
export interface Waits {
  readonly listed: readonly number[];
  readonly printed: readonly number[];
}

/** One of the two kinds of work on a file: listing its statements, or printing them. */
export interface Stage {
  /** How long a core is busy with one file, in seconds. */
  readonly busySeconds: number;
  /** How long it takes if there is nothing else to do: also waiting for the database and the storage, in seconds. */
  readonly aloneSeconds: number;
  /** The number of files of a firm that are done at once. */
  readonly filesAtOnce: number;
  /** The number of firms for which a worker does so at once. */
  readonly firmsAtOnce: number;
}

export interface Workers {
  readonly workers: number;
  readonly listing: Stage;
  readonly printing: Stage;
  /** The pause between two scans of the upload buckets; a file is found by the next one. */
  readonly scanSeconds: number;
  /** The pause between two searches for firms with listed files that are not printed. */
  readonly searchSeconds: number;
}

const tickSeconds = 0.25;

/**
 * Returns the files of a morning, the earliest first. Each firm uploads all of its files at once, at a random
 * moment. At the beginning twice as many firms do so as on average, and hardly any at the end.
 */
export function arriveInTheMorning(options: {
  readonly firms: number;
  readonly filesOfEach: number;
  readonly seconds: number;
  readonly random: () => number;
}): Arrival[] {
  const { firms, filesOfEach, seconds, random } = options;
  return Array.from({ length: firms }, (_, firm) => ({
    firm,
    at: seconds * (1 - Math.sqrt(1 - random())),
  }))
    .toSorted((a, b) => a.at - b.at)
    .flatMap((arrival) => new Array<Arrival>(filesOfEach).fill(arrival));
}

/** The files of a firm in one stage, by their positions among all. */
interface Line {
  readonly waiting: number[];
  /** Those that are being done at once. */
  inHand: number[];
  /** How long these still take if there is nothing else to do, in seconds. */
  left: number;
  /** The part of a core that they keep busy meanwhile. */
  busy: number;
}

interface FirmLines {
  readonly listing: Line;
  readonly printing: Line;
  /** True from the search that finds files to print until none is left. */
  isPrinting: boolean;
}

/**
 * Simulates workers that list files and print them. Firms take turns if there are more of them than the workers do at
 * once. If there is more to do than the cores of the workers can, all of it takes longer by the same factor.
 *
 * @param arrivals - the earliest first
 */
export function simulateWorkers(arrivals: readonly Arrival[], options: Workers): Waits {
  const { workers, listing, printing, scanSeconds, searchSeconds } = options;
  const waits = { listed: [] as number[], printed: [] as number[] };
  const firms = new Map<number, FirmLines>();
  let found = 0;
  for (let tick = 0; found < arrivals.length || firms.size > 0; tick += 1) {
    const now = tick * tickSeconds;
    if (isDue(tick, scanSeconds)) {
      for (; (arrivals[found]?.at ?? Number.POSITIVE_INFINITY) <= now; found += 1) {
        const number = arrivals[found]?.firm ?? 0;
        const firm = firms.get(number) ?? newFirm();
        firm.listing.waiting.push(found);
        firms.set(number, firm);
      }
    }
    if (firms.size === 0) continue;
    const all = [...firms.values()];
    for (const firm of all) {
      if (isDue(tick, searchSeconds)) firm.isPrinting ||= firm.printing.waiting.length > 0;
      takeUp(firm.listing, listing);
      if (firm.isPrinting) takeUp(firm.printing, printing);
    }
    const toList = all.filter((firm) => firm.listing.inHand.length > 0);
    const toPrint = all.filter((firm) => firm.printing.inHand.length > 0);
    const turns = {
      listing: Math.min(1, (workers * listing.firmsAtOnce) / toList.length),
      printing: Math.min(1, (workers * printing.firmsAtOnce) / toPrint.length),
    };
    const busy =
      turns.listing * sum(toList.map((firm) => firm.listing.busy)) +
      turns.printing * sum(toPrint.map((firm) => firm.printing.busy));
    const seconds = tickSeconds * Math.min(1, workers / busy);

    const waitOf = (file: number) => now + tickSeconds - (arrivals[file]?.at ?? 0);
    for (const firm of toPrint) {
      for (const file of goOn(firm.printing, printing, seconds * turns.printing)) {
        waits.printed[file] = waitOf(file);
      }
      firm.isPrinting = firm.printing.inHand.length > 0;
    }
    for (const firm of toList) {
      for (const file of goOn(firm.listing, listing, seconds * turns.listing)) {
        waits.listed[file] = waitOf(file);
        firm.printing.waiting.push(file);
      }
    }
    for (const [number, firm] of firms) {
      const lines = [firm.listing, firm.printing];
      const isDone = lines.every(({ waiting, inHand }) => waiting.length + inHand.length === 0);
      if (isDone) firms.delete(number);
    }
  }
  return waits;
}

function newFirm(): FirmLines {
  const line = () => ({ waiting: [], inHand: [], left: 0, busy: 0 });
  return { listing: line(), printing: line(), isPrinting: false };
}

/** Returns true in the ticks in which something begins that is repeated after some seconds. */
function isDue(tick: number, seconds: number): boolean {
  return tick % Math.round(seconds / tickSeconds) === 0;
}

/** Takes up files that wait, unless others are in hand. */
function takeUp(line: Line, { busySeconds, aloneSeconds, filesAtOnce }: Stage): void {
  if (line.inHand.length > 0 || line.waiting.length === 0) return;
  line.inHand = line.waiting.splice(0, filesAtOnce);
  const cpuSeconds = line.inHand.length * busySeconds;
  // One process does them, with one core.
  const seconds = Math.max(aloneSeconds, cpuSeconds);
  line.left += seconds;
  line.busy = cpuSeconds / seconds;
}

/** Works on what is in hand, and takes up the next files. Returns those that are done. */
function goOn(line: Line, stage: Stage, seconds: number): number[] {
  const done: number[] = [];
  line.left -= seconds;
  while (line.left <= 0 && line.inHand.length > 0) {
    done.push(...line.inHand);
    line.inHand = [];
    takeUp(line, stage);
  }
  // If no file waits, the worker has nothing to do for the rest of the tick.
  line.left = Math.max(0, line.left);
  return done;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
