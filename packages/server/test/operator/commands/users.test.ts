import { beforeAll, describe, expect, test } from 'vitest';
import { verifyPassword } from '../../../src/identity/passwords.js';
import { createUserStore } from '../../../src/identity/users.js';
import { captureProgram } from '../../../src/operator/program.js';
import { insertCustomer } from '../../support/rows.js';
import { runAdxServer, useCommands } from '../adx-server.js';

const commands = useCommands();
const { run, json } = commands;

describe('adx-server user', () => {
  let firmId: string;
  beforeAll(async () => {
    firmId = (await json(['firm', 'create', '--name', 'Kantoor Peeters'])).id;
  });

  const create = (...options: string[]) => ['user', 'create', '--firm', firmId, ...options];
  const passwordOf = async (username: string) =>
    (await createUserStore(commands.knex).findCredentials(username))?.passwordHash;

  test('operator: user create generates a password and shows it once', async () => {
    const created = await json(create('--username', 'an@peeters.example', '--access', 'user'));
    expect(created).toMatchObject({
      firmId,
      username: 'an@peeters.example',
      accessLevel: 'user',
      customers: 'all',
      password: expect.stringMatching(/^(\w{5}-){3}\w{5}$/),
    });
    expect(await verifyPassword(await passwordOf('an@peeters.example'), created.password)).toBe(
      true,
    );
    const listed = await json(['user', 'list']);
    const { password: _, ...user } = created;
    expect(listed).toContainEqual(user);
  });

  test('operator: user create without --json also shows the password in Base64, for POST /token', async () => {
    const options = ['--username', 'bo@peeters.example', '--access', 'user'];
    const { stdout } = await run(create(...options));
    const password = /^password +(\S+)/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toContain(Buffer.from(password).toString('base64'));
    expect(await verifyPassword(await passwordOf('bo@peeters.example'), password)).toBe(true);
  });

  test('operator: user create takes a password from standard input, and does not show it', async () => {
    const options = ['--username', 'cas@peeters.example', '--access', 'user', '--password-stdin'];
    const settings = { DATABASE_URL: commands.url };
    const process = await runAdxServer(
      [...create(...options), '--json'],
      settings,
      ' paard-batterij\n',
    );
    expect(process).toMatchObject({ exitCode: 0, stderr: '' });
    const created = JSON.parse(process.stdout);
    expect(created).not.toHaveProperty('password');
    expect(await verifyPassword(await passwordOf('cas@peeters.example'), ' paard-batterij')).toBe(
      true,
    );
  });

  test('D-56 with another identity provider a user has no password here', async () => {
    const settings = { DATABASE_URL: commands.url, IDENTITY_PROVIDER: 'oidc' };
    const options = ['--username', 'oda@peeters.example', '--access', 'user'];
    const { stdout } = await captureProgram([...create(...options), '--json'], settings);
    const created = JSON.parse(stdout);
    expect(created).not.toHaveProperty('password');
    expect(await passwordOf('oda@peeters.example')).toBeUndefined();
    for (const refused of [create(...options), ['user', 'set', created.id]]) {
      const stdin = 'paard-batterij-nietje';
      expect(await captureProgram([...refused, '--password-stdin'], settings, stdin)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          'error: The identity provider has the passwords (IDENTITY_PROVIDER): leave out --password-stdin.\n',
      });
    }
  });

  test('D-56 user release forgets the account of a user, which the commands show, and ends all tokens', async () => {
    const { id } = await json(create('--username', 'pia@peeters.example', '--access', 'user'));
    const account = { account_issuer: 'https://login.example', account_subject: 'a1' };
    await commands.knex('users').where({ id }).update(account);
    const listed: { id: string; account?: object }[] = await json(['user', 'list']);
    expect(listed.find((user) => user.id === id)?.account).toEqual({
      ...{ issuer: 'https://login.example', subject: 'a1' },
    });
    expect((await run(['user', 'set', id, '--access', 'user'])).stdout).toMatch(
      /^account +a1 of https:\/\/login\.example$/m,
    );
    expect(await json(['user', 'release', id])).not.toHaveProperty('account');
    expect(await commands.knex('users').where({ id }).first()).toMatchObject({
      ...{ account_issuer: null, account_subject: null, token_version: 2 },
    });
    const { exitCode, stderr } = await run(['user', 'release', '0'.repeat(24)]);
    expect({ exitCode, stderr }).toEqual({
      ...{ exitCode: 1, stderr: `error: There is no user with the id ${'0'.repeat(24)}.\n` },
    });
  });

  test('operator: user set changes access, customers and password', async () => {
    const own = await insertCustomer(commands.knex, firmId);
    const options = ['--username', 'dre@peeters.example', '--access', 'administrator'];
    const { id } = await json(create(...options, '--customers', own));
    const set = ['--access', 'user', '--customers', 'all', '--password-stdin'];
    const changed = await json(['user', 'set', id.toUpperCase(), ...set], 'nieuw-paard-batterij');
    expect(changed).toMatchObject({ id, accessLevel: 'user', customers: 'all' });
    const hash = await passwordOf('dre@peeters.example');
    expect(await verifyPassword(hash, 'nieuw-paard-batterij')).toBe(true);
  });

  test('D-20 user sign-out takes an id or a username, and ends the tokens of this user alone', async () => {
    const [ivo, jef] = [
      await json(create('--username', 'ivo@peeters.example', '--access', 'user')),
      await json(create('--username', 'jef@peeters.example', '--access', 'user')),
    ];
    const versions = () =>
      commands.knex('users').whereIn('id', [ivo.id, jef.id]).orderBy('id').pluck('token_version');
    for (const named of [ivo.id.toUpperCase(), 'Ivo@Peeters.example']) {
      expect(await json(['user', 'sign-out', named])).toMatchObject({ id: ivo.id });
    }
    expect(await versions()).toEqual([3, 1]);
    const { exitCode, stderr } = await run(['user', 'sign-out', 'nobody@peeters.example']);
    expect({ exitCode, stderr }).toEqual({
      ...{ exitCode: 1, stderr: 'error: There is no user nobody@peeters.example.\n' },
    });
  });

  test('operator: user disable', async () => {
    const options = ['--username', 'eva@peeters.example', '--access', 'user'];
    const { id } = await json(create(...options));
    expect(await json(['user', 'disable', id])).toMatchObject({ disabledOn: expect.any(String) });
    const { stdout } = await run(['user', 'list']);
    expect(stdout).toMatch(/eva@peeters.example .* 20\d\d-\d\d-\d\dT/);
  });

  test('D-18 a customer of another firm cannot be assigned', async () => {
    const other = await json(['firm', 'create', '--name', 'Ander kantoor']);
    const foreign = await insertCustomer(commands.knex, other.id);
    const options = ['--username', 'fie@peeters.example', '--access', 'user', '--customers'];
    expect(await run(create(...options, foreign))).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: The firm has no customer with the id ${foreign}.\n`,
    });
    const second = await insertCustomer(commands.knex, other.id);
    expect(await run(create(...options, `${foreign},${second}`))).toMatchObject({
      exitCode: 1,
      stderr: `error: The firm has no customers with the ids ${foreign}, ${second}.\n`,
    });
    expect(await passwordOf('fie@peeters.example')).toBeUndefined();
  });

  test('operator: a taken username, a weak and an empty password are refused', async () => {
    const taken = ['--username', 'gust@peeters.example', '--access', 'user'];
    await json(create(...taken));
    const again = await run(create('--username', 'Gust@Peeters.example', '--access', 'user'));
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: 'error: There is already a user Gust@Peeters.example.\n',
    });
    const weak = create(
      '--username',
      'hans@peeters.example',
      '--access',
      'user',
      '--password-stdin',
    );
    expect(await run(weak, 'kort\n')).toMatchObject({
      exitCode: 1,
      stderr: 'error: The password is shorter than 12 characters.\n',
    });
    expect(await run(weak, '')).toMatchObject({
      exitCode: 1,
      stderr: 'error: The password is empty.\n',
    });
    for (const guessable of ['password1234', 'hans@peeters-2026', 'Kantoor Peeters 7!']) {
      expect(await run(weak, guessable)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^error: The password (is easy to guess|contains the )/),
      });
    }
    expect(await passwordOf('hans@peeters.example')).toBeUndefined();
    const { id } = await json(create('--username', 'hans@peeters.example', '--access', 'user'));
    const before = await passwordOf('hans@peeters.example');
    expect(await run(['user', 'set', id, '--password-stdin'], 'password1234')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('easy to guess'),
    });
    expect(await passwordOf('hans@peeters.example')).toBe(before);
  });
});
