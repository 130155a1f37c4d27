import { median } from './statistics.js';

/** Returns the CPU time of this process for some work, in µs. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Measures in turn, so that other load affects all. Returns the rounds after the warm-ups. */
export async function inTurns<Each, Measurement>(
  all: readonly Each[],
  { rounds, warmUps = 0 }: { readonly rounds: number; readonly warmUps?: number },
  measure: (each: Each) => Promise<Measurement>,
): Promise<Measurement[][]> {
  const turns: Measurement[][] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const turn: Measurement[] = [];
    for (const each of all) turn.push(await measure(each));
    if (round >= 0) turns.push(turn);
  }
  return turns;
}

/**
 * Returns the median over the rounds of a value that is worked out from the measurements of one.
 */
export function medianOf<Measurement>(
  turns: readonly (readonly Measurement[])[],
  value: (turn: readonly Measurement[]) => number | undefined,
): number {
  return median(turns.map((turn) => value(turn) ?? Number.NaN));
}
