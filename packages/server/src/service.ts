import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createConcurrencyLimit } from './api/concurrency-limit.js';
import { createAnswerOnce } from './api/idempotent-calls.js';
import { createSharedRateLimit } from './api/shared-rate-limit.js';
import { createAuditHandlers } from './audit/handlers.js';
import { createReadTrail, type ReadTrail } from './audit/read-trail.js';
import type { ServiceConfig } from './config.js';
import { createContinuityHandlers } from './continuity/handlers.js';
import { createCustomerLinkStore } from './customers/customer-link-store.js';
import { createCustomerStore } from './customers/customer-store.js';
import { createCustomerHandlers } from './customers/handlers.js';
import { createFileStore } from './files/file-store.js';
import { createFileHandlers } from './files/handlers.js';
import { createFilePrinter, type FilePrinter } from './files/print-files.js';
import { createApp } from './http/app.js';
import { RATE_LIMIT_SECONDS } from './http/call-limits.js';
import { createHttpServer, listen } from './http/http-server.js';
import { createApiKeyStore } from './identity/api-keys.js';
import { createAuthenticator } from './identity/authenticator.js';
import { createIdentityHandlers } from './identity/handlers.js';
import { createAccountStore } from './identity/providers/bound-accounts.js';
import type { IdentityProvider } from './identity/providers/identity-provider.js';
import { openProvider } from './identity/providers/open-provider.js';
import { createRefreshTokenStore } from './identity/refresh-tokens.js';
import { createTokenService } from './identity/tokens.js';
import { createUserStore, type UserStore } from './identity/users.js';
import { watchForWorkers } from './jobs/watch-for-workers.js';
import { createLogger } from './logger.js';
import { createCustomerMandates } from './mandates/customer-mandates.js';
import { createMandateHandlers } from './mandates/handlers.js';
import { createMandateStore } from './mandates/mandate-store.js';
import { createSigningPage } from './mandates/signing/page/router.js';
import { signingPath } from './mandates/signing/signing-urls.js';
import { openResources, type Resources } from './open-resources.js';
import { createReferenceHandlers } from './reference/handlers.js';
import { createReferenceStore } from './reference/reference-store.js';
import type { StopSignal } from './stop-requested.js';
import type { Storage } from './storage/open-storage.js';
import { createUploadHandlers } from './uploads/handlers.js';
import { createUploadGrants } from './uploads/upload-grants.js';
import { createVisibleUploads } from './uploads/visible-uploads.js';
import { createUsageCounter, type UsageCounter } from './usage/usage-counter.js';
import { openMetrics, type RunningJobs, startJobs } from './worker.js';

/** The name of the connections of a service in `pg_stat_activity`. */
const applicationName = 'adx-server serve';

export interface ServiceOptions {
  readonly logger?: Logger;
  readonly now?: () => Date;
  /** How long an accepted credential is cached, in seconds. */
  readonly authenticationCacheSeconds?: number;
  /** How long a call waits for its turn, in ms. */
  readonly turnWaitMs?: number;
  /** The time between two writes of the counts of calls, in ms. */
  readonly usageWriteMs?: number;
  /** Returns the listener of the HTTP server, which may handle requests before the application. */
  readonly inFront?: (app: RequestListener) => RequestListener;
}

export interface RunningService {
  /** The address at which it listens, without `/v1`. */
  readonly url: string;
  readonly knex: Knex;
  readonly storage: Storage;
  /** The port of the metrics; undefined if there are none. */
  readonly metricsPort: number | undefined;
  /**
   * Waits for running requests and jobs, then closes everything.
   *
   * @param signal - the one that asked for it, for the log
   */
  close(signal?: StopSignal): Promise<void>;
}

/**
 * Starts the service: database, storage, handlers, HTTP and, if configured, jobs.
 *
 * @throws Error if the port or address cannot be used, the database cannot be reached or migrations
 *   are pending
 */
export async function startService(
  config: ServiceConfig,
  options: ServiceOptions = {},
): Promise<RunningService> {
  const { logger = createLogger(config.logLevel), now = () => new Date() } = options;
  warnOfUntrustedProxy(config, logger);
  const resources = await openResources(config, logger, applicationName);
  const { knex } = resources.database;
  const usage = createUsageCounter({
    knex,
    logger,
    now,
    ...(options.usageWriteMs !== undefined && { everyMs: options.usageWriteMs }),
  });
  const trail = createReadTrail({ knex, logger, nodes: resources.nodes });
  try {
    const printer = createFilePrinter({ knex, storage: resources.storage, logger });
    return await serve(config, { ...options, ...resources, printer, usage, trail, logger, now });
  } catch (error) {
    await usage.stop();
    await trail.stop();
    await resources.close();
    throw error;
  }
}

type ServiceParts = Resources &
  ServiceOptions &
  Required<Pick<ServiceOptions, 'logger' | 'now'>> & {
    readonly printer: FilePrinter;
    readonly usage: UsageCounter;
    readonly trail: ReadTrail;
  };

async function serve(config: ServiceConfig, parts: ServiceParts): Promise<RunningService> {
  const users = createUserStore(parts.database.knex, parts.now);
  const provider = await openProvider(
    config.identityProvider,
    users,
    createAccountStore(parts.database.knex),
  );
  let isStopping = false;
  const readiness = async () => {
    const current = await parts.readiness();
    return isStopping ? { ...current, status: 'stopping' as const } : current;
  };
  const { listener, ...classes } = createServiceApp(
    config,
    { ...parts, readiness },
    users,
    provider,
  );
  const { server, stop } = createHttpServer(parts.inFront?.(listener) ?? listener, {
    ...classes,
    logger: parts.logger,
    drainMs: config.drainSeconds * 1000,
  });
  const metrics = await openMetrics(config, parts, parts);
  const end = async (error: unknown) => {
    isStopping = true;
    metrics?.close();
    await stop();
    throw error;
  };
  // After listening, so that a process whose port is in use runs no jobs.
  await listen(server, config).catch(end);
  const jobs = await startOrWatchJobs(config, parts).catch(end);
  return {
    url: urlOf(server, config),
    knex: parts.database.knex,
    storage: parts.storage,
    metricsPort: metrics?.port,
    async close(signal) {
      isStopping = true;
      parts.logger.info({ signal, drainSeconds: config.drainSeconds }, 'stopping');
      await Promise.all([stop(), jobs.stop()]);
      await parts.usage.stop();
      await parts.trail.stop();
      metrics?.close();
      await parts.close();
      parts.logger.info('stopped');
    },
  };
}

/**
 * Warns if no proxy is trusted although there must be one, because the service itself has no TLS.
 */
function warnOfUntrustedProxy({ publicUrl, trustedProxies }: ServiceConfig, logger: Logger): void {
  if (!publicUrl.startsWith('https:') || trustedProxies !== undefined) return;
  logger.warn(
    'TRUST_PROXY is not set: signatures record the IP address of the proxy, and all signers share one limit on unknown links',
  );
}

/** Starts running jobs, or watches that other processes do. */
async function startOrWatchJobs(
  config: ServiceConfig,
  { database, nodes, storage, printer, metrics, logger, now }: ServiceParts,
): Promise<RunningJobs> {
  const { jobs } = config;
  if (jobs !== undefined) {
    return startJobs({
      database,
      nodes,
      storage,
      printer,
      metrics,
      logger,
      now,
      applicationName,
      config: { ...config, jobs },
    });
  }
  logger.info('this process runs no jobs: uploads and messages need `adx-server worker`');
  return watchForWorkers({ knex: database.knex, logger });
}

function createServiceApp(
  config: ServiceConfig,
  {
    database: { knex },
    nodes,
    readsOf,
    storage,
    printer,
    metrics,
    readiness,
    usage,
    trail,
    logger,
    now,
    ...options
  }: ServiceParts,
  users: UserStore,
  provider: IdentityProvider,
) {
  const { authenticationCacheSeconds, turnWaitMs } = options;
  const turns = {
    places: config.concurrentCalls,
    ...(turnWaitMs !== undefined && { waitMs: turnWaitMs }),
  };
  const mandates = createCustomerMandates(now, config.unsignedLinks);
  const answerOnce = createAnswerOnce(knex);
  const { publicUrl, signingKeySecret } = config;
  const tokens = createTokenService({ knex, issuer: publicUrl, signingKeySecret, now });
  const maximumAsked = Math.ceil(config.databasePoolSize / 2);
  const refreshTokens = createRefreshTokenStore(knex, now, maximumAsked);
  const authenticator = createAuthenticator({
    apiKeys: createApiKeyStore(knex, now),
    tokens,
    users,
    now,
    ...(authenticationCacheSeconds !== undefined && { cacheSeconds: authenticationCacheSeconds }),
  });
  return createApp({
    settings: config,
    logger,
    metrics,
    authenticator,
    handlers: {
      ...createIdentityHandlers({ provider, users, refreshTokens, tokens }),
      ...createCustomerHandlers(
        createCustomerStore(knex, mandates, readsOf),
        createCustomerLinkStore(knex, mandates),
        answerOnce,
      ),
      ...createMandateHandlers(createMandateStore(knex, now, readsOf), answerOnce),
      ...createReferenceHandlers(createReferenceStore(knex)),
      ...createFileHandlers(
        createFileStore({
          knex,
          readsOf,
          presign: storage.presign,
          printFiles: printer.printFiles,
          now,
        }),
      ),
      ...createAuditHandlers(readsOf),
      ...createContinuityHandlers(readsOf, now),
      ...createUploadHandlers(
        createUploadGrants({ knex, ...storage, now }),
        createVisibleUploads(knex, readsOf),
      ),
    },
    jwks: () => tokens.jwks(),
    signingPage: {
      path: signingPath,
      router: createSigningPage({ knex, publicUrl, trail, check: nodes.require, now }),
    },
    readiness,
    rateLimit: createSharedRateLimit({
      knex,
      limit: config.rateLimitPerMinute,
      windowSeconds: RATE_LIMIT_SECONDS,
    }),
    turnOfFirm: createConcurrencyLimit({ ...turns, check: nodes.require }),
    // Our own hash of a password needs a core, and another provider only has to be waited for.
    turnOfSignIn: createConcurrencyLimit({
      ...turns,
      places: config.identityProvider.kind === 'built-in' ? 1 : maximumAsked,
    }),
    usage,
    trail,
  });
}

function urlOf(server: Server, { host }: ServiceConfig): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
