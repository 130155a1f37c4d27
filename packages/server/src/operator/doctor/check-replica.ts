import { setTimeout as pause } from 'node:timers/promises';
import { type Check, ok, problem } from '@adx/command/check';
import type { Knex } from 'knex';
import { createKnex } from '../../db/knex.js';
import { isDistributed } from '../../db/nodes.js';
import { noReplica } from '../../db/open-database.js';
import { requireSettings, SettingsError } from '../../db/session-settings.js';
import { makeMark, STALE_SECONDS, seenMark } from '../../replica/marks.js';
import { explain } from '../explain.js';

const NAME = 'replica';

/** Makes marks until the replica shows them, which proves that it follows this database (D-71). */
export async function checkReplica(databaseUrl: string, readUrl: string): Promise<Check[]> {
  const primary = createKnex(databaseUrl, { poolSize: 1 });
  const replica = createKnex(readUrl, { poolSize: 1 });
  try {
    if (await isDistributed(primary)) throw noReplica();
    await requireSettings(replica, 'DATABASE_READ_URL');
    const end = performance.now() + STALE_SECONDS * 1000;
    let behind = await makeMark(primary, undefined);
    do {
      behind = await makeMark(primary, await seenMark(replica));
      if (behind === 0) return [ok(NAME, `it follows the database${await ofConflicts(replica)}`)];
      await pause(100);
    } while (performance.now() < end);
    const found =
      behind === undefined
        ? 'it does not follow the database of DATABASE_URL'
        : `it is more than ${STALE_SECONDS} s behind, or follows another database`;
    const advice = 'Look at pg_stat_replication of the primary, and at the log of the replica.';
    return [problem(NAME, found, advice)];
  } catch (error) {
    if (error instanceof SettingsError) return [problem(NAME, error.found, error.advice)];
    const advice = 'Set DATABASE_READ_URL to a streaming replica of the server of DATABASE_URL.';
    return [problem(NAME, explain(error), advice)];
  } finally {
    await Promise.all([primary.destroy(), replica.destroy()]);
  }
}

async function ofConflicts(replica: Knex): Promise<string> {
  const { rows } = await replica.raw<{ rows: { setting: string }[] }>(
    `select setting from pg_settings where name = 'hot_standby_feedback'`,
  );
  return rows[0]?.setting === 'on'
    ? ''
    : '; with hot_standby_feedback = on it would cancel fewer queries';
}
