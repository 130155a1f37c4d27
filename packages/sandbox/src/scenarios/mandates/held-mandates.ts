import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../data-folder.js';

/** The mandates that scenarios have moved, which the demo leaves alone from then on. */
export interface HeldMandates {
  has(id: string): boolean;
  add(id: string): Promise<void>;
}

/** Opens the list of a data folder. */
export async function openHeldMandates(dataDir: string): Promise<HeldMandates> {
  const path = join(dataDir, 'held-mandates.json');
  const text = await readFile(path, 'utf8').catch(() => '[]');
  const ids = new Set(z.array(z.string()).parse(JSON.parse(text)));
  return {
    has: (id) => ids.has(id),
    async add(id) {
      if (ids.has(id)) return;
      ids.add(id);
      await writePrivate(path, JSON.stringify([...ids]));
    },
  };
}
