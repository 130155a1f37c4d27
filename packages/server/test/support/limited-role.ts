import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';

/**
 * Creates a role that may do everything that the service does, and whose connections can be
 * refused, as when there are too many (SQLSTATE 53300). PostgreSQL does not limit superusers.
 */
export async function createLimitedRole(databaseUrl: string, knex: Knex) {
  const name = `limited_${randomUUID().replaceAll('-', '')}`;
  await knex.raw(`create role ${name} login bypassrls password 'geheim'`);
  await knex.raw(`grant pg_read_all_data, pg_write_all_data to ${name}`);
  onTestFinished(() => knex.raw(`drop role ${name}`));
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = 'geheim';
  const limit = (connections: number) =>
    knex.raw(`alter role ${name} connection limit ${connections}`);
  return {
    /** The URL of the database as this role. */
    url: url.href,
    /** Ends its connections and refuses new ones. */
    async refuse() {
      await limit(0);
      await knex.raw('select pg_terminate_backend(pid) from pg_stat_activity where usename = ?', [
        name,
      ]);
    },
    /** Refuses new connections only. */
    refuseMore: () => limit(0),
    accept: () => limit(-1),
  };
}
