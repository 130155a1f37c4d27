import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

/**
 * Starts an empty database that is gone when it stops, and fast because nothing in it has to last.
 * For tests, and for work that only needs a database to look at.
 */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-postgres-'));
  // The account that PostgreSQL runs under has to pass.
  await chmod(folder, 0o711);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durable: false });
    return {
      ...postgres,
      async stop() {
        await postgres.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
