import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Firm, startFirm } from './support/firm.js';
import { newFolder } from './support/folders.js';
import { answersOf, onTerminal } from './support/on-terminal.js';
import { expectFailure, runAdx } from './support/run-adx.js';

let firm: Firm;
let folder: string;
let profileFolder: string;
beforeAll(async () => {
  firm = await startFirm();
});
afterAll(() => firm.service.close());
beforeEach(async () => {
  folder = await newFolder();
  profileFolder = join(folder, 'profiles');
  return () => rm(folder, { recursive: true });
});

const profile = async (name = 'default') =>
  JSON.parse(await readFile(join(profileFolder, `${name}.json`), 'utf8'));

test('D-51 login stores the sign-in, without the password, for its owner alone', async () => {
  const { exitCode, stdout } = await runAdx(['login'], { env: firm.env, profileFolder });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('30 days')]);
  expect(await readdir(profileFolder)).toEqual(['default.json']);
  expect((await stat(join(profileFolder, 'default.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(profileFolder)).mode & 0o777).toBe(0o700);
  expect(await profile()).toEqual({
    ...{ url: firm.env['ADX_URL'], apiKey: firm.apiKey, username: firm.user.username },
    ...{ refreshToken: expect.any(String), signedInOn: expect.any(String) },
  });
  expect(JSON.stringify(await profile())).not.toContain(firm.user.password);
  expect(await runAdx(['hello'], { profileFolder })).toMatchObject({ exitCode: 0, stderr: '' });
});

const ofNoService = { ADX_API_KEY: 'adx_sandbox', ADX_USERNAME: 'els', ADX_PASSWORD: 'sandbox' };

test.each([
  ['is missing', {}, ['login']],
  [
    'variables without ADX_URL have, if --profile is given',
    ofNoService,
    ['login', '--profile', 'default'],
  ],
])(
  'D-51 login asks on a terminal for what %s, and shows neither key nor password',
  async (_, env, parameters) => {
    const { exitCode, shown } = await onTerminal(parameters, answersOf(firm), {
      env,
      profileFolder,
    });
    expect(exitCode, shown).toBe(0);
    expect(shown).not.toContain(firm.apiKey);
    expect(shown).not.toContain(firm.user.password);
    expect(await profile()).toMatchObject({ url: firm.service.baseUrl });
  },
);

test('D-51 login asks on a terminal again for a key or a password that is refused, three times in all', async () => {
  const { username, password } = firm.user;
  const [key, right] = ['API key: ', firm.apiKey];
  const asked = { ...answersOf(firm), [key]: ['wrong', right], 'Password: ': ['wrong', password] };
  const { exitCode, shown } = await onTerminal(
    ['login'],
    { ...asked, [`Username [${username}]: `]: [''] },
    { profileFolder },
  );
  expect(exitCode, shown).toBe(0);
  expect(shown).toMatch(
    /API key: \n.*Password: \n.*note: The API key .*\n.*API key: \n.*note: The sign-in was refused: Authentication failed\.\n.*Username \[/s,
  );
  const given = ['login', '--url', firm.service.baseUrl, '--username', username];
  const wrong = { [key]: [right], 'Password: ': ['1', '2', '3'] };
  const refused = await onTerminal([...given, '--profile', 'new'], wrong, { profileFolder });
  const page = firm.env['ADX_URL']?.replace(/v1$/, 'docs/errors/authenticationFailed.html');
  expect(refused).toEqual({
    exitCode: 3,
    shown: expect.stringMatching(
      /(refused.*Password: .*){2}\. Check the username and the password\. \[/s,
    ),
  });
  expect(refused.shown.split('Password: ')).toHaveLength(4);
  expect(refused.shown.endsWith(`\n       ${page}\n`)).toBe(true);
});

test('D-51 login asks on a terminal at once again for a key or a password that is empty', async () => {
  const { password } = firm.user;
  const typed = { 'API key: ': ['', ' ', firm.apiKey], 'Password: ': ['', password] };
  const answers = { ...answersOf(firm), ...typed };
  const { exitCode, shown } = await onTerminal(['login'], answers, { profileFolder });
  expect(exitCode, shown).toBe(0);
  expect(shown).toMatch(/\n(API key: \n){3}.*Username: .*\r\n(Password: \n){2}$/);
});

test('D-51 login without a terminal names everything that is missing', async () => {
  const { exitCode, stderr } = await runAdx(['login'], { profileFolder });
  expect(exitCode).toBe(2);
  for (const name of ['--url', 'ADX_API_KEY', '--username', '--password-file', 'ADX_PASSWORD']) {
    expect(stderr).toContain(name);
  }
});

test('D-51 a sign-in that has ended is exit code 3, and says what to do', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const stored = await profile();
  const ended = { ...stored, refreshToken: `${stored.refreshToken}x` };
  await writeFile(join(profileFolder, 'default.json'), JSON.stringify(ended));
  await expectFailure(runAdx(['hello'], { profileFolder }), 3, 'Run `adx login`');
});

test('D-51 a refused login stores nothing', async () => {
  const env = { ...firm.env, ADX_PASSWORD: 'wrong' };
  expect(await runAdx(['login'], { env, profileFolder })).toMatchObject({ exitCode: 3 });
  await expect(readdir(profileFolder)).rejects.toThrow('ENOENT');
});

test('D-20 login says why a test key is refused, also with blanks around it', async () => {
  const env = { ...firm.env, ADX_API_KEY: ' adx_test_unknown ' };
  const note =
    'note: it is a test key, which only the sandbox or staging that issued it accepts.\n';
  const { exitCode, stderr } = await runAdx(['login'], { env, profileFolder });
  const page = firm.env['ADX_URL']?.replace(/v1$/, 'docs/errors/invalidApiKey.html');
  expect([exitCode, stderr.startsWith(note), stderr.endsWith(`  ${page}\n`)]).toEqual([
    3,
    true,
    true,
  ]);
});

test('D-51 the key of a profile is not sent to another address', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const env = { ADX_URL: 'https://elsewhere.example/v1' };
  await expectFailure(runAdx(['hello'], { env, profileFolder }), 2, 'ADX_API_KEY');
});

test('D-51 a profile of another user, and one that is damaged, are errors that say what to do', async () => {
  await runAdx(['login'], { env: firm.env, profileFolder });
  const env = { ADX_USERNAME: 'jan@kantoor.example' };
  await expectFailure(
    runAdx(['hello'], { env, profileFolder }),
    2,
    `is for the user ${firm.user.username}`,
  );
  await writeFile(join(profileFolder, 'default.json'), '');
  await expectFailure(runAdx(['login'], { env: firm.env, profileFolder }), 2, 'Delete it');
});

test('D-51 the profile that --profile names wins over variables of another service, and a note says so', async () => {
  const login = ['login', '--profile', 'production'];
  await runAdx(login, { env: firm.env, profileFolder });
  const sandbox = {
    ...{ ADX_URL: 'http://localhost:2/v1', ADX_API_KEY: 'adx_sandbox', ADX_USERNAME: 'els' },
    ...{ ADX_PASSWORD: 'of-the-sandbox', ADX_PASSWORD_FILE: '/absent' },
  };
  const note = `note: the profile "production" (${firm.env['ADX_URL']}) counts, and not ${Object.keys(sandbox).join(', ')} of the environment.\n`;
  const hello = ['hello', '--profile', 'production'];
  const named = await runAdx(hello, { env: sandbox, profileFolder });
  expect(named).toMatchObject({ exitCode: 0, stderr: note });
  const doctor = await runAdx(['doctor', '--profile', 'production'], {
    env: sandbox,
    profileFolder,
  });
  expect(doctor).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(note.slice(6, -2)) });
  expect(await runAdx(['hello'], { env: sandbox, profileFolder })).toMatchObject({ exitCode: 1 });
  const other = { ADX_PROFILE: 'production', ...sandbox };
  const { stdout } = await runAdx(['doctor'], { env: other, profileFolder });
  expect(stdout).toMatch(
    /^ok +settings +http:\/\/localhost:2\/v1; ADX_URL.* count, and not the profile "production" \(/m,
  );
  const variable = { ...firm.env, ADX_USERNAME: firm.user.username, ADX_PROFILE: 'production' };
  expect(await runAdx(['hello'], { env: variable, profileFolder })).toMatchObject({ stderr: '' });
  const key = await firm.service.issueApiKey();
  expect(
    await runAdx(['hello'], { env: { ...variable, ADX_API_KEY: key.key }, profileFolder }),
  ).toMatchObject({
    exitCode: 0,
    stderr: `note: ADX_API_KEY of the environment counts, and not the profile "production" (${firm.env['ADX_URL']}).\n`,
  });
  const absent = await runAdx(['hello', '--profile', 'absent'], { env: firm.env, profileFolder });
  const advice = expect.stringContaining('Run `adx login --profile absent`.');
  expect(absent).toMatchObject({ exitCode: 2, stderr: advice });
  const stored = await profile('production');
  const ended = { ...stored, refreshToken: 'ended' };
  await writeFile(join(profileFolder, 'production.json'), JSON.stringify(ended));
  const refused = await runAdx(hello, { env: sandbox, profileFolder });
  expect([refused.exitCode, refused.stderr]).toEqual([3, expect.stringContaining('adx login')]);
});

test('D-51 login sends no secrets of variables to another service than theirs', async () => {
  const login = ['login', '--profile', 'production'];
  await runAdx(login, { env: firm.env, profileFolder });
  const before = await profile('production');
  const env = { ...firm.env, ADX_URL: 'http://localhost:2/v1' };
  for (const options of [login, ['login', '--url', firm.env['ADX_URL'] ?? '']]) {
    await expectFailure(
      runAdx(options, { env, profileFolder }),
      2,
      'but ADX_URL is http://localhost:2/v1',
    );
  }
  const without = await runAdx([...login, '--url', firm.service.baseUrl], {
    env: ofNoService,
    profileFolder,
  });
  expect([without.exitCode, without.stderr]).toEqual([
    2,
    expect.stringMatching(/ADX_API_KEY.*only if ADX_URL is/),
  ]);
  expect(await profile('production')).toEqual(before);
  const { key } = await firm.service.issueApiKey();
  const renewed = { env: { ...firm.env, ADX_API_KEY: key }, profileFolder };
  expect((await runAdx(login, renewed)).stderr).toBe(
    `note: ADX_API_KEY of the environment counts, and not the profile "production" (${firm.env['ADX_URL']}).\n`,
  );
  expect(await profile('production')).toMatchObject({ apiKey: key });
});

test('D-51 an address without encryption, and a key that no key can be, are refused', async () => {
  const env = { ...firm.env, ADX_URL: 'http://adx.example.org' };
  await expectFailure(runAdx(['hello'], { env }), 2, 'must begin with https');
  await expectFailure(
    runAdx(['hello'], { env: { ...firm.env, ADX_API_KEY: 'é' } }),
    2,
    'characters that no key has',
  );
});

test('D-51 a variable that is empty, and an address that does not end in /v1, are named', async () => {
  for (const name of ['ADX_USERNAME', 'ADX_PASSWORD', 'ADX_API_KEY', 'ADX_URL']) {
    const env = { ...firm.env, [name]: '' };
    const stderr = `error: ${name} is empty.\n`;
    for (const command of ['hello', 'login']) {
      expect(await runAdx([command], { env })).toEqual({ exitCode: 2, stdout: '', stderr });
    }
  }
  const env = { ...firm.env, ADX_URL: `${firm.env['ADX_URL']}/v2` };
  const found = expect.stringContaining('The address ends in /v1');
  expect(await runAdx(['hello'], { env })).toMatchObject({ exitCode: 2, stderr: found });
  const { exitCode, stdout } = await runAdx(['doctor', '--json'], { env });
  expect([exitCode, JSON.parse(stdout)[0]]).toMatchObject([2, { name: 'settings', found }]);
  const passwordFile = { ...firm.env, ADX_PASSWORD_FILE: join(folder, 'absent') };
  const { ADX_PASSWORD: _, ...absent } = passwordFile as Record<string, string>;
  await expectFailure(runAdx(['hello'], { env: absent }), 2, 'it does not exist');
});

test('D-51 a name of a profile does not lead out of its folder', async () => {
  const login = ['login', '--profile', '../evil'];
  expect(await runAdx(login, { env: firm.env, profileFolder })).toMatchObject({ exitCode: 2 });
});
