import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isRoot } from './unprivileged-account.js';

const schema = z.object({
  /** Where the cluster lies: in the data folder, or elsewhere where that is closed to PostgreSQL. */
  dataPath: z.string(),
  host: z.string(),
  /** The port of the last start; kept where it is free. */
  port: z.number(),
  database: z.string(),
  user: z.string(),
  password: z.string(),
  /** Who uses the database now; the last of them to leave stops it. */
  users: z.array(z.object({ id: z.string(), pid: z.number(), startMark: z.string() })),
});

/** What a data folder remembers of its database, in `embedded-postgres.json`. */
export type DatabaseRecord = Readonly<z.infer<typeof schema>>;

function fileOf(dataDir: string): string {
  return join(dataDir, 'embedded-postgres.json');
}

/** The record of a data folder; undefined where it has none yet. */
export function readRecord(dataDir: string): DatabaseRecord | undefined {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return undefined;
  const record = schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  // A database inside the data folder moves with it.
  const inside = join(dataDir, 'postgres');
  return existsSync(inside) ? { ...record, dataPath: inside } : record;
}

/** Writes the record, readable only for the owner of the data folder, replaced as a whole. */
export async function writeRecord(dataDir: string, record: DatabaseRecord): Promise<void> {
  const unfinished = join(dataDir, `.embedded-postgres-${randomUUID()}.json`);
  try {
    await writeFile(unfinished, `${JSON.stringify(record, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    await giveToOwnerOfFolder(unfinished);
    await rename(unfinished, fileOf(dataDir));
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Lets root work in a folder of someone else without locking them out of their own files. */
export async function giveToOwnerOfFolder(file: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(dirname(file));
  await chown(file, uid, gid);
}
