/**
 * The whole environment of PostgreSQL's programs: nothing of the caller's language settings, time
 * zone or `PG…` variables reaches them.
 */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
