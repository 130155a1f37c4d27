import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { writePrivate } from './data-folder.js';

// Read again each time: the service does the scenarios, and the process that started it has the
// storage and the demo.

export type ElapsedTime = ReturnType<typeof openElapsedTime>;
export type HeldMandates = ReturnType<typeof openHeldMandates>;

export function openElapsedTime(dataDir: string) {
  /** The instant when time passed, and how much, in ms. */
  const pass = z.object({ at: z.number(), ms: z.number() });
  const passed = openList(join(dataDir, 'elapsed-time.json'), pass);
  return {
    /**
     * Returns by how many ms something that was issued at an instant is older than by the clock.
     */
    since: (issued: Date): number =>
      passed.read().reduce((sum, { at, ms }) => sum + (issued.getTime() < at ? ms : 0), 0),
    /**
     * Records that time has passed, after `work` has moved the instants in the database. It begins
     * and ends at a whole second, because URLs and tokens have whole seconds: otherwise one that
     * was issued before and one that was issued afterwards could have the same.
     */
    async pass(ms: number, work: () => Promise<unknown>): Promise<void> {
      const at = Math.ceil((Date.now() + 1) / 1000) * 1000;
      while (Date.now() < at) await sleep(at - Date.now());
      await work();
      await passed.add({ at, ms });
    },
  };
}

/** Opens the list of the mandates that scenarios have moved: the demo leaves them alone. */
export function openHeldMandates(dataDir: string) {
  const ids = openList(join(dataDir, 'held-mandates.json'), z.string());
  return {
    has: (id: string): boolean => ids.read().includes(id),
    add: (id: string): Promise<void> => ids.add(id),
  };
}

/** Opens a list in a file, which only grows. A file that is missing is an empty list. */
function openList<Item>(path: string, item: z.ZodType<Item>) {
  const content = z.array(item);
  // One after the other, so that each content has the items before it.
  const inTurn = pLimit(1);
  const read = () =>
    existsSync(path) ? content.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
  return {
    read,
    add: (added: Item): Promise<void> =>
      inTurn(() => writePrivate(path, JSON.stringify([...read(), added]))),
  };
}
