import TinyQueue from 'tinyqueue';

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

/** The files of a firm in one stage. */
interface Line {
  /** Their positions among all. */
  readonly waiting: number[];
  isInHand: boolean;
}

interface Firm {
  readonly listing: Line;
  readonly printing: Line;
}

/** Files of a firm that are done at once. */
interface Hand {
  readonly firm: Firm;
  readonly files: readonly number[];
  /** The part of a core that they keep busy. */
  readonly busy: number;
  /** When they are done, in seconds of work on each firm. */
  readonly endsAt: number;
}

/**
 * Simulates workers that list files and print them. Firms take turns if there are more of them than the workers do at
 * once. If there is more to do than the cores of the workers can, all of it takes longer by the same factor.
 *
 * @param arrivals - the earliest first
 */
export function simulateWorkers(arrivals: readonly Arrival[], options: Workers): Waits {
  const { workers, scanSeconds, searchSeconds } = options;
  const waits = { listed: [] as number[], printed: [] as number[] };
  const listing = startStage('listing', options);
  const printing = startStage('printing', options);
  const firms = new Map<number, Firm>();
  /** Firms with files to print that no search has found. */
  const unprinted = new Set<Firm>();
  let found = 0;
  let left = arrivals.length;
  for (let tick = 0; left > 0; tick += 1) {
    const now = tick * tickSeconds;
    if (isDue(tick, scanSeconds)) {
      const uploading = new Set<Firm>();
      for (; (arrivals[found]?.at ?? Number.POSITIVE_INFINITY) <= now; found += 1) {
        const number = arrivals[found]?.firm ?? 0;
        const firm = firms.get(number) ?? newFirm();
        firms.set(number, firm);
        firm.listing.waiting.push(found);
        uploading.add(firm);
      }
      for (const firm of uploading) listing.takeUp(firm);
    }
    if (isDue(tick, searchSeconds)) {
      for (const firm of unprinted) printing.takeUp(firm);
      unprinted.clear();
    }
    const turns = { listing: listing.turns(), printing: printing.turns() };
    const busy = turns.listing * listing.busy() + turns.printing * printing.busy();
    const seconds = tickSeconds * Math.min(1, workers / busy);

    const waitOf = (file: number) => now + tickSeconds - (arrivals[file]?.at ?? 0);
    for (const { files } of printing.goOn(seconds * turns.printing)) {
      for (const file of files) waits.printed[file] = waitOf(file);
      left -= files.length;
    }
    for (const { firm, files } of listing.goOn(seconds * turns.listing)) {
      for (const file of files) waits.listed[file] = waitOf(file);
      firm.printing.waiting.push(...files);
      if (!firm.printing.isInHand) unprinted.add(firm);
    }
  }
  return waits;
}

function newFirm(): Firm {
  const line = () => ({ waiting: [], isInHand: false });
  return { listing: line(), printing: line() };
}

/** Starts the work of one stage on all firms, which all get the same share of it. */
function startStage(name: 'listing' | 'printing', options: Workers) {
  const { busySeconds, aloneSeconds, filesAtOnce, firmsAtOnce } = options[name];
  /** Those that are done first come first. */
  const hands = new TinyQueue<Hand>([], (a, b) => a.endsAt - b.endsAt);
  /** How long each firm was worked for, if it had files in hand all the time, in seconds. */
  let worked = 0;
  let busy = 0;

  /** Takes up files of a firm that wait, unless others are in hand. */
  function takeUp(firm: Firm, at = worked): void {
    const line = firm[name];
    if (line.isInHand || line.waiting.length === 0) return;
    line.isInHand = true;
    const files = line.waiting.splice(0, filesAtOnce);
    const cpuSeconds = files.length * busySeconds;
    // One process does them, with one core.
    const seconds = Math.max(aloneSeconds, cpuSeconds);
    const hand = { firm, files, busy: cpuSeconds / seconds, endsAt: at + seconds };
    busy += hand.busy;
    hands.push(hand);
  }

  return {
    takeUp,
    /** Returns the part of the time in which a firm has its turn. */
    turns: () => Math.min(1, (options.workers * firmsAtOnce) / hands.length),
    /** Returns the cores that would be busy if all firms had their turn. Sums of fractions may end below 0. */
    busy: () => Math.max(0, busy),
    /** Works on each firm for so long, and takes up its next files. Returns those that are done. */
    goOn(seconds: number): Hand[] {
      const done: Hand[] = [];
      worked += seconds;
      for (let hand = hands.peek(); hand && hand.endsAt <= worked; hand = hands.peek()) {
        hands.pop();
        done.push(hand);
        busy -= hand.busy;
        hand.firm[name].isInHand = false;
        takeUp(hand.firm, hand.endsAt);
      }
      return done;
    },
  };
}

/** Returns true in the ticks in which something begins that is repeated after some seconds. */
function isDue(tick: number, seconds: number): boolean {
  return tick % Math.round(seconds / tickSeconds) === 0;
}
