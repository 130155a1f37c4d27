/** Chance: each call gives a number from 0 up to 1. */
export type Random = () => number;

/** Numbers that follow from a text, the same each time: FNV-1a seeds mulberry32. */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) {
    state = Math.imul(state ^ byte, 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from one to another, both included. */
export function whole(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

/** One of a list that is not empty. */
export function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0];
}

/** An amount in whole cents between two of whole euros, in thousandths. */
export function amount(random: Random, from: number, to: number): bigint {
  return BigInt(whole(random, from * 100, to * 100)) * 10n;
}
