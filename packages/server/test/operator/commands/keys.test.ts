import { expect, test } from 'vitest';
import { createApiKeyStore } from '../../../src/identity/api-keys.js';
import { createSigningKeyStore } from '../../../src/identity/signing-keys.js';
import { captureProgram } from '../../../src/operator/program.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const { knex, run, json, settings } = await operatorForFile();

const issue = () => json('api-key', 'issue', '--partner', 'Pakket', '--scopes', 'files:read');
const listed = async (id: string) =>
  (await json('api-key', 'list')).find((each: { id: string }) => each.id === id);
const verify = (key: string) => createApiKeyStore(knex).verify(key);

test('D-20 api-key issue shows the key once; list shows its first characters; revoke ends it', async () => {
  const scopes = 'customers:read, files:write,customers:read';
  const issued = await json('api-key', 'issue', '--partner', 'Pakket', '--scopes', scopes);
  expect(issued).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    key: expect.stringMatching(/^adx_live_[\w-]{43}$/),
    scopes: ['customers:read', 'files:write'],
  });
  expect(await verify(issued.key)).toMatchObject({ partner: 'Pakket' });
  const { stdout } = await run('api-key', 'list');
  expect(stdout).toContain(`${issued.key.slice(0, 13)}…`);
  expect(stdout).not.toContain(issued.key.slice(0, 14));
  expect(await json('api-key', 'revoke', issued.id)).toEqual({ id: issued.id, revoked: true });
  expect(await verify(issued.key)).toBeUndefined();
  const revoked = await listed(issued.id);
  expect(revoked).toMatchObject({ revokedOn: expect.any(String) });
  await json('api-key', 'revoke', issued.id);
  expect(await listed(issued.id)).toEqual(revoked);
});

test('D-20 the keys of a sandbox begin with adx_test_, and are verified as others are', async () => {
  const runInSandbox = (...parameters: string[]) =>
    captureProgram(parameters, { ...settings, DEPLOYMENT: 'test' });
  const issue = ['api-key', 'issue', '--partner', 'Pakket', '--scopes', 'all', '--json'];
  const { id, key } = JSON.parse((await runInSandbox(...issue)).stdout);
  expect(key).toMatch(/^adx_test_[\w-]{43}$/);
  expect(await verify(key)).toMatchObject({ id, partner: 'Pakket' });
  const rotated = JSON.parse((await runInSandbox('api-key', 'rotate', id, '--json')).stdout);
  expect(rotated).toMatchObject({ key: expect.stringMatching(/^adx_test_/) });
  expect(rotated.old.hint).toBe(key.slice(0, 13));
});

test('§5 rule 6: api-key set changes the scopes of a key, whose secrets stay', async () => {
  const issued = await issue();
  const set = ['api-key', 'set', issued.id, '--scopes'];
  const scopes = ['customers:read', 'files:write'];
  expect(await json(...set, scopes.join())).toEqual({ id: issued.id, scopes });
  expect(await verify(issued.key)).toMatchObject({ id: issued.id, scopes });
  expect((await run(...set, 'files:read')).stdout).toBe(
    `Within seconds, API key ${issued.id} of Pakket has the scopes files:read.\n`,
  );
  await json('api-key', 'revoke', issued.id);
  expect(await run(...set, 'files:read')).toEqual(failure(`The API key ${issued.id} is revoked.`));
});

test('D-35 api-key rotate shows the new secret once, and list shows both until the old one ends', async () => {
  const issued = await issue();
  const before = Date.now();
  const rotated = await json('api-key', 'rotate', issued.id);
  const old = { hint: issued.key.slice(0, 13), until: expect.any(String) };
  expect(rotated).toEqual({
    ...{ id: issued.id, key: expect.stringMatching(/^adx_live_[\w-]{43}$/) },
    ...{ scopes: ['files:read'], old },
  });
  expect(rotated.key).not.toBe(issued.key);
  const days = (Date.parse(rotated.old.until) - before) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(7);
  expect(days).toBeLessThan(7.01);
  for (const key of [issued.key, rotated.key]) {
    expect(await verify(key)).toMatchObject({ id: issued.id, partner: 'Pakket' });
  }
  expect(await listed(issued.id)).toMatchObject({ hint: rotated.key.slice(0, 13), old });
  const { stdout } = await run('api-key', 'list');
  expect(stdout).toMatch(/^ID +PARTNER +KEY +OLD KEY +UNTIL +SCOPES +CREATED +REVOKED\n/);
  expect(stdout).toContain(
    `${rotated.key.slice(0, 13)}…  ${issued.key.slice(0, 13)}…  ${rotated.old.until}`,
  );
  expect(stdout).not.toContain(rotated.key.slice(0, 14));
});

test('D-35 api-key rotate: with --overlap 0 only the new secret works', async () => {
  const issued = await issue();
  const { stdout } = await run('api-key', 'rotate', issued.id, '--overlap', '0');
  const key = /^key +(\S+) {2}\(shown only once\)$/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toMatch(/^old key +services refuse it within seconds$/m);
  expect(await verify(issued.key)).toBeUndefined();
  expect(await verify(key)).toMatchObject({ id: issued.id });
  expect(await listed(issued.id)).not.toHaveProperty('old');
});

test('D-35 api-key rotate: a second rotation in the overlap needs --end, and a key never has three secrets', async () => {
  const { id, key: first } = await issue();
  const { key: second } = await json('api-key', 'rotate', id, '--overlap', '2h');
  expect(await run('api-key', 'rotate', id)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('has an old secret that still works'),
  });
  const { key: third } = await json('api-key', 'rotate', id, '--end', 'new');
  const accepted = async () => {
    const keys = await Promise.all([first, second, third].map(verify));
    return keys.map((key) => key?.id === id);
  };
  expect(await accepted()).toEqual([true, false, true]);
  const { key: fourth } = await json('api-key', 'rotate', id, '--end', 'old');
  expect(await accepted()).toEqual([false, false, true]);
  expect(await verify(fourth)).toMatchObject({ id });
  await json('api-key', 'rotate', id, '--overlap', '0', '--end', 'new');
  expect(await accepted()).toEqual([false, false, false]);
  expect(await verify(fourth)).toBeUndefined();
});

test('D-35 api-key rotate: --end without an old secret, and a revoked key, are refused', async () => {
  const { id, key } = await issue();
  expect(await run('api-key', 'rotate', id, '--end', 'new')).toEqual(
    failure(`The API key ${id} has no old secret that still works, so leave out --end.`),
  );
  const rotated = await json('api-key', 'rotate', id);
  await json('api-key', 'revoke', id);
  expect(await verify(key)).toBeUndefined();
  expect(await verify(rotated.key)).toBeUndefined();
  expect(await listed(id)).not.toHaveProperty('old');
  expect(await run('api-key', 'rotate', id)).toEqual(failure(`The API key ${id} is revoked.`));
});

test('operator: signing-key rotate adds a key', async () => {
  const { kid } = await json('signing-key', 'rotate');
  expect(await knex('signing_keys').pluck('kid')).toContain(kid);
});

test('D-59 signing-key rotate says that services may have another secret', async () => {
  await createSigningKeyStore(knex, 'that of a service which was forgotten').rotate();
  const { stderr } = await run('signing-key', 'rotate');
  expect(stderr).toBe(
    'The newest key was encrypted with another SIGNING_KEY_SECRET: services that have that one sign with a key of their own.\n',
  );
  expect((await run('signing-key', 'rotate')).stderr).toBe('');
});

test('D-20 signing-key rotate --now leaves only the new key', async () => {
  await json('signing-key', 'rotate');
  const { kid } = await json('signing-key', 'rotate', '--now');
  expect(await knex('signing_keys').pluck('kid')).toEqual([kid]);
});
