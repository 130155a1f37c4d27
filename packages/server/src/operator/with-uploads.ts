import type { Config } from '../config.js';
import type { IngestParts } from '../files/ingest/read-upload.js';
import type { OperatorContext } from './operator-context.js';

/** Does some work with the database and the storage of the deployment, as workers read uploads. */
export function withIngest<Result>(
  context: OperatorContext,
  work: (parts: IngestParts) => Promise<Result>,
): Promise<Result> {
  return context.withDatabase(async (knex) => {
    // The client of the storage takes long to load: only these commands need it.
    const { openStorage } = await import('../storage/open-storage.js');
    const { createFileMandates } = await import('../mandates/file-mandates.js');
    const { createLogger } = await import('../logger.js');
    const now = () => new Date();
    const logger = createLogger('silent');
    const storage = await openStorage(atAnyPort(context.readConfig()), { logger, now });
    try {
      return await work({ knex, storage, follower: createFileMandates(now), now });
    } finally {
      await storage.close();
    }
  });
}

/** An embedded storage that no service runs is run by the command, beside whatever has its port. */
function atAnyPort(config: Config): Config {
  const { storage } = config;
  return storage.kind === 'embedded' ? { ...config, storage: { ...storage, port: 0 } } : config;
}
