import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfTest } from './support/folders.js';
import { answersOf, onTerminal } from './support/on-terminal.js';
import { expectFailure, runAdx } from './support/run-adx.js';
import { useFirm } from './support/use-firm.js';

const { firm } = useFirm();

test('D-51 a password file is read again by each command, so the sign-in has no end', async () => {
  const folder = await folderOfTest();
  const profileFolder = join(folder, 'profiles');
  const nightlyProfile = async () =>
    JSON.parse(await readFile(join(profileFolder, 'nightly.json'), 'utf8'));
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `\uFEFF${firm().user.password}\r\n`, { mode: 0o600 });
  const { ADX_PASSWORD: _, ...env } = firm().env as Record<string, string>;
  const given = relative(process.cwd(), passwordFile);
  const login = ['login', '--password-file', given, '--profile', 'nightly'];
  expect(await runAdx(login, { env, profileFolder })).toMatchObject({ exitCode: 0 });
  expect(await nightlyProfile()).toMatchObject({ passwordFile });
  expect(await nightlyProfile()).not.toHaveProperty('refreshToken');
  const hello = ['hello', '--profile', 'nightly'];
  expect(await runAdx(hello, { profileFolder })).toMatchObject({ exitCode: 0 });
  // Without the option, the file stays that of its user.
  const again = await runAdx(['login', '--profile', 'nightly'], { env, profileFolder });
  const before = `note: The password is read from ${passwordFile}, as before. Run \`adx logout\``;
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(before) });
  expect(await nightlyProfile()).toMatchObject({ passwordFile });
  const typed = { ...answersOf(firm()), 'API key: ': ['wrong', firm().apiKey] };
  const named = ['--url', firm().service.baseUrl, '--username', firm().user.username];
  const renewed = await onTerminal(['login', '--profile', 'nightly', ...named], typed, {
    profileFolder,
  });
  expect([renewed.exitCode, renewed.shown.split(before).length]).toEqual([0, 2]);
  const other = { ...env, ADX_USERNAME: 'jan@kantoor.example' };
  const nightly = ['login', '--profile', 'nightly'];
  await expectFailure(runAdx(nightly, { env: other, profileFolder }), 2, 'give --password-file');
  await writeFile(passwordFile, Buffer.from(`\uFEFF${firm().user.password}\r\n`, 'utf16le'));
  expect(await runAdx(hello, { profileFolder })).toMatchObject({ exitCode: 0 });
  await writeFile(passwordFile, Buffer.from('é', 'latin1'));
  await expectFailure(runAdx(hello, { profileFolder }), 2, 'is not text in UTF-8');
  await writeFile(passwordFile, 'changed\n');
  expect(await runAdx(hello, { profileFolder })).toMatchObject({ exitCode: 3 });
  const advice = `Check the username and the password in ${passwordFile}.`;
  await expectFailure(runAdx(nightly, { env, profileFolder }), 3, advice);
});

test.skipIf(process.platform === 'win32')(
  'D-51 a password file that others can read is refused by login, and found by doctor',
  async () => {
    const folder = await folderOfTest();
    const profileFolder = join(folder, 'profiles');
    const { ADX_PASSWORD = '', ...env } = firm().env as Record<string, string>;
    const ADX_PASSWORD_FILE = join(folder, 'password');
    await writeFile(ADX_PASSWORD_FILE, ADX_PASSWORD, { mode: 0o644 });
    const surroundings = { env: { ...env, ADX_PASSWORD_FILE }, profileFolder };
    const advice = `Run \`chmod 600 ${ADX_PASSWORD_FILE}\`.`;
    for (const login of [['login'], ['login', '--password-file', ADX_PASSWORD_FILE]]) {
      await expectFailure(runAdx(login, surroundings), 2, advice);
    }
    // The profile would name the file, although the password is in a variable this time.
    const withBoth = { ...surroundings, env: { ...firm().env, ADX_PASSWORD_FILE } };
    await expectFailure(runAdx(['login'], withBoth), 2, advice);
    const doctor = await runAdx(['doctor'], surroundings);
    expect([doctor.exitCode, doctor.stdout]).toEqual([2, expect.stringContaining(advice)]);
    await chmod(ADX_PASSWORD_FILE, 0o600);
    expect(await runAdx(['login'], surroundings)).toMatchObject({ exitCode: 0 });
    expect(await runAdx(['doctor'], surroundings)).toMatchObject({ exitCode: 0 });
  },
);

test.runIf(process.platform === 'linux')(
  'D-51 a password file that others can read, but whose mode nobody can change, is only noted',
  async () => {
    const profileFolder = join(await folderOfTest(), 'profiles');
    // Not even root can change its mode, which is so on a read-only file system too.
    const ADX_PASSWORD_FILE = '/proc/self/comm';
    const surroundings = { env: { ...firm().env, ADX_PASSWORD_FILE }, profileFolder };
    const found =
      'other users can read /proc/self/comm, but its mode cannot be changed here: set it where the file comes from';
    expect(await runAdx(['login'], surroundings)).toMatchObject({
      exitCode: 0,
      stderr: `note: ${found.replace('o', 'O')}.\n`,
    });
    const { exitCode, stdout } = await runAdx(['doctor'], surroundings);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`; ${found}\n`)]);
  },
);
