import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { demoFirms } from '../../src/demo/demo-firms.js';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { createFirmStore } from '../../src/identity/firms.js';
import { hashPassword } from '../../src/identity/passwords.js';
import { createTokenService } from '../../src/identity/tokens.js';
import { accessLevels } from '../../src/identity/user.js';
import { createUserStore } from '../../src/identity/users.js';
import { startService } from '../../src/main.js';
import { createTestDatabase } from '../support/database.js';

const customers = demoFirms.flatMap((firm) => firm.customers);
const requests = customers.map(({ request }) => request);
const ibans = requests.flatMap(({ bankAccounts = [] }) => bankAccounts.map(({ iban }) => iban));

describe('demo: the customers', () => {
  test('§4.5 every demo customer is one that a partner could create', async () => {
    const database = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'adx-demo-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const service = await startService(
      loadConfig({
        PORT: '0',
        STORAGE_PORT: '0',
        ADX_DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        LOG_LEVEL: 'silent',
      }),
    );
    const { key } = await createApiKeyStore(service.knex).issue({
      partner: 'Demo partner',
      scopes: ['customers:write'],
    });
    const firm = await createFirmStore(service.knex).create({ name: 'Kantoor', codbUpload: false });
    const user = await createUserStore(service.knex).create({
      firmId: firm.id,
      username: 'els@kantoor.example',
      passwordHash: await hashPassword('paard-batterij'),
      accessLevel: 'user',
      customers: 'all',
    });
    const idToken = await createTokenService({
      knex: service.knex,
      issuer: loadConfig({ PORT: '0' }).publicUrl,
    }).issue(user);
    for (const request of requests) {
      const response = await fetch(`${service.url}/v1/customers/create`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          authorization: `Bearer ${idToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(request),
      });
      expect(response.status, `${request.name}: ${await response.text()}`).toBe(200);
    }
    await service.close();
    await database.drop();
  });

  test('D-16 no enterprise number and no IBAN is used twice', () => {
    expect(new Set(requests.map(({ enterpriseNumber }) => enterpriseNumber)).size).toBe(40);
    expect(new Set(ibans).size).toBe(ibans.length);
  });

  test("demo: nothing is anybody's: unissued enterprise numbers, made-up accounts, .example mail", () => {
    for (const { enterpriseNumber, contact } of requests) {
      expect(enterpriseNumber).toMatch(/^01/);
      expect(contact.email).toMatch(/^[a-z-]+@[a-z0-9-]+\.example$/);
    }
    // The foreign account is the example of the IBAN registry.
    const made = ibans.filter((iban) => iban !== 'NL91ABNA0417164300');
    for (const iban of made) expect(iban).toMatch(/^BE\d{2}\d{3}0000/);
  });

  test('demo: there is something to see for every rule', () => {
    const languages = new Set(requests.map(({ contact }) => contact.language));
    expect([...languages].sort()).toEqual(['de', 'fr', 'nl']);
    expect(customers.filter(({ isConfidential }) => isConfidential).length).toBeGreaterThan(2);
    expect(requests.some(({ bankAccounts = [] }) => bankAccounts.length > 1)).toBe(true);
    expect(requests.some(({ bankAccounts = [] }) => bankAccounts.length === 0)).toBe(true);
    expect(requests.some(({ payrollProviders = [] }) => payrollProviders.length > 1)).toBe(true);
  });
});

test('D-18 the first demo firm has a user of every access level, one with assigned customers only', () => {
  const users = demoFirms[0]?.users ?? [];
  expect(new Set(users.map(({ accessLevel }) => accessLevel))).toEqual(new Set(accessLevels));
  expect(users.some(({ seesCustomers }) => seesCustomers === 'assigned')).toBe(true);
  expect(demoFirms[0]?.customers.some(({ isAssigned }) => isAssigned)).toBe(true);
});

test('D-18 the second demo firm has an administrator of its own', () => {
  expect(demoFirms[1]?.users.map(({ accessLevel }) => accessLevel)).toEqual(['administrator']);
});
