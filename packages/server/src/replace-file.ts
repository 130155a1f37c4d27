import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file that only its owner may read, in place of one with the same path. It is replaced
 * atomically, and its content is on the disk before.
 */
export async function replaceFile(
  path: string,
  content: Parameters<typeof writeFile>[1],
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flush: true });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
