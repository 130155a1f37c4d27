import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { writePrivate } from '../data-folder.js';

/** The time that scenarios have let pass: the age of everything that was issued before grows by it. */
export interface ElapsedTime {
  /** Returns by how many ms something that was issued at an instant is older than by the clock. */
  since(issued: Date): number;
  /**
   * Lets time pass, once the work for it is done. Both wait for the next whole second, because the instants in
   * URLs and tokens are whole seconds: nothing that is issued afterwards has the same second as something that
   * was issued before.
   */
  pass(ms: number, work: () => Promise<unknown>): Promise<void>;
}

const content = z.array(z.object({ at: z.number(), ms: z.number() }));

/** Opens the elapsed time of a data folder, which stays when the sandbox is restarted. */
export async function openElapsedTime(dataDir: string): Promise<ElapsedTime> {
  const path = join(dataDir, 'elapsed-time.json');
  const text = await readFile(path, 'utf8').catch(() => '[]');
  /** When time passed, in ms since 1970, and how much. */
  const passed = content.parse(JSON.parse(text));
  return {
    since: (issued) =>
      passed.reduce((sum, { at, ms }) => sum + (issued.getTime() < at ? ms : 0), 0),
    async pass(ms, work) {
      const at = Math.ceil((Date.now() + 1) / 1000) * 1000;
      while (Date.now() < at) await sleep(at - Date.now());
      await work();
      passed.push({ at, ms });
      await writePrivate(path, JSON.stringify(passed));
    },
  };
}
