import { type Check, ok, problem, skipped } from '@adx/command/check';
import type { Knex } from 'knex';
import { createKnex } from '../../db/knex.js';
import {
  databaseAdvice,
  newerMigrations,
  pendingMigrations,
  readEncoding,
} from '../../db/migrate.js';
import { requireSettings, SettingsError } from '../../db/session-settings.js';
import { inTransaction } from '../../db/transaction.js';
import { createSigningKeyStore } from '../../identity/signing-keys.js';
import { explain } from '../explain.js';
import { checkCluster } from './check-cluster.js';

/** The oldest supported version of PostgreSQL, as in `server_version_num`. */
const oldestVersion = 140_000;
/** The longest difference of the clocks, in seconds: signatures of requests allow minutes. */
const longestSkew = 60;

/** @param signingKeySecret - the setting, which has to open the newest signing key (D-59) */
export async function checkDatabase(
  databaseUrl: string,
  signingKeySecret: string,
): Promise<Check[]> {
  const knex = createKnex(databaseUrl, { poolSize: 1 });
  try {
    const { version, number, skew } = await readServer(knex);
    await requireSettings(knex);
    const database =
      checkServer(version, number, await readEncoding(knex)) ??
      (await tryWriting(knex)) ??
      ok('database', `PostgreSQL ${version}`);
    const migrations = await checkMigrations(knex);
    const keys = migrations.result === 'ok' ? await checkSigningKeys(knex, signingKeySecret) : [];
    return [database, checkClock(skew), migrations, ...keys, ...(await checkCluster(knex))];
  } catch (error) {
    return [
      error instanceof SettingsError
        ? problem('database', error.found, error.advice)
        : problem('database', explain(error), adviceFor(error)),
      ...['clock', 'migrations'].map((name) => skipped(name)),
    ];
  } finally {
    await knex.destroy();
  }
}

const advices: Readonly<Record<string, string>> = {
  '25006':
    'Set DATABASE_URL to the primary server, and end what makes it read-only, such as default_transaction_read_only.',
  '42501': 'Make the user of DATABASE_URL the owner of the database.',
  '53100': 'Free space on the disk of PostgreSQL, or enlarge it.',
  '53300':
    'See in pg_stat_activity who has them; lower DATABASE_POOL_SIZE, or raise max_connections of PostgreSQL.',
};

/** The settings that end a connection or a statement, by SQLSTATE. */
const endingSettings: Readonly<Record<string, string>> = {
  '25P03': 'idle_in_transaction_session_timeout',
  '25P04': 'transaction_timeout',
  '55P03': 'lock_timeout',
  '57014': 'statement_timeout',
  '57P05': 'idle_session_timeout',
};

function adviceFor(error: unknown): string {
  const code = String(Object(error).code);
  const setting = endingSettings[code];
  if (setting !== undefined) {
    return `Raise ${setting} of the role of DATABASE_URL, the database and the server (\\drds in psql).`;
  }
  // PostgreSQL has accepted the connection.
  const isRefusedStatement = Object(error).severity !== undefined && !/^(28|3D)/.test(code);
  return (
    advices[code] ??
    (isRefusedStatement ? 'Look for the reason in the log of PostgreSQL.' : undefined) ??
    'Check DATABASE_URL, that PostgreSQL runs, and that its pg_hba.conf and the firewall allow connections from this machine.'
  );
}

/**
 * Writes a mebibyte, because reads show neither a full disk nor a read-only server.
 *
 * @returns why it is not possible, or undefined
 */
async function tryWriting(knex: Knex): Promise<Check | undefined> {
  try {
    await inTransaction(knex, (trx) =>
      trx.raw(`create temporary table adx_doctor on commit drop
               as select repeat('x', 1024) from generate_series(1, 1024)`),
    );
    return undefined;
  } catch (error) {
    return problem('database', explain(error), adviceFor(error));
  }
}

/** Returns the version, and as `skew` by how many seconds the database's clock is ahead of ours. */
async function readServer(knex: Knex): Promise<{ version: string; number: number; skew: number }> {
  const { rows } = await knex.raw<{ rows: { version: string; number: number; now: Date }[] }>(
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::integer as number, clock_timestamp() as now`,
  );
  const [{ version, number, now } = { version: '?', number: 0, now: new Date() }] = rows;
  return { version, number, skew: (now.getTime() - Date.now()) / 1000 };
}

function checkServer(version: string, number: number, encoding: string): Check | undefined {
  if (number < oldestVersion) {
    return problem('database', `PostgreSQL ${version}`, 'Upgrade it to PostgreSQL 14 or later.');
  }
  if (encoding === 'UTF8') return undefined;
  return problem('database', `its encoding is ${encoding} instead of UTF8`, databaseAdvice);
}

function checkClock(skew: number): Check {
  const seconds = Math.round(Math.abs(skew));
  const found = `${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the database`;
  if (seconds <= longestSkew) return ok('clock', found);
  return problem(
    'clock',
    found,
    'Set the clocks of both machines with NTP: the storage refuses requests whose time is wrong, and tokens would expire at the wrong time.',
  );
}

async function checkMigrations(knex: Knex): Promise<Check> {
  const pending = await pendingMigrations(knex);
  if (pending.length > 0) {
    return problem('migrations', `${pending.length} pending`, 'Run `adx-server migrate`.');
  }
  const newer = await newerMigrations(knex);
  if (newer.length === 0) return ok('migrations', 'none is pending');
  // The former release runs on the schema of the next one (D-64).
  return ok('migrations', `none is pending; a newer release has added ${newer.join(', ')}`);
}

/** Returns a problem if services have different secrets (D-59). */
async function checkSigningKeys(knex: Knex, secret: string): Promise<Check[]> {
  if (await createSigningKeyStore(knex, secret).opensNewest()) return [];
  const found = 'the newest is encrypted with another SIGNING_KEY_SECRET';
  const advice =
    'Start all services with the same secret, and run `adx-server signing-key rotate` with it.';
  return [problem('signing keys', found, advice)];
}
