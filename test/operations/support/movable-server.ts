import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  type SandboxPart,
  startKeptDatabase,
} from '../../../packages/server/test/support/sandbox-part.js';
import {
  migrateTo,
  type Partitioned,
} from '../../../packages/server/test/support/template-database.js';

/** A PostgreSQL server whose settings can be changed, with a migrated database `adx`. */
export interface MovableServer {
  /** The URL of `adx` as its owner, a superuser. */
  readonly ownerUrl: string;
  /** The URL of `adx` as a user without such rights, as of the service. */
  readonly serviceUrl: string;
  /** Runs a statement in the session of a database, which is opened once. */
  run(database: string, sql: string): Promise<pg.QueryResultRow[]>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startMovableServer(partitioned?: Partitioned): Promise<MovableServer> {
  // The sandbox makes it, so that PostgreSQL can enter it.
  const parent = await mkdtemp(join(tmpdir(), 'adx-server-'));
  const folder = `${parent}-data`;
  let part: SandboxPart = await startKeptDatabase(folder);
  const urlOf = (database: string) => {
    const url = new URL(part.settings['DATABASE_URL'] ?? '');
    url.pathname = database;
    return url.href;
  };
  const sessions = new Map<string, pg.Client>();
  async function sessionOf(database: string): Promise<pg.Client> {
    const open = sessions.get(database);
    if (open !== undefined) return open;
    const client = new pg.Client({ connectionString: urlOf(database) });
    // The switch ends it.
    client.on('error', () => sessions.delete(database));
    await client.connect();
    sessions.set(database, client);
    return client;
  }
  async function close(): Promise<void> {
    for (const client of sessions.values()) await client.end();
    sessions.clear();
  }
  await migrateTo(urlOf('adx'), partitioned);
  const server: MovableServer = {
    get ownerUrl() {
      return urlOf('adx');
    },
    get serviceUrl() {
      const url = new URL(urlOf('adx'));
      url.username = 'service';
      url.password = 'geheim';
      return url.href;
    },
    run: async (database, sql) => (await (await sessionOf(database)).query(sql)).rows,
    async restart() {
      await close();
      await part.stop();
      part = await startKeptDatabase(folder);
    },
    async stop() {
      await close();
      await part.stop();
      for (const path of [parent, folder]) await rm(path, { recursive: true });
    },
  };
  // Its data need not survive a crash.
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await server.run('adx', `alter system set ${setting} = off`);
  }
  await server.run('adx', 'select pg_reload_conf()');
  const rights = 'bypassrls in role pg_read_all_data, pg_write_all_data';
  await server.run('adx', `create role service login password 'geheim' ${rights}`);
  return server;
}
