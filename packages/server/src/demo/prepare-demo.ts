import { scopes as allScopes, isScope } from '@adx/contract';
import type { Knex } from 'knex';
import { type ApiKeyStore, createApiKeyStore } from '../identity/api-keys.js';
import { createFirmStore } from '../identity/firms.js';
import { hashPassword, verifyPassword } from '../identity/passwords.js';
import { createUserStore } from '../identity/users.js';
import { generatePassword } from '../operator/new-password.js';
import { OperatorFailure } from '../operator-failure.js';
import {
  type DemoCredentials,
  readDemoCredentials,
  writeDemoCredentials,
} from './demo-credentials.js';
import { demoAdministrator, demoFirms } from './demo-firms.js';
import { seedDemo } from './seed-demo.js';

const demoUsernames = demoFirms.flatMap((firm) => firm.users.map((user) => user.username));

/**
 * Makes an embedded database the demo's: an empty one is filled, one that was filled before is left
 * as its users changed it, and the credentials of the data folder work in it afterwards.
 *
 * @throws OperatorFailure when the database holds other firms: demo customers would take enterprise
 *   numbers, which are unique in the service, and their credentials lie in a file
 */
export async function prepareDemo(knex: Knex, dataDir: string): Promise<DemoCredentials> {
  const isSeeded = (await createUserStore(knex).findCredentials(demoAdministrator)) !== undefined;
  if (!isSeeded && (await createFirmStore(knex).list()).length > 0) {
    throw new OperatorFailure(
      `The database in ${dataDir} holds firms of your own: start without --demo, or set ADX_DATA_DIR to another folder.`,
    );
  }
  const kept = await readDemoCredentials(dataDir);
  const passwords = Object.fromEntries(
    demoUsernames.map((username) => [username, kept?.passwords[username] ?? generatePassword()]),
  );
  if (isSeeded) await ensurePasswords(knex, passwords);
  else await seedDemo(knex, passwords);
  const credentials = { apiKey: await ensureApiKey(createApiKeyStore(knex), kept), passwords };
  await writeDemoCredentials(dataDir, credentials);
  return credentials;
}

/** The kept key while it is valid, else a new one with every scope. */
async function ensureApiKey(
  apiKeys: ApiKeyStore,
  kept: DemoCredentials | undefined,
): Promise<string> {
  if (kept !== undefined && (await apiKeys.verify(kept.apiKey)) !== undefined) return kept.apiKey;
  const scopes = Object.keys(allScopes).filter(isScope);
  return (await apiKeys.issue({ partner: 'Demo partner', scopes })).key;
}

/** Sets the passwords that are not those of the file: it was lost, or an operator changed one. */
async function ensurePasswords(knex: Knex, passwords: DemoCredentials['passwords']): Promise<void> {
  const users = createUserStore(knex);
  for (const [username, password] of Object.entries(passwords)) {
    const user = await users.findCredentials(username);
    if (user === undefined || (await verifyPassword(user.passwordHash, password))) continue;
    await users.update(user.id, { passwordHash: await hashPassword(password) });
  }
}
