import { type Client, createClient } from '@adx/client';
import { scopes as allScopes, type Scope } from '@adx/contract';
import {
  createApiKeyStore,
  createFirmStore,
  createUserStore,
  loadConfig,
  type Storage,
  startService,
} from '@adx/server';
import type { Logger } from 'pino';
import { createTestDatabase } from '../../packages/server/test/support/database.js';
import { createTestKnex } from '../../packages/server/test/support/knex-for-file.js';
import { processSettings } from '../../packages/server/test/support/process-settings.js';
import type { Partitioned } from '../../packages/server/test/support/template-database.js';
import {
  createdFirm,
  createdUser,
  quickPasswordHash,
} from '../../packages/server/test/support/users.js';
import { validatingFetch } from './validating-fetch.js';

/** A user, with the credentials to sign in. */
export interface TestUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}

export interface NewTestUser {
  readonly firmId: string;
  readonly access?: 'administrator' | 'user' | 'portalOnly';
  readonly customers?: 'all' | readonly string[];
}

/** A call without the client, because the client would refuse some of them. */
interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
}

/** The whole service over real HTTP and PostgreSQL, with its own database. */
export interface TestService {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Queries its database, for data that no operation shows. */
  readonly knex: ReturnType<typeof createTestKnex>;
  /** The port of its metrics, if the settings have one. */
  readonly metricsPort: number | undefined;
  readonly storage: Storage;
  createFirm(name?: string, firm?: { readonly codbUpload: boolean }): Promise<string>;
  createUser(user: NewTestUser): Promise<TestUser>;
  /** Issues an API key, by default with all scopes. */
  issueApiKey(scopes?: readonly Scope[]): Promise<{ id: string; key: string }>;
  /** Returns the generated client, signed in. It validates each response against the spec. */
  client(user: TestUser, apiKey?: string): Promise<Client>;
  idToken(user: TestUser): Promise<string>;
  /** Calls a path below `/v1`, and validates the response against the spec. */
  raw(path: string, call?: RawCall): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly partitions?: Partitioned;
  readonly now?: () => Date;
  /** The time for which the service caches a checked credential, in seconds. */
  readonly authenticationCacheSeconds?: number;
  /** How long a call waits for its turn, in ms. */
  readonly turnWaitMs?: number;
  /** The time between two writes of the counts of calls, in ms. */
  readonly usageWriteMs?: number;
  /** The logger; by default, the log is printed. */
  readonly logger?: Logger;
}

let names = 0;
/** Returns a number that no other user or firm of this test file has. */
const unique = () => {
  names += 1;
  return names;
};

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { settings = {}, now, authenticationCacheSeconds = 0, turnWaitMs, usageWriteMs } = options;
  const { logger, partitions } = options;
  const database = await createTestDatabase({ ...(partitions && { partitions }) });
  const service = await startService(
    loadConfig(
      {
        ...(await processSettings(database.url)),
        RATE_LIMIT_PER_MINUTE: '1000000',
        // Nobody signs for most customers of a long proof (D-66).
        UNSIGNED_LINKS_PER_FIRM: '1000000',
        ...settings,
      },
      'service',
    ),
    {
      authenticationCacheSeconds,
      ...(now && { now }),
      ...(turnWaitMs && { turnWaitMs }),
      ...(usageWriteMs && { usageWriteMs }),
      ...(logger && { logger }),
    },
  );
  const knex = createTestKnex(database.url, { poolSize: 4 });
  const apiKeys = createApiKeyStore(knex);
  const firms = createFirmStore(knex);
  const users = createUserStore(knex);
  const baseUrl = `${service.url}/v1`;
  const { key: fullKey } = await apiKeys.issue({
    partner: 'Tests',
    scopes: Object.keys(allScopes) as Scope[],
  });

  const raw = (path: string, { method = 'GET', headers = {}, body }: RawCall = {}) =>
    validatingFetch(`${baseUrl}${path}`, { method, headers, ...(body !== undefined && { body }) });

  return {
    baseUrl,
    knex,
    metricsPort: service.metricsPort,
    storage: service.storage,
    async createFirm(name = `Kantoor ${unique()}`, { codbUpload } = { codbUpload: false }) {
      return createdFirm(await firms.create({ name, codbUpload })).id;
    },
    async createUser({ firmId, access = 'administrator', customers = 'all' }) {
      const username = `user${unique()}@kantoor.example`;
      const password = `Geheim-${unique()}-wachtwoord`;
      const passwordHash = await quickPasswordHash(password);
      const created = await users.create({
        firmId,
        username,
        passwordHash,
        accessLevel: access,
        customers,
      });
      return { id: createdUser(created).id, username, password };
    },
    issueApiKey: (scopes = Object.keys(allScopes) as Scope[]) =>
      apiKeys.issue({ partner: 'Tests', scopes }),
    async client({ username, password }, apiKey = fullKey) {
      const fetch = validatingFetch;
      return createClient({ baseUrl, apiKey, username, password, fetch, maxRetries: 0 });
    },
    async idToken({ username, password }) {
      const response = await raw('/token', {
        method: 'POST',
        headers: { 'x-api-key': fullKey, 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: Buffer.from(password).toString('base64') }),
      });
      const { idToken } = (await response.json()) as { idToken: string };
      return idToken;
    },
    raw,
    async close() {
      await service.close();
      await knex.destroy();
      await database.release();
    },
  };
}
