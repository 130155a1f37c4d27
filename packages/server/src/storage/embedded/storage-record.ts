import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { giveToOwnerOfFolder } from '../../db/embedded/database-record.js';

const schema = z.object({
  /** The process that runs the storage; absent while none does. */
  runner: z.object({ pid: z.number(), startMark: z.string(), id: z.string() }).optional(),
  /** Where it listens, or did last: kept where it is free, as URLs that were given name it. */
  host: z.string(),
  port: z.number(),
});

/** What a data folder remembers of its storage, in `storage/running.json`. */
export type StorageRecord = Readonly<z.infer<typeof schema>>;

/** The record of a storage folder; undefined where there is none yet. */
export function readStorageRecord(folder: string): StorageRecord | undefined {
  const file = join(folder, 'running.json');
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** Writes the record, replaced as a whole. */
export async function writeStorageRecord(folder: string, record: StorageRecord): Promise<void> {
  const unfinished = join(folder, `.running-${randomUUID()}.json`);
  try {
    await writeFile(unfinished, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await giveToOwnerOfFolder(unfinished);
    await rename(unfinished, join(folder, 'running.json'));
  } finally {
    await rm(unfinished, { force: true });
  }
}
