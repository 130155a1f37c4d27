import { type Scope, scopes, type Tokens } from '@adx/contract';
import {
  createApiKeyStore,
  createFirmStore,
  createKnex,
  createUserStore,
  hashPassword,
} from '@adx/server';
import type { Knex } from 'knex';
import { completeRows } from '../../../packages/server/test/support/rows.js';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';
import { migrateTo } from '../../../packages/server/test/support/template-database.js';
import { createdFirm, createdUser } from '../../../packages/server/test/support/users.js';
import { seedCustomers } from '../seeds/seed-customers.js';
import { seedCodaFiles } from '../seeds/seed-files.js';
import { seedMandates } from '../seeds/seed-mandates.js';

export interface BenchDatabase {
  readonly url: string;
  readonly firmId: string;
  readonly userId: string;
  /** The password of the administrator, and its hash. Other users may have the same. */
  readonly password: string;
  readonly passwordHash: string;
  /** Adds this many CODA files to each customer of the firm in a range of numbers. */
  addCodaFiles(customers: readonly number[], filesOfEach: number): Promise<void>;
  /** Adds firms with `each` customers until there are `count` more customers. */
  addOtherFirms(count: number, each: number): Promise<void>;
  signIn(port: number, username?: string): Promise<Record<string, string>>;
  /** Signs in at a service. Returns a function that gets a new ID token with the refresh token. */
  startRefreshing(port: number): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

const administrator = 'bench@kantoor.example';

/**
 * Starts and fills a database. The firm's customers are numbered from 1.
 *
 * @param partitions - the number of partitions of its large tables; by default they have none
 */
export async function benchDatabase(
  customers: number,
  partitions?: number,
): Promise<BenchDatabase> {
  const postgres = await startSandboxPart('database');
  const url = postgres.settings['DATABASE_URL'] ?? '';
  const knex = createKnex(url, { poolSize: 2, statementTimeoutMs: 0 });
  await surviveCrashes(knex);
  await migrateTo(url, partitions === undefined ? undefined : { count: partitions });

  const password = 'een-lang-wachtwoord-voor-metingen';
  const firms = createFirmStore(knex);
  const passwordHash = await hashPassword(password);
  const { id: firmId } = createdFirm(await firms.create({ name: 'Kantoor', codbUpload: false }));
  const created = await createUserStore(knex).create({
    firmId,
    username: administrator,
    passwordHash,
    accessLevel: 'administrator',
    customers: 'all',
  });
  const { id: userId } = createdUser(created);
  const { key } = await createApiKeyStore(knex).issue({
    partner: 'Bench',
    scopes: Object.keys(scopes) as Scope[],
  });
  await seedCustomers(knex, firmId, 1, customers);
  await seedMandates(knex, 1, customers);
  await completeRows(knex);
  await knex.raw('analyze');

  async function getToken(port: number, body: object): Promise<Tokens> {
    const response = await fetch(`http://127.0.0.1:${port}/v1/token`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Tokens;
  }
  return {
    url,
    firmId,
    userId,
    password,
    passwordHash,
    addCodaFiles: (numbers, filesOfEach) => seedCodaFiles(knex, filesOfEach, numbers),
    async addOtherFirms(count, each) {
      for (let first = customers + 1; first <= customers + count; first += each) {
        const firm = createdFirm(
          await firms.create({ name: `Kantoor ${first}`, codbUpload: false }),
        );
        await seedCustomers(knex, firm.id, first, each);
        await seedMandates(knex, first, each);
      }
      await completeRows(knex);
      await knex.raw('analyze');
    },
    async signIn(port, username = administrator) {
      const { idToken } = await getToken(port, signInBody(username, password));
      return { 'x-api-key': key, Authorization: `Bearer ${idToken}` };
    },
    async startRefreshing(port) {
      const { refreshToken } = await getToken(port, signInBody(administrator, password));
      return async () => void (await getToken(port, { refreshToken }));
    },
    async drop() {
      await knex.destroy();
      await postgres.stop();
    },
  };
}

export function signInBody(username: string, password: string) {
  return { username, password: Buffer.from(password).toString('base64') };
}

/** Turns on safe settings, as in production; a temporary database of the sandbox has them off. */
export async function surviveCrashes(knex: Knex): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    await knex.raw(`alter system set ${setting} = on`);
  }
  await knex.raw('select pg_reload_conf()');
}
