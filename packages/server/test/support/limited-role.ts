import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';

/**
 * A role of PostgreSQL whose connections can be refused, as when there are too many (SQLSTATE
 * 53300).
 */
export interface LimitedRole {
  /** The URL of the database as this role. */
  readonly url: string;
  /** Ends its connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Only refuses new ones. */
  refuseMore(): Promise<void>;
  accept(): Promise<void>;
}

/**
 * Creates a role that may do everything that the service does; PostgreSQL does not limit
 * superusers.
 */
export async function createLimitedRole(databaseUrl: string, knex: Knex): Promise<LimitedRole> {
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
    url: url.href,
    async refuse() {
      await limit(0);
      await knex.raw('select pg_terminate_backend(pid) from pg_stat_activity where usename = ?', [
        name,
      ]);
    },
    refuseMore: () => limit(0),
    accept: () => limit(-1),
  };
}
