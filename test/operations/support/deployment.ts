import { type Client, createClient } from '@adx/client';
import { type Scope, scopes } from '@adx/contract';
import {
  createApiKeyStore,
  createFirmStore,
  createUserStore,
  loadConfig,
  startService,
} from '@adx/server';
import { expect } from 'vitest';
import {
  type Settings,
  startAdxServer,
} from '../../../packages/server/test/operator/adx-server.js';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../packages/server/test/support/database.js';
import { createTestKnex } from '../../../packages/server/test/support/knex-for-file.js';
import { processSettings } from '../../../packages/server/test/support/process-settings.js';
import { createdFirm, quickPasswordHash } from '../../../packages/server/test/support/users.js';
import { useStarted } from '../../support/use-service.js';
import { validatingFetch } from '../../support/validating-fetch.js';
import { type RunningProgram, untilReady } from './running-program.js';

export interface ServiceProcess extends RunningProgram {
  /** The URL without `/v1`. */
  readonly url: string;
}

interface ProcessCall {
  readonly method?: string;
  readonly idToken?: string | undefined;
  readonly apiKey?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface DeployedUser {
  readonly firmId: string;
  client(process: Pick<ServiceProcess, 'url'>): Client;
}

/** A database with one user and one API key, and the processes that serve it. */
export interface Deployment {
  readonly databaseUrl: string;
  readonly knex: ReturnType<typeof createTestKnex>;
  readonly firmId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  /** The settings of its processes. */
  readonly settings: Settings;
  start(settings?: Settings): Promise<ServiceProcess>;
  startWorker(settings?: Settings): Promise<RunningProgram>;
  /** Starts a service in this process, which takes a tenth of the CPU time and does not log. */
  startHere(settings?: Settings): Promise<Pick<ServiceProcess, 'url'>>;
  /** Creates a firm with one user, who calls the interface through the client. */
  createUser(): Promise<DeployedUser>;
  /** Calls a path below `/v1`; the response is validated against the spec. */
  call(process: Pick<ServiceProcess, 'url'>, path: string, call?: ProcessCall): Promise<Response>;
  signIn(process: Pick<ServiceProcess, 'url'>): Promise<{ idToken: string; refreshToken: string }>;
  close(): Promise<void>;
}

export const useDeployment = (): Deployment =>
  useStarted(
    () => createDeployment(),
    (deployment) => deployment.close(),
  );

/** @param given - the database; by default a new one on the server of all tests */
export async function createDeployment(given?: TestDatabase): Promise<Deployment> {
  const database = given ?? (await createTestDatabase());
  const knex = createTestKnex(database.url, { poolSize: 4 });
  const username = 'els.maes@kantoor.example';
  const password = 'Zeer-Geheim-Wachtwoord-2026';
  const passwordHash = await quickPasswordHash(password);
  let users = 0;
  const createUser = async (name: string) => {
    const firm = { name: `Kantoor ${users++}`, codbUpload: false };
    const { id } = createdFirm(await createFirmStore(knex).create(firm));
    const user = { username: name, passwordHash, accessLevel: 'administrator' } as const;
    await createUserStore(knex).create({ ...user, firmId: id, customers: 'all' });
    return id;
  };
  const firmId = await createUser(username);
  const { id: apiKeyId, key: apiKey } = await createApiKeyStore(knex).issue({
    partner: 'Tests',
    scopes: Object.keys(scopes) as Scope[],
  });
  const started: RunningProgram[] = [];
  const startedHere: Awaited<ReturnType<typeof startService>>[] = [];
  const base = {
    ...(await processSettings(database.url)),
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Nobody signs for most customers of a long proof (D-66).
    UNSIGNED_LINKS_PER_FIRM: '1000000',
  };

  const deployment: Deployment = {
    databaseUrl: database.url,
    knex,
    firmId,
    apiKeyId,
    apiKey,
    username,
    password,
    settings: base,
    async start(settings = {}) {
      const child = startAdxServer(['serve'], { ...base, LOG_LEVEL: 'warn', ...settings });
      const program = await untilReady(child, /listens on (\S+)\/v1"/);
      started.push(program);
      return { ...program, url: program.found };
    },
    async startWorker(settings = {}) {
      const child = startAdxServer(['worker'], { ...base, LOG_LEVEL: 'info', ...settings });
      const program = await untilReady(child, /worker .* is running/);
      started.push(program);
      return program;
    },
    async startHere(settings = {}) {
      const config = loadConfig({ ...base, LOG_LEVEL: 'silent', ...settings }, 'service');
      const service = await startService(config);
      startedHere.push(service);
      return service;
    },
    async createUser() {
      const name = `user${users}@kantoor.example`;
      const id = await createUser(name);
      const user = { apiKey, username: name, password, fetch: validatingFetch, maxRetries: 0 };
      return {
        firmId: id,
        client: ({ url }) => createClient({ baseUrl: `${url}/v1`, ...user }),
      };
    },
    call({ url }, path, { method = 'GET', idToken, body, apiKey: key = apiKey, ...call } = {}) {
      return validatingFetch(`${url}/v1${path}`, {
        method,
        headers: {
          'x-api-key': key,
          ...(idToken !== undefined && { authorization: `Bearer ${idToken}` }),
          ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
    async signIn(process) {
      const encoded = Buffer.from(password).toString('base64');
      const body = { username, password: encoded };
      const response = await deployment.call(process, '/token', { method: 'POST', body });
      expect(response.status).toBe(200);
      return (await response.json()) as { idToken: string; refreshToken: string };
    },
    async close() {
      for (const process of started) process.kill('SIGKILL');
      await Promise.all(started.map(({ exited }) => exited));
      for (const service of startedHere) await service.close();
      await knex.destroy();
      await database.release();
    },
  };
  return deployment;
}
