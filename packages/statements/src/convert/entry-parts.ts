import { detailDifference } from '../coda/detail-difference.js';
import type { Movement } from '../coda/statement.js';

/** A part of a movement. The amounts of its parts add up to that of the movement (D-70). */
export interface EntryPart {
  readonly amount: bigint;
  /**
   * The detail, and the movements whose texts hold for it too: those that it explains, or that
   * explain it.
   */
  readonly movements: readonly [Movement, ...Movement[]];
  /** It stands for no detail, but for what the details of a batch lack. */
  readonly isDifference?: boolean;
}

/** Returns true for a total of payments, each of which is a detail. */
export function isBatch({ transactionCode: { type } }: Movement): boolean {
  return type === 1 || type === 2 || type === 7;
}

/**
 * Returns the parts of a movement: its details, if they add up to it. Otherwise the difference is a
 * part of its own if the movement is a batch, and else there is one part, as the details only
 * explain one payment, such as with its amount before charges.
 */
export function partsOf(movement: Movement): readonly EntryPart[] {
  const { details, amount } = movement;
  if (details.length === 0) return [{ amount, movements: [movement] }];
  const parts = details.flatMap(partsOf);
  const difference = detailDifference(movement);
  if (isBatch(movement)) {
    if (difference === 0n) return parts;
    return [...parts, { amount: difference, movements: [movement], isDifference: true }];
  }
  if (difference === 0n) {
    return parts.map((part) => ({ ...part, movements: [...part.movements, movement] }));
  }
  return [onePart(movement)];
}

/** Returns a movement as a whole, with the texts of its details. */
export function onePart(movement: Movement): EntryPart {
  const all = movement.details.flatMap((detail) => onePart(detail).movements);
  return { amount: movement.amount, movements: [movement, ...all] };
}

/** Returns a movement and its totals that are batches, whose texts belong to no part. */
export function batchesOf(movement: Movement): readonly Movement[] {
  if (!isBatch(movement) || movement.details.length === 0) return [];
  return [movement, ...movement.details.flatMap(batchesOf)];
}
