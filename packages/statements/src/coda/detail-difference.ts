import type { Movement } from './statement.js';

/** Returns what the details of a movement lack to add up to it; 0 if it has none (D-70). */
export function detailDifference({ amount, details }: Movement): bigint {
  if (details.length === 0) return 0n;
  return details.reduce((left, detail) => left - detail.amount, amount);
}
