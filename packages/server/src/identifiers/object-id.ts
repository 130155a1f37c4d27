import { randomBytes } from 'node:crypto';

const FORM = /^[0-9a-f]{24}$/i;
const COUNTER_SIZE = 2 ** 24;

/** Parses 24 hexadecimal characters in upper or lower case (D-12); undefined for other texts. */
export function parseObjectId(text: string): string | undefined {
  return FORM.test(text) ? storedId(text) : undefined;
}

/** Returns an identifier in lower case. Callers may send upper case. */
export function storedId(id: string): string {
  return id.toLowerCase();
}

/**
 * Creates identifiers (D-12) of 4 bytes of seconds, 5 random bytes of the generator, and 3 bytes of
 * a counter. Each is greater than the one before. If the counter overflows within a second, or the
 * clock goes back, the seconds run ahead of the clock.
 *
 * @param sources.now - returns the time in ms since 1970
 */
export function createObjectIds({
  now,
  random,
}: {
  readonly now: () => number;
  readonly random: (size: number) => Buffer;
}): () => string {
  const generator = random(5).toString('hex');
  let second = 0;
  let counter = 0;
  return () => {
    const clock = Math.floor(now() / 1000);
    counter += 1;
    if (clock > second) {
      second = clock;
      // A random start in the lower half is hard to guess and leaves eight million for this second.
      counter = random(3).readUIntBE(0, 3) >> 1;
    } else if (counter === COUNTER_SIZE) {
      second += 1;
      counter = 0;
    }
    return `${hex(second, 8)}${generator}${hex(counter, 6)}`;
  };
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

/** Returns a new identifier, greater than all earlier ones of this process. */
export const newObjectId = createObjectIds({ now: Date.now, random: randomBytes });
