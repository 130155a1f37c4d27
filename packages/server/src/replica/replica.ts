import { setMaxListeners } from 'node:events';
import type { Knex } from 'knex';
import { createKnex, type KnexOptions } from '../db/knex.js';
import { requireSettings, SettingsError } from '../db/session-settings.js';
import { shareFor } from '../telemetry/share-for.js';
import {
  isUpToDateFor,
  makeMark,
  readAfter,
  type SeenMark,
  STALE_SECONDS,
  seenMark,
} from './marks.js';

/** Runs a query of a list, on the database that the list may be read from. */
export type Read = <Result>(query: (knex: Knex) => Promise<Result>) => Promise<Result>;

/** Returns what runs the queries of one list of a user of the firm. */
export type ReadsOf = (firmId: string) => Read;

/** Reads all lists from the primary. */
export const readsFrom =
  (primary: Knex): ReadsOf =>
  () =>
  (query) =>
    query(primary);

/** How often a process looks at the replica while lists are asked for, in ms. */
const LOOK_MS = 1_000;

/** How long the replica may take to answer a look or to accept a connection, in ms. */
const ANSWER_MS = 1_000;

/**
 * How far a replica may be behind before its connections are dropped, in seconds: they may lead to
 * another server than new ones would.
 */
const DROP_SECONDS = 60;

/** Connections to the replica. They end together when it stops answering. */
interface Connections {
  readonly reads: Knex;
  /** One of its own, because reads may hold all others for long. */
  readonly looks: Knex;
  readonly closing: AbortController;
  areChecked: boolean;
  /** The latest mark that it showed. */
  mark?: string | undefined;
}

export interface Replica {
  readonly readsOf: ReadsOf;
  /** @throws Error if lists are not read from the replica, with a reason that anybody may see */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a replica for lists that may be seconds old (D-71). It connects only when lists are asked
 * for, and whatever the replica does, no call fails because of it: what it does not answer is read
 * from the primary.
 */
export function openReplica(
  options: {
    readonly primary: Knex;
    readonly url: string;
    /** Called with each query of a list, and when it is known how far the replica is behind. */
    readonly onRead: (from: 'replica' | 'primary') => void;
    readonly onLag: (seconds: number) => void;
  } & Pick<KnexOptions, 'poolSize' | 'isTraced' | 'applicationName'>,
): Replica {
  const { primary, url, onRead, onLag, ...ofConnections } = options;
  let connections: Connections | undefined;
  let reading = 0;
  let looking: NodeJS.Timeout | undefined;

  function connect(): Connections {
    const closing = new AbortController();
    setMaxListeners(0, closing.signal);
    const { signal } = closing;
    const both: KnexOptions = { ...ofConnections, connectionTimeoutMs: ANSWER_MS, signal };
    const looks = createKnex(url, { ...both, poolSize: 1 });
    // A list that takes longer is read faster from the primary.
    const reads = createKnex(url, { ...both, statementTimeoutMs: STALE_SECONDS * 1000 });
    return { closing, looks, reads, areChecked: false };
  }

  async function drop(dropped: Connections): Promise<void> {
    if (connections === dropped) connections = undefined;
    dropped.closing.abort();
    await Promise.allSettled([dropped.reads.destroy(), dropped.looks.destroy()]);
  }

  /** Looks which mark the replica shows. Returns why it is not read, or undefined. */
  const look = shareFor(LOOK_MS, async (): Promise<string | undefined> => {
    connections ??= connect();
    const looked = connections;
    let seen: SeenMark | undefined;
    const timer = setTimeout(() => void drop(looked), ANSWER_MS);
    try {
      if (!looked.areChecked) await requireSettings(looked.looks, 'DATABASE_READ_URL');
      looked.areChecked = true;
      seen = await seenMark(looked.looks);
      looked.mark = seen?.id;
    } catch (error) {
      const isSilent = looked.closing.signal.aborted;
      void drop(looked);
      return isSilent ? 'The replica does not respond' : reasonOf(error);
    } finally {
      clearTimeout(timer);
    }
    try {
      const behind = await makeMark(primary, seen);
      if (behind === undefined || behind > DROP_SECONDS) void drop(looked);
      if (behind === undefined) return 'The replica does not follow the database';
      onLag(behind);
      return behind > STALE_SECONDS ? `The replica is ${Math.round(behind)} s behind` : undefined;
    } catch {
      return 'The database does not respond';
    }
  });

  /** Returns what reads from the replica, if that has everything that the firm has changed. */
  async function replicaFor(firmId: string): Promise<Read | undefined> {
    void look();
    const { reads, mark } = connections ?? {};
    if (reads === undefined || mark === undefined) return undefined;
    if (!(await isUpToDateFor(primary, firmId, mark))) return undefined;
    return async (query) => {
      reading += 1;
      // A replica that stops answering is found although nobody else asks for a list.
      looking ??= setInterval(look, LOOK_MS).unref();
      try {
        return await readAfter(reads, mark, query);
      } finally {
        reading -= 1;
        if (reading === 0) {
          clearInterval(looking);
          looking = undefined;
        }
      }
    };
  }

  return {
    readsOf(firmId) {
      let chosen: Promise<Read | undefined> | undefined;
      return async (query) => {
        chosen ??= replicaFor(firmId);
        const read = await chosen;
        if (read !== undefined) {
          try {
            const result = await read(query);
            onRead('replica');
            return result;
          } catch {
            // Every page of a list after this one too: the primary is never behind the replica. If
            // the query itself is at fault, it fails there again.
            chosen = Promise.resolve(undefined);
          }
        }
        onRead('primary');
        return query(primary);
      };
    },

    async check() {
      const reason = await look();
      if (reason !== undefined) throw new Error(reason);
    },

    async close() {
      if (connections !== undefined) await drop(connections);
    },
  };
}

/** Returns the reason without the addresses and names in the messages of the driver. */
function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.found;
  const { code, message } = Object(error);
  return code === undefined ? String(message) : `The replica does not respond (${code})`;
}
