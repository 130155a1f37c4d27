import { addBankingDays, countBankingDays } from './banking-days.js';

/** The number of pauses from which a habit can be learned. */
const FEWEST_PAUSES = 8;
/** The latest pauses, from which the habit is learned. */
const MOST_PAUSES = 60;
/** The chance that an account that keeps its habit is silent for longer is one in so many. */
const ODDS = 10_000_000;
/** Added to the pauses, so that a few regular ones do not promise that no longer one comes. */
const CAUTION = 2;

/**
 * Returns the day from which it is strange that no statement has come, as the pauses between the
 * statements so far show. Pauses are counted in Belgian banking days. Those longer than the median
 * are taken for geometrically distributed: an account with a statement each week is overdue some
 * days after the next one, and an account with few movements late or never.
 *
 * @param dates the dates of the statements of an account, `YYYY-MM-DD`, in any order
 * @returns undefined if there are too few to know a habit
 */
export function overdueFrom(dates: readonly string[]): string | undefined {
  const days = [...new Set(dates)].sort().slice(-MOST_PAUSES - 1);
  const last = days.at(-1);
  if (last === undefined || days.length <= FEWEST_PAUSES) return undefined;
  const pauses = days
    .slice(1)
    .map((day, index) => Math.max(1, countBankingDays(days[index] ?? day, day)))
    .sort((one, other) => one - other);
  const usual = pauses[Math.floor(pauses.length / 2)] ?? 0;
  const longest = pauses.at(-1) ?? 0;
  // With few pauses, their mean may be far from the habit (the tail of a Lomax distribution).
  const means = pauses.length * (ODDS ** (1 / pauses.length) - 1);
  const tail = Math.ceil(means / -Math.log(chanceOfLonger(pauses, usual)));
  // The statement of a day comes on the next banking day.
  return addBankingDays(last, Math.max(usual + tail, longest + 2) + 1);
}

/** Returns the chance that a pause that is longer than usual lasts one more day. */
function chanceOfLonger(pauses: readonly number[], usual: number): number {
  const longer = pauses.filter((pause) => pause > usual);
  const beyond = longer.reduce((sum, pause) => sum + pause - usual, 0);
  const mean = (beyond + CAUTION) / pauses.length;
  const ofAll = mean / (1 + mean);
  return longer.length < 2 ? ofAll : Math.max(ofAll, 1 - (longer.length - 1) / beyond);
}
