import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent, writePrivate } from '../data-folder.js';

const content = z.object({
  /** The API key that `start` prints, for the user, who may rotate or revoke it. */
  apiKey: z.string(),
  /** The API key of the demo and of the scenarios. */
  ownApiKey: z.string().default(''),
  /** The password of each user, by username. */
  passwords: z.record(z.string(), z.string()),
  isCreated: z.boolean(),
  /** True once the mandates have reached the statuses that the demo starts with. */
  isComplete: z.boolean(),
  /** The last day whose files banks and payroll providers have delivered, `YYYY-MM-DD`. */
  deliveredUpTo: z.string(),
});

export type DemoState = Readonly<z.infer<typeof content>>;

export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Returns the state of the demo; undefined if there is no demo yet. */
export async function readDemoState(dataDir: string): Promise<DemoState | undefined> {
  const text = await readIfPresent(demoFile(dataDir));
  return text === undefined ? undefined : content.parse(JSON.parse(text));
}

export function writeDemoState(dataDir: string, state: DemoState): Promise<void> {
  return writePrivate(demoFile(dataDir), `${JSON.stringify(state, null, 2)}\n`);
}
