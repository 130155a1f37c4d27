import { detailDifference } from '../coda/detail-difference.js';
import type { Information, Movement } from '../coda/statement.js';

/** A part of a movement. The amounts of its parts add up to that of the movement (D-70). */
export interface EntryPart {
  readonly amount: bigint;
  /** The movement whose transaction code and reference of the bank it has. */
  readonly movement: Movement;
  /**
   * The movements whose texts hold for it: a detail with the payment above it, or a payment with
   * the details that explain it. There is none if it stands for what the details of a batch lack.
   */
  readonly sources: readonly Movement[];
}

/** Returns true for a total of payments, each of which is a detail. */
export function isBatch({ transactionCode: { type } }: Movement): boolean {
  return type === 1 || type === 2;
}

/**
 * Returns the parts of a movement: its details, if they add up to it. Otherwise the difference is a
 * part of its own if the movement is a batch, and else there is one part, as the details only
 * explain one payment, such as with its amount before charges.
 */
export function partsOf(movement: Movement): readonly EntryPart[] {
  const { details, amount } = movement;
  if (details.length === 0) return [{ amount, movement, sources: [movement] }];
  const parts = details.flatMap(partsOf);
  const difference = detailDifference(movement);
  if (isBatch(movement)) {
    return difference === 0n ? parts : [...parts, { amount: difference, movement, sources: [] }];
  }
  if (difference !== 0n) return [wholePart(movement)];
  // The payer's reference is not one of the charges.
  const onSide = parts.filter((part) => isOnSide(part.amount, amount));
  const whole = onSide.filter((part) => part.amount !== 0n && isWholeAmount(part.movement));
  const ofPayer = new Set(whole.length === 0 ? onSide : whole);
  const [first] = ofPayer;
  // Information can be long, and there can be as many details. A party is that of each.
  const inOthers = { ...movement, information: partiesOf(movement) };
  return parts.map((part) => {
    const source = part === first ? movement : inOthers;
    return ofPayer.has(part) ? { ...part, sources: [...part.sources, source] } : part;
  });
}

/** Returns the first counterparty, ultimate creditor and ultimate debtor. */
function partiesOf({ information }: Movement): Information[] {
  return ['001', '008', '009'].flatMap(
    (type) =>
      information.find(
        ({ communication }) => communication.kind === 'structured' && communication.type === type,
      ) ?? [],
  );
}

/** Returns a movement as one part; that of a payment has the texts of its details. */
export function wholePart(movement: Movement): EntryPart {
  const details = isBatch(movement) ? [] : movement.details;
  const explaining = details.flatMap((detail) => wholePart(detail).sources);
  return { amount: movement.amount, movement, sources: [movement, ...explaining] };
}

/**
 * Returns true for a net (000) or a gross amount (100), and false for charges, taxes or interest.
 */
export function isWholeAmount({ transactionCode: { category } }: Movement): boolean {
  return category === '000' || category === '100';
}

/** Returns true if an amount is on the side of another one, or zero. */
export function isOnSide(amount: bigint, of: bigint): boolean {
  return amount === 0n || amount > 0n === of >= 0n;
}
