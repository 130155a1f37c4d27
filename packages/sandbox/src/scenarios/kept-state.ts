import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readIfPresent, writePrivate } from '../data-folder.js';

/**
 * The time that scenarios have let pass: the age of everything that was issued before grows by it.
 */
export interface ElapsedTime {
  /** Returns by how many ms something that was issued at an instant is older than by the clock. */
  since(issued: Date): number;
  /**
   * Lets time pass, once the work for it is done. Both wait for the next whole second, because the
   * instants in URLs and tokens are whole seconds: nothing that is issued afterwards has the same
   * second as something that was issued before.
   */
  pass(ms: number, work: () => Promise<unknown>): Promise<void>;
}

/** The mandates that scenarios have moved, which the demo leaves alone from then on. */
export interface HeldMandates {
  has(id: string): boolean;
  add(id: string): Promise<void>;
}

/** Opens the elapsed time of a data folder. */
export async function openElapsedTime(dataDir: string): Promise<ElapsedTime> {
  const pass = z.object({
    /** When time passed, in ms since 1970. */
    at: z.number(),
    ms: z.number(),
  });
  const passed = await openList(join(dataDir, 'elapsed-time.json'), pass);
  return {
    since: (issued) =>
      passed.items.reduce((sum, { at, ms }) => sum + (issued.getTime() < at ? ms : 0), 0),
    async pass(ms, work) {
      const at = Math.ceil((Date.now() + 1) / 1000) * 1000;
      while (Date.now() < at) await sleep(at - Date.now());
      await work();
      await passed.add({ at, ms });
    },
  };
}

/** Opens the list of the held mandates of a data folder. */
export async function openHeldMandates(dataDir: string): Promise<HeldMandates> {
  const ids = await openList(join(dataDir, 'held-mandates.json'), z.string());
  return {
    has: (id) => ids.items.includes(id),
    async add(id) {
      if (!ids.items.includes(id)) await ids.add(id);
    },
  };
}

/** Opens a list in a file, which only grows. A file that is missing is an empty list. */
async function openList<Item>(path: string, item: z.ZodType<Item>) {
  const items = z.array(item).parse(JSON.parse((await readIfPresent(path)) ?? '[]'));
  let written: Promise<void> = Promise.resolve();
  return {
    items: items as readonly Item[],
    /** Resolves once the item is in the file. */
    add(added: Item): Promise<void> {
      items.push(added);
      // One after the other, so that the last content has all items.
      written = written.catch(() => {}).then(() => writePrivate(path, JSON.stringify(items)));
      return written;
    },
  };
}
