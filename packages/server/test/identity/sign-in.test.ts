import { afterAll, describe, expect, test } from 'vitest';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { hashPassword } from '../../src/identity/passwords.js';
import { everyTextIn } from './every-text-in.js';
import { createIdentityDatabase, PASSWORD } from './identity-database.js';
import { base64, createTokenOperation, failed, otherPartner, tokensOf } from './token-operation.js';

const database = await createIdentityDatabase(afterAll);

const createOperation = (failures?: number) => createTokenOperation(database, failures);

describe('§4.1 get token', () => {
  test('§7 wrong user, wrong password, disabled user and plain-text password fail in the same way', async () => {
    const { signIn, logged } = createOperation();
    const user = await database.createUser();
    const disabled = await database.createUser();
    await database.users.disable(disabled.id);
    const answers = [
      await signIn('nobody@kantoor.example'),
      await signIn(user.username, base64('paard-batterij-niets')),
      await signIn(user.username, PASSWORD),
      await signIn(user.username, ''),
      await signIn(disabled.username),
    ];
    for (const answer of answers) expect(answer).toEqual(failed('Authentication failed'));
    const causes = [...logged().matchAll(/"cause":"([^"]+)"/g)].map(([, cause]) => cause);
    expect(causes).toEqual([
      'unknown user',
      'wrong password',
      'password not Base64-encoded',
      'password not Base64-encoded',
      'user is disabled',
    ]);
  });

  test('§4.1 a plain-text password that happens to be Base64 fails as a wrong password', async () => {
    const password = 'PaardBatterijNietje1';
    const user = await database.createUser({ passwordHash: await hashPassword(password) });
    const { signIn } = createOperation();
    expect(await signIn(user.username, password)).toEqual(failed('Authentication failed'));
    expect((await signIn(user.username, base64(password))).status).toBe(200);
  });

  test('D-20 an unknown user takes as much processor time as a wrong password', async () => {
    const user = await database.createUser();
    const { signIn } = createOperation(1000);
    const wrong = base64('paard-batterij-niets');
    const unknownUser = await processorTime(() => signIn('nobody@kantoor.example', wrong));
    const wrongPassword = await processorTime(() => signIn(user.username, wrong));
    // Without the decoy the ratio is below 0.2. Processor time hardly depends on other load.
    expect(unknownUser / wrongPassword).toBeGreaterThan(0.4);
    expect(unknownUser / wrongPassword).toBeLessThan(2.5);
  });

  test('D-20 no token, password or key is in the database or in the log', async () => {
    const { signIn, refresh, logged } = createOperation();
    const user = await database.createUser();
    const { idToken, refreshToken } = tokensOf(await signIn(user.username));
    await refresh(refreshToken);
    await refresh(`${refreshToken}x`);
    await signIn(user.username, PASSWORD);
    await signIn(user.username, base64(`${PASSWORD}!`));
    const stored = await everyTextIn(database.knex);
    expect(stored).toContain(user.username);
    expect(logged()).toContain('wrong password');
    const ofToken = [refreshToken, refreshToken.slice(12)];
    for (const secret of [PASSWORD, base64(PASSWORD), idToken, ...ofToken]) {
      expect(stored).not.toContain(secret);
      expect(logged()).not.toContain(secret);
    }
  });

  test('D-23 after too many failures, only this user with this API key has to wait', async () => {
    const { signIn } = createOperation(3);
    const user = await database.createUser();
    const other = await database.createUser();
    for (let n = 0; n < 3; n += 1) await signIn(user.username, base64('paard-batterij-niets'));
    await expect(signIn(user.username.toUpperCase())).rejects.toMatchObject({
      code: 'tooManyRequests',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    expect((await signIn(other.username)).status).toBe(200);
    expect((await signIn(user.username, base64(PASSWORD), otherPartner)).status).toBe(200);
  });

  test.each([
    ['Élan', 'élan'],
    ['ÉLAN', 'éLAN'],
    ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ])('D-23 %s and %s are one user with one count, in any locale of the database', async (a, b) => {
    const { signIn } = createOperation(1);
    const username = `${a}-${newObjectId()}`;
    const other = username.replace(a, b);
    await database.createUser({ username });
    expect((await signIn(other)).status).toBe(200);
    await signIn(username, base64('paard-batterij-niets'));
    await expect(signIn(other)).rejects.toMatchObject({ code: 'tooManyRequests' });
    await expect(database.createUser({ username: other })).rejects.toThrow('usernameTaken');
  });

  test('D-23 an unknown user has the same limit as a known one', async () => {
    const { signIn } = createOperation(1);
    await signIn('nobody@kantoor.example');
    await expect(signIn('nobody@kantoor.example')).rejects.toMatchObject({
      code: 'tooManyRequests',
    });
  });
});

/** Returns the processor time of some calls, of all threads of this process, in microseconds. */
async function processorTime(call: () => unknown): Promise<number> {
  await call();
  const before = process.cpuUsage();
  for (let n = 0; n < 20; n += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
