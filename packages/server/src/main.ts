import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { createCustomerLinkStore } from './customers/customer-link-store.js';
import { createCustomerStore } from './customers/customer-store.js';
import { createCustomerHandlers } from './customers/handlers.js';
import { type OpenDatabase, openDatabase } from './db/open-database.js';
import { createHttpServer } from './http/http-server.js';
import { createApiKeyStore } from './identity/api-keys.js';
import { createAuthenticator } from './identity/authenticator.js';
import { createIdentityHandlers } from './identity/handlers.js';
import { createRefreshTokenStore } from './identity/refresh-tokens.js';
import { createTokenService } from './identity/tokens.js';
import { createUserStore } from './identity/users.js';
import { watchForWorkers } from './jobs/watch-for-workers.js';
import { createLogger } from './logger.js';
import { createCustomerMandates } from './mandates/customer-mandates.js';
import { createMandateHandlers } from './mandates/handlers.js';
import { createMandateStore } from './mandates/mandate-store.js';
import { createSigningPage, signingPath } from './mandates/signing-page/router.js';
import { createReferenceHandlers } from './reference/handlers.js';
import { createReferenceStore } from './reference/reference-store.js';
import { type RunningJobs, startJobs } from './start-jobs.js';

export interface ServiceOptions {
  readonly logger?: Logger;
  readonly now?: () => Date;
  /** How long a credential that was just checked is trusted, in seconds. */
  readonly authenticationCacheSeconds?: number;
}

/** A service that answers. */
export interface RunningService {
  /** Where it listens, without `/v1`. */
  readonly url: string;
  readonly knex: Knex;
  /** Ends what is under way, then everything the service started. */
  close(): Promise<void>;
}

/**
 * Starts the service: database, handlers, HTTP.
 *
 * @throws Error when the port is taken, the database cannot be reached or its schema is not current
 */
export async function startService(
  config: Config,
  options: ServiceOptions = {},
): Promise<RunningService> {
  const { logger = createLogger(config.logLevel), now = () => new Date() } = options;
  warnOfUnnamedProxy(config, logger);
  const database = await openDatabase(config);
  try {
    const { server, stop } = createHttpServer(
      await createServiceApp(config, database.knex, logger, now, options),
    );
    const jobs = await startOwnJobs(config, database, logger, now);
    try {
      await listen(server, config);
    } catch (error) {
      await jobs.stop();
      throw error;
    }
    return {
      url: urlOf(server, config),
      knex: database.knex,
      async close() {
        await stop();
        await jobs.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The service itself speaks no TLS: where people reach it by `https`, a proxy stands before it. */
function warnOfUnnamedProxy({ publicUrl, trustedProxies }: Config, logger: Logger): void {
  if (!publicUrl.startsWith('https:') || trustedProxies !== undefined) return;
  logger.warn(
    'TRUST_PROXY is not set: of everyone who signs the address of the proxy is recorded, and all share its limit of unknown links',
  );
}

async function startOwnJobs(
  config: Config,
  database: OpenDatabase,
  logger: Logger,
  now: () => Date,
): Promise<RunningJobs> {
  const { jobsConcurrency: concurrency } = config;
  if (concurrency > 0) return startJobs({ config, database, logger, now, concurrency });
  logger.info('jobs, such as sending messages, are left to `adx-server worker`');
  return watchForWorkers({ knex: database.knex, logger });
}

async function createServiceApp(
  config: Config,
  knex: Knex,
  logger: Logger,
  now: () => Date,
  { authenticationCacheSeconds }: ServiceOptions,
) {
  const mandates = createCustomerMandates(now);
  const users = createUserStore(knex, now);
  const tokens = await createTokenService({ knex, issuer: config.publicUrl, now });
  const refreshTokens = createRefreshTokenStore(knex, now);
  const authenticator = createAuthenticator({
    apiKeys: createApiKeyStore(knex, now),
    tokens,
    users,
    now,
    ...(authenticationCacheSeconds !== undefined && { cacheSeconds: authenticationCacheSeconds }),
  });
  return createApp({
    config,
    logger,
    authenticator,
    handlers: {
      ...createIdentityHandlers({ users, refreshTokens, tokens }),
      ...createCustomerHandlers(
        createCustomerStore(knex, mandates),
        createCustomerLinkStore(knex, mandates),
      ),
      ...createMandateHandlers(createMandateStore(knex, now)),
      ...createReferenceHandlers(createReferenceStore(knex)),
    },
    jwks: () => tokens.jwks(),
    signingPage: {
      path: signingPath,
      router: createSigningPage({ knex, publicUrl: config.publicUrl, now }),
    },
    checkReadiness: async () => {
      await knex.raw('select 1');
    },
  });
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, { host }: Config): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
