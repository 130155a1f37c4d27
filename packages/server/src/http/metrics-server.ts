import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { poolUse } from '../db/knex.js';
import { addDatabaseGauges, type DatabaseGauge } from '../telemetry/database-gauges.js';
import type { Readiness } from '../telemetry/readiness.js';
import { listen } from './http-server.js';

export interface MetricsAddress {
  readonly port: number;
  readonly host: string;
}

interface MetricsSources {
  readonly registry: Registry;
  readonly knex: Knex;
  /** The largest number of connections of `knex`. */
  readonly poolSize: number;
  readonly readiness: () => Promise<Readiness>;
  readonly gauges: readonly DatabaseGauge[];
  readonly logger: Logger;
}

export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** The time that a scrape waits, in ms: Prometheus waits ten seconds by default. */
const WAIT_MS = 4_000;

/**
 * Serves `GET /metrics` on a port of its own, without credentials, so that the address must be
 * reachable by Prometheus only.
 *
 * @throws Error if the port or address cannot be used
 */
export async function serveMetrics(
  address: MetricsAddress,
  sources: MetricsSources,
): Promise<MetricsServer> {
  const { registry, logger } = sources;
  collectDefaultMetrics({ register: registry });
  const update = addGauges(sources);
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      await update();
      const text = await registry.metrics();
      response.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
    } catch (error) {
      logger.error({ err: error }, 'a scrape of the metrics failed');
      response.writeHead(500).end();
    }
  });
  server.setTimeout(30_000);
  await listen(server, address, { port: 'METRICS_PORT', host: 'METRICS_HOST' });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Returns a function that brings the gauges up to date, and never rejects. Those whose source takes
 * too long are up to date at the next scrape.
 */
function addGauges(sources: MetricsSources): () => Promise<void> {
  const { registry, knex, poolSize, readiness, gauges } = sources;
  const registers = [registry];
  const up = new Gauge({
    name: 'adx_dependency_up',
    help: '1 if the database, the storage or all nodes of the cluster respond, or the replica is read',
    labelNames: ['dependency'],
    registers,
  });
  const connections = new Gauge({
    name: 'adx_database_connections',
    help: 'Connections of the pool: used, free, the largest number (max), and work that waits for one (waiting)',
    labelNames: ['state'],
    registers,
  });
  const readDatabase = addDatabaseGauges(registry, { knex, others: gauges });

  async function checkDependencies(): Promise<void> {
    const { checks } = await readiness();
    for (const [dependency, { status }] of Object.entries(checks)) {
      up.set({ dependency }, status === 'ok' ? 1 : 0);
    }
  }
  return async () => {
    for (const [state, count] of Object.entries({ ...poolUse(knex), max: poolSize })) {
      connections.set({ state }, count);
    }
    const ended = new AbortController();
    await Promise.race([
      Promise.all([checkDependencies(), readDatabase()]),
      pause(WAIT_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {}),
    ]);
    ended.abort();
  };
}
