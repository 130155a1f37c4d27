import type { Knex } from 'knex';

/** The longest difference between the clocks, in minutes. */
const LONGEST = 10;

/**
 * Refuses a wrong clock before old data is removed: one that is ahead would remove it too early.
 *
 * @throws Error if the clocks of this machine and the database differ by more than ten minutes
 */
export async function requireSameClock(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { now: Date }[] }>('select clock_timestamp() as now');
  const ahead = (Date.now() - (rows[0]?.now.getTime() ?? Number.NaN)) / 60_000;
  if (Math.abs(ahead) <= LONGEST) return;
  const difference = `${Math.round(Math.abs(ahead))} minutes ${ahead > 0 ? 'ahead of' : 'behind'}`;
  throw new Error(
    `The clock of this machine is ${difference} that of the database: nothing is removed until both are set with NTP`,
  );
}
