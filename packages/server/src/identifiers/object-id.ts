import { randomBytes } from 'node:crypto';
import type { Brand } from './brand.js';

/** An identifier of D-12: 24 hexadecimal characters in lower case that sort by their age. */
export type ObjectId = Brand<string, 'ObjectId'>;

const FORM = /^[0-9a-f]{24}$/i;
const COUNTER_SIZE = 2 ** 24;

/**
 * Reads an identifier, in any case.
 *
 * @returns undefined where it is not 24 hexadecimal characters
 */
export function parseObjectId(text: string): ObjectId | undefined {
  return FORM.test(text) ? (text.toLowerCase() as ObjectId) : undefined;
}

/** Where a generator takes time and chance from. */
export interface ObjectIdSources {
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /** So many random bytes. */
  readonly random: (size: number) => Buffer;
}

/**
 * Makes a generator of identifiers (D-12): 4 bytes of seconds, 5 random ones that stay the same for
 * the generator, 3 of a counter. Each identifier is greater than the one before: when the counter
 * is used up within a second, or the clock goes back, the seconds run ahead of the clock.
 */
export function createObjectIds({ now, random }: ObjectIdSources): () => ObjectId {
  const generator = random(5).toString('hex');
  let second = 0;
  let counter = 0;
  return () => {
    const clock = Math.floor(now() / 1000);
    counter += 1;
    if (clock > second) {
      second = clock;
      // A random start in the lower half: hard to guess, with eight million left for this second.
      counter = random(3).readUIntBE(0, 3) >> 1;
    } else if (counter === COUNTER_SIZE) {
      second += 1;
      counter = 0;
    }
    return `${hex(second, 8)}${generator}${hex(counter, 6)}` as ObjectId;
  };
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

/** A new identifier, greater than every earlier one of this process. */
export const newObjectId = createObjectIds({ now: Date.now, random: randomBytes });
