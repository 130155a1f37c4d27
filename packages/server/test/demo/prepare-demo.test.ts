import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { createKnex } from '../../src/db/knex.js';
import { demoAdministrator } from '../../src/demo/demo-firms.js';
import { prepareDemo } from '../../src/demo/prepare-demo.js';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { createFirmStore } from '../../src/identity/firms.js';
import { hashPassword, verifyPassword } from '../../src/identity/passwords.js';
import type { Principal } from '../../src/identity/principal.js';
import { createUserStore } from '../../src/identity/users.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let knex: ReturnType<typeof createKnex>;
let dataDir: string;
beforeEach(async () => {
  database = await createTestDatabase();
  knex = createKnex(database.url, { poolSize: 2 });
  dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
});
afterEach(async () => {
  await knex.destroy();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const credentialsFile = () => join(dataDir, 'demo-credentials.json');

async function customersSeenBy(username: string) {
  const user = await createUserStore(knex).findCredentials(username);
  const access = await createUserStore(knex).findAccess(user?.id ?? '');
  if (user === undefined || access === undefined) throw new Error(`There is no ${username}`);
  const principal = { ...access, userId: user.id } as Principal;
  const customers = [];
  for await (const customer of createCustomerStore(knex, createCustomerMandates()).list(principal))
    customers.push(customer);
  return customers;
}

describe('demo: an empty database', () => {
  test('§5 rules 3 and 5: each user of the demo sees what the rules say', async () => {
    await prepareDemo(knex, dataDir);
    const all = await customersSeenBy(demoAdministrator);
    expect(all).toHaveLength(30);
    expect(all.filter(({ isConfidential }) => isConfidential)).toHaveLength(3);
    expect(await customersSeenBy('tom.janssens@kantoor-maes.example')).toHaveLength(27);
    expect(await customersSeenBy('nora.peeters@kantoor-maes.example')).toHaveLength(6);
    expect(await customersSeenBy('claire.lambot@fiduciaire-lambot.example')).toHaveLength(10);
  });

  test('§2.2 some accounts are served through a light connector, and every Belgian one has a bank', async () => {
    await prepareDemo(knex, dataDir);
    const accounts = (await customersSeenBy(demoAdministrator)).flatMap(
      (each) => each.bankAccounts,
    );
    expect(new Set(accounts.map(({ connectorId }) => connectorId))).toEqual(
      new Set([undefined, 1, 2]),
    );
    for (const { iban, bankName } of accounts) {
      if (iban.startsWith('BE')) expect(bankName).toEqual(expect.any(String));
    }
  });

  test('demo: the credentials work, and differ for every data folder', async () => {
    const credentials = await prepareDemo(knex, dataDir);
    expect(await createApiKeyStore(knex).verify(credentials.apiKey)).toMatchObject({
      partner: 'Demo partner',
    });
    for (const [username, password] of Object.entries(credentials.passwords)) {
      const user = await createUserStore(knex).findCredentials(username);
      expect(await verifyPassword(user?.passwordHash, password)).toBe(true);
    }
    const passwords = Object.values(credentials.passwords);
    expect(new Set(passwords).size).toBe(5);
  });
});

describe('demo: a later start', () => {
  test('demo: changes are kept, nothing is made twice, the credentials stay the same', async () => {
    const first = await prepareDemo(knex, dataDir);
    const [customer] = await customersSeenBy(demoAdministrator);
    await knex('customers').where({ id: customer?.id }).update({ name: 'Aangepast' });
    expect(await prepareDemo(knex, dataDir)).toEqual(first);
    const names = (await customersSeenBy(demoAdministrator)).map(({ name }) => name);
    expect(names).toHaveLength(30);
    expect(names).toContain('Aangepast');
    expect(await knex('api_keys')).toHaveLength(1);
    expect(await knex('users')).toHaveLength(5);
  });

  test('demo: with the file lost, new credentials are made and work', async () => {
    const first = await prepareDemo(knex, dataDir);
    rmSync(credentialsFile());
    const second = await prepareDemo(knex, dataDir);
    expect(second.apiKey).not.toBe(first.apiKey);
    const user = await createUserStore(knex).findCredentials(demoAdministrator);
    expect(
      await verifyPassword(user?.passwordHash, second.passwords[demoAdministrator] ?? ''),
    ).toBe(true);
  });

  test('demo: a revoked key is replaced, and a password that was changed is set again', async () => {
    const first = await prepareDemo(knex, dataDir);
    const [key] = await createApiKeyStore(knex).list();
    await createApiKeyStore(knex).revoke(key?.id ?? '');
    const user = await createUserStore(knex).findCredentials(demoAdministrator);
    await createUserStore(knex).update(user?.id ?? '', {
      passwordHash: await hashPassword('iets-heel-anders'),
    });
    const second = await prepareDemo(knex, dataDir);
    expect(await createApiKeyStore(knex).verify(second.apiKey)).toBeDefined();
    expect(second.passwords).toEqual(first.passwords);
    const changed = await createUserStore(knex).findCredentials(demoAdministrator);
    expect(
      await verifyPassword(changed?.passwordHash, first.passwords[demoAdministrator] ?? ''),
    ).toBe(true);
  });

  test('demo: the file is readable for its owner only, also where it was open before', async () => {
    await prepareDemo(knex, dataDir);
    chmodSync(credentialsFile(), 0o644);
    await prepareDemo(knex, dataDir);
    const { statSync } = await import('node:fs');
    expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600);
  });

  test('demo: a file that is not ours is left alone', async () => {
    await prepareDemo(knex, dataDir);
    writeFileSync(credentialsFile(), '{"apiKey":');
    await expect(prepareDemo(knex, dataDir)).rejects.toThrow(/does not hold demo credentials/);
    expect(readFileSync(credentialsFile(), 'utf8')).toBe('{"apiKey":');
  });
});

describe("demo: a database with firms of one's own", () => {
  test('demo: is refused, and nothing is written', async () => {
    await createFirmStore(knex).create({ name: 'Echt kantoor', codbUpload: false });
    await expect(prepareDemo(knex, dataDir)).rejects.toThrow(/holds firms of your own/);
    expect(await knex('users')).toEqual([]);
    expect(await knex('customers')).toEqual([]);
    expect(() => readFileSync(credentialsFile())).toThrow('ENOENT');
  });

  test('demo: a seeding that fails half-way leaves nothing behind', async () => {
    await knex('payroll_providers').where({ code: 'attentia' }).delete();
    await expect(prepareDemo(knex, dataDir)).rejects.toMatchObject({
      code: 'unknownPayrollProvider',
    });
    for (const table of ['firms', 'users', 'customers', 'bank_accounts']) {
      expect(await knex(table)).toEqual([]);
    }
  });
});
