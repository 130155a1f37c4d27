import type { Config } from '../config.js';
import type { UploadParts } from '../uploads/process-documents.js';
import type { OperatorContext } from './operator-context.js';

/** Runs work that needs the database and the storage of the deployment, as a worker has them. */
export function withUploads<Result>(
  context: OperatorContext,
  work: (parts: UploadParts) => Promise<Result>,
): Promise<Result> {
  return context.withDatabase(async (knex) => {
    // The storage client is slow to load, and few commands need it.
    const { openStorage } = await import('../storage/open-storage.js');
    const { createConsents } = await import('../mandates/consents.js');
    const { createLogger } = await import('../logger.js');
    const now = () => new Date();
    const logger = createLogger('silent');
    const storage = await openStorage(atAnyPort(context.readConfig()), { logger, now });
    try {
      return await work({ knex, storage, consents: createConsents(now), now });
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
