import { resolve } from 'node:path';
import { ApiError, AuthenticationError } from '@adx/client';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, note, printResult } from '../context.js';
import { sentence } from '../explain.js';
import { WrongUse } from '../failure.js';
import { ask, askSecret } from '../settings/ask.js';
import { clientOf, isTestKey, notesOf, testKeyNote } from '../settings/open-client.js';
import { openFetch, watchClock } from '../settings/open-fetch.js';
import {
  isReadableByOthers,
  type Profile,
  profilePath,
  readProfile,
  removeProfile,
  writeProfile,
} from '../settings/profile.js';
import {
  checkVariables,
  normaliseUrl,
  noteOf,
  profileName,
  readPasswordFile,
  variablesOf,
} from '../settings/settings.js';

interface LoginOptions extends GlobalOptions {
  readonly url?: string;
  readonly username?: string;
  readonly passwordFile?: string;
}

/** `adx login` (D-51): signs in, and stores the address, the key and the refresh token. */
export function addLoginCommand(program: Command, context: Context): void {
  program
    .command('login')
    .summary('sign in, and store the sign-in in a profile')
    .description(
      'Signs in and stores the address, the API key and the refresh token in a profile, which only you can read. Asks on the terminal for what is missing. The sign-in lasts 30 days; with --password-file it has no end.',
    )
    .option('--url <address>', 'address of the service, or ADX_URL')
    .option('--username <name>', 'user, or ADX_USERNAME')
    .option('--password-file <path>', 'read the password from this file, now and later')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<LoginOptions>();
      const name = profileName(context, options);
      const profile = await signIn(context, command, name);
      await writeProfile(context.profileFolder, name, profile);
      const path = profilePath(context.profileFolder, name);
      const { url, username } = profile;
      const testKey = isTestKey(profile.apiKey);
      printResult(context, options, { profile: name, path, url, username, testKey }, () =>
        [
          `Signed in as ${username} at ${url}${testKey ? ', with a test key' : ''}.`,
          `Stored in ${path}.`,
          profile.passwordFile === undefined
            ? 'The sign-in lasts 30 days; then run `adx login` again.\n'
            : `Each command reads the password from ${profile.passwordFile}.\n`,
        ].join('\n'),
      );
    });
}

/** `adx logout` (D-51): removes the profile, with the key and the refresh token in it. */
export function addLogoutCommand(program: Command, context: Context): void {
  program
    .command('logout')
    .summary('remove the profile, with the API key and the sign-in')
    .description(
      'Removes the profile, with the API key and the refresh token in it. A copy of the refresh token still works until 30 days after the sign-in, or until the password changes. A password file and variables stay.',
    )
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const name = profileName(context, options);
      const path = profilePath(context.profileFolder, name);
      if (!(await removeProfile(context.profileFolder, name))) {
        throw new WrongUse(`There is no profile "${name}".`);
      }
      printResult(context, options, { profile: name, path }, () => `Removed ${path}.\n`);
    });
}

/** How often a key or a password that is refused is asked for, as `ssh` does. */
const attempts = 3;

async function signIn(context: Context, command: Command, name: string): Promise<Profile> {
  const options = command.optsWithGlobals<LoginOptions>();
  // Without an address, nobody knows which service they are for.
  const isIgnored = options.profile !== undefined && context.env['ADX_URL'] === undefined;
  const env = isIgnored ? variablesOf(context, options) : context.env;
  checkVariables(env);
  const stored = await readProfile(context.profileFolder, name);
  const { note: ofSources } = noteOf(context, isIgnored ? options : {}, name, stored);
  requireOneService(options, env, name, stored);
  const given = {
    url: options.url ?? env['ADX_URL'],
    apiKey: env['ADX_API_KEY'],
    username: options.username ?? env['ADX_USERNAME'],
    password: options.passwordFile === undefined ? env['ADX_PASSWORD'] : undefined,
    passwordFile: options.passwordFile ?? env['ADX_PASSWORD_FILE'],
  };
  /** The file of a profile stays that of its user: a nightly run goes on. */
  const fileOf = (url: string | undefined, username: string | undefined) =>
    given.passwordFile ??
    (stored?.url === url && stored?.username === username ? stored?.passwordFile : undefined);
  const known = given.url && normaliseUrl(given.url);
  let { apiKey, username, password } = given;
  if (given.passwordFile !== undefined) {
    const inFile = await readPrivateFile(given.passwordFile);
    password ??= inFile;
  }
  // For the advice after an error, and the address for the page about it.
  if (given.password === undefined) command.setOptionValue('passwordFile', given.passwordFile);
  requireTerminal(context, { ...given, password: password ?? fileOf(known, username) }, isIgnored);
  if (ofSources !== undefined) note(context, options, `${ofSources}.`);
  const url = known ?? normaliseUrl(await askAgain(context, 'Address', stored?.url));
  command.setOptionValue('url', url);
  const clock = watchClock(await openFetch(env));
  let before = stored?.username;
  for (let attempt = 1; ; attempt += 1) {
    apiKey = (apiKey ?? (await askSecret(context, 'API key: '))).trim();
    username ??= await askAgain(context, 'Username', before);
    const passwordFile = fileOf(url, username);
    if (passwordFile !== undefined && password === undefined) {
      const how = 'Run `adx logout` first to sign in without it.';
      note(context, options, `The password is read from ${passwordFile}, as before. ${how}`);
      command.setOptionValue('passwordFile', passwordFile);
      password = await readPrivateFile(passwordFile);
    }
    password ??= await askSecret(context, 'Password: ');
    let refreshToken: string | undefined;
    const client = clientOf(
      { url, apiKey, signIn: { username, password } },
      {
        ...notesOf(context, options, url),
        fetch: clock.fetch,
        onRefreshToken: (token) => {
          refreshToken = token;
        },
      },
    );
    try {
      await client.auth.hello();
      return {
        url,
        apiKey,
        username,
        // With a password file, each command signs in anew: no token has to be stored.
        ...(passwordFile === undefined
          ? { refreshToken }
          : { passwordFile: resolve(passwordFile) }),
        signedInOn: (clock.serviceTime() ?? new Date()).toISOString(),
      };
    } catch (error) {
      const isKeyRefused = error instanceof ApiError && error.code === 'invalidApiKey';
      if (isKeyRefused && isTestKey(apiKey)) note(context, options, `${testKeyNote}.`);
      const isTyped = isKeyRefused
        ? given.apiKey === undefined
        : error instanceof AuthenticationError && (passwordFile ?? given.password) === undefined;
      if (!isTyped || attempt === attempts || !(error instanceof Error)) throw error;
      note(context, options, sentence(error.message));
      if (isKeyRefused) apiKey = undefined;
      else {
        before = username;
        ({ username, password } = given);
      }
    }
  }
}

/** @throws WrongUse if others can read the file, as `ssh` refuses such keys */
async function readPrivateFile(path: string): Promise<string> {
  const password = await readPasswordFile(path);
  if (!(await isReadableByOthers(path))) return password;
  throw new WrongUse(`Other users can read ${path}. Run \`chmod 600 ${path}\`.`);
}

/**
 * @throws WrongUse if the secrets of the variables would go to another service than theirs, or into
 *   its profile
 */
function requireOneService(
  { url: option, profile }: LoginOptions,
  env: Context['env'],
  name: string,
  stored: Profile | undefined,
): void {
  if (env['ADX_URL'] === undefined) return;
  const other = option ?? (profile === undefined ? undefined : stored?.url);
  if (other === undefined || normaliseUrl(other) === normaliseUrl(env['ADX_URL'])) return;
  const owner = option === undefined ? `The profile "${name}" is for` : '--url is';
  throw new WrongUse(
    `${owner} ${other}, but ADX_URL is ${env['ADX_URL']}. Unset the variables of the other service.`,
  );
}

/** @throws WrongUse with all that is missing if nobody can be asked */
function requireTerminal(
  context: Context,
  given: Readonly<Record<string, string | undefined>>,
  isIgnored: boolean,
) {
  if (context.stdin.isTTY === true) return;
  const variables: Readonly<Record<string, string>> = {
    url: '--url or ADX_URL',
    apiKey: 'ADX_API_KEY',
    username: '--username or ADX_USERNAME',
    password: '--password-file or ADX_PASSWORD',
  };
  const missing = Object.keys(variables).filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  const names = missing.map((name) => variables[name]).join(', ');
  const why = isIgnored ? ' With --profile, variables count only if ADX_URL is one of them.' : '';
  throw new WrongUse(`Without a terminal, give ${names}.${why}`);
}

/** Asks, and proposes what was stored before. */
async function askAgain(
  context: Context,
  question: string,
  before: string | undefined,
): Promise<string> {
  const shown = before === undefined ? question : `${question} [${before}]`;
  const answer = await ask(context, `${shown}: `);
  return answer === '' && before !== undefined ? before : answer;
}
