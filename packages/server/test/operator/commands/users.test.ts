import { expect, test } from 'vitest';
import { verifyPassword } from '../../../src/identity/passwords.js';
import { createUserStore } from '../../../src/identity/users.js';
import { captureProgram } from '../../../src/operator/program.js';
import { insertCustomer, insertFirm } from '../../support/rows.js';
import { runAdxServer } from '../adx-server.js';
import { failure, operatorForFile } from '../operator-for-file.js';

const { knex, settings, run, json } = await operatorForFile();
const firmId = await insertFirm(knex, { name: 'Kantoor Peeters' });

/** Returns the command that creates a user with the access level `user`. */
const create = (username: string, ...options: string[]) => [
  ...['user', 'create', '--firm', firmId, '--access', 'user'],
  ...['--username', username, ...options],
];

const passwordOf = async (username: string) =>
  (await createUserStore(knex).findCredentials(username))?.passwordHash;

const isPasswordOf = async (username: string, password: string) =>
  verifyPassword(await passwordOf(username), password);

test('operator: user create generates a password and shows it once', async () => {
  const created = await json(...create('an@peeters.example'));
  expect(created).toMatchObject({
    firmId,
    username: 'an@peeters.example',
    accessLevel: 'user',
    customers: 'all',
    password: expect.stringMatching(/^(\w{5}-){3}\w{5}$/),
  });
  expect(await isPasswordOf('an@peeters.example', created.password)).toBe(true);
  const { password: _, ...user } = created;
  expect(await json('user', 'list')).toContainEqual(user);
});

test('operator: user create without --json also shows the password in Base64, for POST /token', async () => {
  const { stdout } = await run(...create('bo@peeters.example'));
  const password = /^password +(\S+)/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toContain(Buffer.from(password).toString('base64'));
  expect(await isPasswordOf('bo@peeters.example', password)).toBe(true);
});

test('operator: user create takes a password from standard input, and does not show it', async () => {
  const command = create('cas@peeters.example', '--password-stdin', '--json');
  const process = await runAdxServer(command, settings, ' paard-batterij\n');
  expect(process).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(process.stdout)).not.toHaveProperty('password');
  expect(await isPasswordOf('cas@peeters.example', ' paard-batterij')).toBe(true);
});

test('D-56 with another identity provider a user has no password here', async () => {
  const withProvider = { ...settings, IDENTITY_PROVIDER: 'oidc' };
  const command = create('oda@peeters.example');
  const { stdout } = await captureProgram([...command, '--json'], withProvider);
  const created = JSON.parse(stdout);
  expect(created).not.toHaveProperty('password');
  expect(await passwordOf('oda@peeters.example')).toBeUndefined();
  for (const refused of [command, ['user', 'set', created.id]]) {
    const stdin = 'paard-batterij-nietje';
    expect(await captureProgram([...refused, '--password-stdin'], withProvider, stdin)).toEqual(
      failure(
        'The identity provider has the passwords (IDENTITY_PROVIDER): leave out --password-stdin.',
      ),
    );
  }
});

test('D-56 user release forgets the account of a user, which the commands show, and ends all tokens', async () => {
  const { id } = await json(...create('pia@peeters.example'));
  const account = { account_issuer: 'https://login.example', account_subject: 'a1' };
  await knex('users').where({ id }).update(account);
  expect(await json('user', 'list')).toContainEqual(
    expect.objectContaining({ id, account: { issuer: 'https://login.example', subject: 'a1' } }),
  );
  expect((await run('user', 'set', id, '--access', 'user')).stdout).toMatch(
    /^account +a1 of https:\/\/login\.example$/m,
  );
  expect(await json('user', 'release', id)).not.toHaveProperty('account');
  expect(await knex('users').where({ id }).first()).toMatchObject({
    ...{ account_issuer: null, account_subject: null, token_version: 2 },
  });
});

test('operator: user set changes access, customers and password', async () => {
  const own = await insertCustomer(knex, firmId);
  const options = ['--access', 'administrator', '--customers', own];
  const { id } = await json(...create('dre@peeters.example', ...options));
  const set = ['user', 'set', id.toUpperCase(), '--access', 'user', '--customers', 'all'];
  const changed = await captureProgram(
    [...set, '--password-stdin', '--json'],
    ...[settings, 'nieuw-paard-batterij'],
  );
  expect(changed).toMatchObject({ exitCode: 0, stderr: '' });
  const user = { id, accessLevel: 'user', customers: 'all' };
  expect(JSON.parse(changed.stdout)).toMatchObject(user);
  expect(await isPasswordOf('dre@peeters.example', 'nieuw-paard-batterij')).toBe(true);
});

test('D-20 user sign-out takes an id or a username, and ends the tokens of this user alone', async () => {
  const ivo = await json(...create('ivo@peeters.example'));
  const jef = await json(...create('jef@peeters.example'));
  const versions = () =>
    knex('users').whereIn('id', [ivo.id, jef.id]).orderBy('id').pluck('token_version');
  for (const named of [ivo.id.toUpperCase(), 'Ivo@Peeters.example']) {
    expect(await json('user', 'sign-out', named)).toMatchObject({ id: ivo.id });
  }
  expect(await versions()).toEqual([3, 1]);
  expect(await run('user', 'sign-out', 'nobody@peeters.example')).toEqual(
    failure('There is no user nobody@peeters.example.'),
  );
});

test('operator: user disable', async () => {
  const { id } = await json(...create('eva@peeters.example'));
  const disabled = await json('user', 'disable', id);
  expect(disabled).toMatchObject({ disabledOn: expect.any(String) });
  expect(await json('user', 'disable', id)).toEqual(disabled);
  const { stdout } = await run('user', 'list');
  expect(stdout).toMatch(/eva@peeters.example .* 20\d\d-\d\d-\d\dT/);
});

test('§5 rule 3 D-18 a customer of another firm or an archived one cannot be assigned', async () => {
  const foreign = await insertCustomer(knex, await insertFirm(knex));
  const archived = await insertCustomer(knex, firmId, { archived_on: new Date() });
  const createFor = (customers: string) =>
    run(...create('fie@peeters.example', '--customers', customers));
  expect(await createFor(foreign)).toEqual(
    failure(`The firm has no customer with the id ${foreign}.`),
  );
  const own = await insertCustomer(knex, firmId);
  expect(await createFor(`${foreign},${own},${archived}`)).toEqual(
    failure(`The firm has no customers with the ids ${foreign}, ${archived}.`),
  );
  expect(await passwordOf('fie@peeters.example')).toBeUndefined();
});

test('operator: a taken username is refused', async () => {
  await json(...create('gust@peeters.example'));
  expect(await run(...create('Gust@Peeters.example'))).toEqual(
    failure('There is already a user Gust@Peeters.example.'),
  );
});

test('operator: a weak and an empty password are refused', async () => {
  const weak = (password: string, command = create('hans@peeters.example')) =>
    captureProgram([...command, '--password-stdin'], settings, password);
  expect(await weak('kort\n')).toEqual(failure('The password is shorter than 12 characters.'));
  expect(await weak('')).toEqual(failure('The password is empty.'));
  for (const guessable of ['password1234', 'hans@peeters-2026', 'Kantoor Peeters 7!']) {
    const { exitCode, stderr } = await weak(guessable);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: The password (is easy to guess|contains the )/);
  }
  expect(await passwordOf('hans@peeters.example')).toBeUndefined();
  const { id } = await json(...create('hans@peeters.example'));
  const before = await passwordOf('hans@peeters.example');
  const { exitCode, stderr } = await weak('password1234', ['user', 'set', id]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('easy to guess'),
  });
  expect(await passwordOf('hans@peeters.example')).toBe(before);
});
