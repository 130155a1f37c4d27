import { loadBanks, loadPayrollProviders } from '../load-reference-data.js';
import { audit } from '../schema/audit.js';
import { banks } from '../schema/banks.js';
import { customers } from '../schema/customers.js';
import { evidence } from '../schema/evidence.js';
import { files } from '../schema/files.js';
import { identity } from '../schema/identity.js';
import { jobs } from '../schema/jobs.js';
import { mandates } from '../schema/mandates.js';
import { uploads } from '../schema/uploads.js';
import type { Migration } from './migration.js';

/** Creates the schema of the first release, the job queue and the reference data (D-65). */
export const baseline: Migration = {
  name: '0001-baseline',
  // Each part after those that it refers to.
  sql: [identity, banks, customers, mandates, evidence, uploads, files, audit, jobs].join('\n'),
  async up(trx) {
    // Imported here, so that commands that do not migrate start without loading graphile-worker.
    const { installQueueSchema } = await import('../install-queue-schema.js');
    await installQueueSchema(trx);
    await loadBanks(trx);
    await loadPayrollProviders(trx);
  },
};
