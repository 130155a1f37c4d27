import { join } from 'node:path';
import type { Config } from '../config.js';
import { openDatabase } from '../db/open-database.js';
import { createLogger } from '../logger.js';
import { type RunningService, startService } from '../main.js';
import { OperatorFailure } from '../operator-failure.js';
import { createDeliveries } from './deliveries/deliveries.js';
import { runDeliveries } from './deliveries/run-deliveries.js';
import { demoBanner } from './demo-banner.js';
import { type DemoCredentials, demoCredentialsPath } from './demo-credentials.js';
import { prepareDemo } from './prepare-demo.js';
import { startSimulator } from './simulator.js';

export interface DemoOptions {
  /** How far back the statements go; two months unless told. */
  readonly days?: number;
}

/** A service with demo data, whose mandates move and files arrive by themselves. */
export interface RunningDemo {
  /** What to print for who tries it out. */
  readonly banner: string;
  close(): Promise<void>;
}

/**
 * Fills the embedded database where it is empty, and starts the service over it, with those who
 * sign, answer and send files.
 *
 * @throws OperatorFailure when the database holds firms of one's own, or the storage is one's own
 */
export async function startDemo(config: Config, options: DemoOptions = {}): Promise<RunningDemo> {
  if (config.storage.kind !== 'embedded') {
    throw new OperatorFailure(
      '--demo never writes to a storage of your own: unset S3_…, or start without --demo.',
    );
  }
  const { service, credentials } = await startPrepared(config);
  const { knex, storage } = service;
  const logger = createLogger(config.logLevel);
  const now = () => new Date();
  const deliveries = await createDeliveries({ ...options, knex, storage, now }).catch(
    async (error) => {
      await service.close();
      throw error;
    },
  );
  const delivering = runDeliveries(deliveries, { logger });
  const simulator = startSimulator({
    ...{ knex, logger, now },
    random: Math.random,
    deliverFile: deliveries.deliver,
  });
  const { dataDir, smtpUrl } = config;
  return {
    banner: demoBanner(service.url, credentials, {
      credentials: demoCredentialsPath(dataDir),
      mail: smtpUrl === undefined ? join(dataDir, 'mail') : 'through SMTP_URL',
    }),
    async close() {
      // Together: where the database is silent, closing it is what ends the move under way.
      await Promise.all([delivering.stop(), simulator.stop(), service.close()]);
    },
  };
}

async function startPrepared(
  config: Config,
): Promise<{ service: RunningService; credentials: DemoCredentials }> {
  // Open until the service has opened it too, so that an embedded one is started once.
  const database = await openDatabase(config);
  try {
    const credentials = await prepareDemo(database.knex, config.dataDir);
    return { credentials, service: await startService(config) };
  } finally {
    await database.close();
  }
}
