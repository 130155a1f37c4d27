import type { Logger } from 'pino';
import type { ProcessConfig, ServiceConfig } from './config.js';
import { closeSilent } from './db/knex.js';
import { type Nodes, oneServer, watchNodes } from './db/nodes.js';
import { checkDatabase, type OpenDatabase, openDatabase } from './db/open-database.js';
import { openReplica, type ReadsOf, readsFrom } from './replica/replica.js';
import { openStorage, type Storage } from './storage/open-storage.js';
import { createMetrics, type Metrics } from './telemetry/metrics.js';
import { createReadiness, type Readiness } from './telemetry/readiness.js';

/** The open database and object storage of a process, and what is known about its state. */
export interface Resources {
  readonly database: OpenDatabase;
  readonly nodes: Nodes;
  /** Reads lists that may be seconds old. */
  readonly readsOf: ReadsOf;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  close(): Promise<void>;
}

/** How long a statement may still take when a node has stopped responding, in ms. */
const SILENT_MS = 2_000;

/** Loads the SDK of OpenTelemetry, which a process without traces never does. */
const loadTraces = () => import('./tracing/start-traces.js');

/** @throws Error if the database cannot be reached or migrations are pending */
export async function openResources(
  config: ProcessConfig & Partial<Pick<ServiceConfig, 'databaseReadUrl'>>,
  logger: Logger,
  applicationName: string,
): Promise<Resources> {
  const stopTraces = config.traces && (await loadTraces()).startTraces(config.traces, logger);
  const isTraced = stopTraces !== undefined;
  const metrics = createMetrics();
  const { databasePoolSize: poolSize, databaseReadUrl: readUrl } = config;
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    databasePoolSize: poolSize,
    databaseReadUrl: readUrl,
    isTraced,
    applicationName,
    onConnectionFailure: metrics.countConnectionFailure,
  }).catch(async (error: unknown) => {
    await stopTraces?.();
    throw error;
  });
  try {
    const storage = await openStorage(config.storage, logger);
    const primary = database.knex;
    // Statements that wait for a node hold connections that other firms need.
    const onLost = () => void closeSilent(primary, SILENT_MS);
    const nodes = database.isDistributed
      ? watchNodes(database.url, { applicationName, onLost })
      : oneServer;
    if (database.isDistributed) metrics.showNodes(nodes.found);
    const { countListRead: onRead, setReplicaLag: onLag } = metrics;
    const replica =
      readUrl === undefined
        ? undefined
        : openReplica({
            ...{ primary, url: readUrl, poolSize, isTraced, applicationName, onRead, onLag },
          });
    const checks = {
      database: () => checkDatabase(primary),
      storage: () => storage.check(),
      ...(replica && { replica: replica.check }),
      ...(database.isDistributed && { cluster: async () => nodes.check() }),
    };
    return {
      database,
      nodes,
      readsOf: replica?.readsOf ?? readsFrom(primary),
      storage,
      metrics,
      readiness: createReadiness({ checks, logger }),
      async close() {
        await storage.close();
        await replica?.close();
        await nodes.close();
        await database.close();
        await stopTraces?.();
      },
    };
  } catch (error) {
    await database.close();
    await stopTraces?.();
    throw error;
  }
}
