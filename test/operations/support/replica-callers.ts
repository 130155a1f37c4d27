import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@adx/client';
import type { Customer } from '@adx/contract';
import { expect } from 'vitest';
import { STALE_SECONDS } from '../../../packages/server/src/replica/marks.js';
import { insertCodaFile } from '../../../packages/server/test/support/files.js';
import { newCustomer } from '../../support/new-customer.js';
import type { Deployment, ServiceProcess } from './deployment.js';

type Knex = Deployment['knex'];

/** Writes a number for all callers again and again, as workers and operators do. */
export interface Ticks {
  /** Returns the number that lists had to show which were asked for at this instant. */
  shownFrom(instant: number): number;
  stop(): Promise<void>;
}

const tickName = 'tick ';

/** Renames one customer of each firm, in one statement, and remembers when that was committed. */
export function startTicks(knex: Knex): Ticks {
  const committed: number[] = [performance.now()];
  const end = new AbortController();
  const write = async () => {
    while (!end.signal.aborted) {
      await knex('customers')
        .where('name', 'like', `${tickName}%`)
        .update({ name: `${tickName}${committed.length}` });
      committed.push(performance.now());
      await pause(100);
    }
  };
  const writing = write();
  return {
    shownFrom(instant) {
      const bound = instant - STALE_SECONDS * 1000;
      return committed.findLastIndex((each) => each < bound);
    },
    async stop() {
      end.abort();
      await writing;
    },
  };
}

/**
 * One firm, whose user calls all processes in turn, and knows all that its lists have to show.
 *
 * @param changes - false for a user who only reads, so that the replica may be read at any time
 */
export async function createCaller(
  deployment: Deployment,
  processes: readonly Pick<ServiceProcess, 'url'>[],
  ticks: Ticks,
  { random, changes }: { readonly random: () => number; readonly changes: boolean },
) {
  const user = await deployment.createUser();
  const clients = processes.map((each) => user.client(each));
  let calls = 0;
  /** Returns the client of the next process, so that no process gets two calls in a row. */
  const next = (): Client => {
    calls += 1;
    return clients[calls % clients.length] ?? expect.fail('no process');
  };
  const customers = new Map<string, string>();
  const acknowledged = new Set<string>();
  const files: string[] = [];
  for (const client of clients) await client.customers.list();
  const ticking = await next().customers.create(newCustomer({ name: `${tickName}0` }));

  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];

  const steps: readonly (() => Promise<unknown>)[] = [
    async () => {
      const { id, name } = await next().customers.create(newCustomer());
      customers.set(id, name);
    },
    async () => {
      const id = pick([...customers.keys()]);
      if (id === undefined) return;
      const name = `Bakkerij ${Math.floor(random() * 1e9)}`;
      await next().customers.update(id, { name });
      customers.set(id, name);
    },
    async () => {
      const id = pick([...customers.keys()]);
      if (id === undefined || customers.size < 5) return;
      await next().customers.archive(id);
      customers.delete(id);
    },
    async () => {
      files.push(await insertCodaFile(deployment.knex, ticking.id));
      const fileIds = files.filter((id) => !acknowledged.has(id));
      await next().codaFiles.acknowledgeMany({ fileIds });
      for (const id of fileIds) acknowledged.add(id);
    },
    // Long enough for the replica to have all changes of the firm, if it follows.
    () => pause(random() * 4_000),
  ];

  /** Asserts that each list shows what the caller has written, whatever process it is read from. */
  async function readBack(): Promise<void> {
    const asked = performance.now();
    const listed: readonly Customer[] = await next().customers.list();
    const shown = new Map(listed.map(({ id, name }) => [id, name]));
    const tick = Number(shown.get(ticking.id)?.slice(tickName.length));
    shown.delete(ticking.id);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(customers));
    expect(tick).toBeGreaterThanOrEqual(ticks.shownFrom(asked));
    const groups = await next().codaFiles.list();
    const unread = groups.flatMap(({ ibans }) =>
      ibans.flatMap((iban) => iban.files.map(({ id }) => id)),
    );
    expect(unread.filter((id) => acknowledged.has(id))).toEqual([]);
  }

  return {
    async round(): Promise<void> {
      if (changes) await (pick(steps) ?? expect.fail('no step'))();
      else await pause(random() * 500);
      await readBack();
    },
  };
}

/** Returns how many queries of lists the processes have read from where. */
export async function countReads(metricsPorts: readonly number[]) {
  const counts = { replica: 0, primary: 0 };
  for (const port of metricsPorts) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const from of ['replica', 'primary'] as const) {
      const [, count = '0'] =
        new RegExp(`^adx_list_reads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(text) ?? [];
      counts[from] += Number(count);
    }
  }
  return counts;
}
