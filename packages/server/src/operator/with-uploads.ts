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
    const storage = await openStorage(context.readConfig('files').storage, createLogger('silent'));
    try {
      return await work({ knex, storage, consents: createConsents(now), now });
    } finally {
      await storage.close();
    }
  });
}
