import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ServiceConfig } from './config.js';
import { createCustomerLinkStore } from './customers/customer-link-store.js';
import { createCustomerStore } from './customers/customer-store.js';
import { createCustomerHandlers } from './customers/handlers.js';
import { type OpenDatabase, openDatabase } from './db/open-database.js';
import { createFileStore } from './files/file-store.js';
import { createFileHandlers } from './files/handlers.js';
import { createApp } from './http/app.js';
import { createHttpServer } from './http/http-server.js';
import { createApiKeyStore } from './identity/api-keys.js';
import { createAuthenticator } from './identity/authenticator.js';
import { createFirmStore } from './identity/firms.js';
import { createIdentityHandlers } from './identity/handlers.js';
import { createRefreshTokenStore } from './identity/refresh-tokens.js';
import { createTokenService } from './identity/tokens.js';
import { createUserStore } from './identity/users.js';
import { watchForWorkers } from './jobs/watch-for-workers.js';
import { createLogger } from './logger.js';
import { createCustomerMandates } from './mandates/customer-mandates.js';
import { createMandateHandlers } from './mandates/handlers.js';
import { createMandateStore } from './mandates/search-mandates.js';
import { createSigningPage, signingPath } from './mandates/signing/page/router.js';
import { createReferenceHandlers } from './reference/handlers.js';
import { createReferenceStore } from './reference/reference-store.js';
import { openStorage, type Storage } from './storage/open-storage.js';
import { createUploadHandlers } from './uploads/handlers.js';
import { createUploadGrants } from './uploads/upload-grants.js';
import { type RunningJobs, startJobs } from './worker.js';

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
  readonly storage: Storage;
  /** Ends what is under way, then everything the service started. */
  close(): Promise<void>;
}

/**
 * Starts the service: database, storage, handlers, HTTP.
 *
 * @throws Error when a port is taken, the database cannot be reached or its schema is not current
 */
export async function startService(
  config: ServiceConfig,
  options: ServiceOptions = {},
): Promise<RunningService> {
  const { logger = createLogger(config.logLevel), now = () => new Date() } = options;
  warnOfUnnamedProxy(config, logger);
  const database = await openDatabase(config);
  try {
    const storage = await openStorage(config.storage, logger);
    try {
      return await serve(config, { database, storage, logger, now, options });
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What the service is made of, and closes when it ends. */
interface ServiceParts {
  readonly database: OpenDatabase;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly options: ServiceOptions;
}

async function serve(config: ServiceConfig, parts: ServiceParts): Promise<RunningService> {
  const { database, storage } = parts;
  const { server, stop } = createHttpServer(await createServiceApp(config, parts));
  // A process whose port is taken has to leave the jobs alone.
  await listen(server, config);
  const jobs = await startOwnJobs(config, parts).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: urlOf(server, config),
    knex: database.knex,
    storage,
    async close() {
      await stop();
      await jobs.stop();
      await storage.close();
      await database.close();
    },
  };
}

/** The service itself speaks no TLS: where people reach it by `https`, a proxy stands before it. */
function warnOfUnnamedProxy({ publicUrl, trustedProxies }: ServiceConfig, logger: Logger): void {
  if (!publicUrl.startsWith('https:') || trustedProxies !== undefined) return;
  logger.warn(
    'TRUST_PROXY is not set: signatures record the IP address of the proxy, and all signers share one limit of unknown links',
  );
}

async function startOwnJobs(
  config: ServiceConfig,
  { database, storage, logger, now }: ServiceParts,
): Promise<RunningJobs> {
  const { jobs } = config;
  if (jobs !== undefined) {
    return startJobs({ config: { ...config, jobs }, database, storage, logger, now });
  }
  logger.info(
    'jobs, such as reading uploads and sending messages, are left to `adx-server worker`',
  );
  return watchForWorkers({ knex: database.knex, logger });
}

async function createServiceApp(
  config: ServiceConfig,
  { database: { knex }, storage, logger, now, options }: ServiceParts,
) {
  const { authenticationCacheSeconds } = options;
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
      ...createFileHandlers(createFileStore(knex, storage.presign, now)),
      ...createUploadHandlers(
        createUploadGrants({
          knex,
          ...storage,
          findFirm: (id) => createFirmStore(knex).get(id),
          now,
        }),
      ),
    },
    jwks: () => tokens.jwks(),
    signingPage: {
      path: signingPath,
      router: createSigningPage({ knex, publicUrl: config.publicUrl, now }),
    },
    readinessChecks: [async () => knex.raw('select 1'), () => storage.check()],
  });
}

function listen(server: Server, { port, host }: ServiceConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server, { host }: ServiceConfig): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
