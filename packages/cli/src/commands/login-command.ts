import { resolve } from 'node:path';
import { ApiError } from '@adx/client';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, note, printResult } from '../context.js';
import { WrongUse } from '../failure.js';
import { ask, askSecret } from '../settings/ask.js';
import { clientOf, expiryNote, isTestKey, testKeyNote } from '../settings/open-client.js';
import { openFetch, watchClock } from '../settings/open-fetch.js';
import {
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
  readPassword,
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
      const profile = await signIn(context, options, name);
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

async function signIn(context: Context, options: LoginOptions, name: string): Promise<Profile> {
  // Without an address, nobody knows which service they are for.
  const isIgnored = options.profile !== undefined && context.env['ADX_URL'] === undefined;
  const env = isIgnored ? variablesOf(context, options) : context.env;
  checkVariables(env);
  const stored = await readProfile(context.profileFolder, name);
  const { note: ofSources } = noteOf(context, isIgnored ? options : {}, name, stored);
  const passwordFile = options.passwordFile ?? env['ADX_PASSWORD_FILE'];
  requireOneService(options, env, name, stored);
  const given = {
    url: options.url ?? env['ADX_URL'],
    apiKey: env['ADX_API_KEY'],
    username: options.username ?? env['ADX_USERNAME'],
    password:
      options.passwordFile === undefined
        ? await readPassword(env)
        : await readPasswordFile(options.passwordFile),
  };
  requireTerminal(context, given, isIgnored);
  if (ofSources !== undefined) note(context, options, `${ofSources}.`);
  const url = normaliseUrl(given.url ?? (await askAgain(context, 'Address', stored?.url)));
  const apiKey = (given.apiKey ?? (await askSecret(context, 'API key: '))).trim();
  const username = given.username ?? (await askAgain(context, 'Username', stored?.username));
  const password = given.password ?? (await askSecret(context, 'Password: '));
  const clock = watchClock(await openFetch(env));
  let refreshToken: string | undefined;
  const client = clientOf(
    { url, apiKey, signIn: { username, password } },
    {
      fetch: clock.fetch,
      onApiKeyExpiry: (until) => note(context, options, expiryNote(until)),
      onRefreshToken: (token) => {
        refreshToken = token;
      },
    },
  );
  try {
    await client.auth.hello();
  } catch (error) {
    const isKeyRefused = error instanceof ApiError && error.code === 'invalidApiKey';
    if (isKeyRefused && isTestKey(apiKey)) note(context, options, `${testKeyNote}.`);
    throw error;
  }
  return {
    url,
    apiKey,
    username,
    // It is stored once: who has a file for the password needs no token.
    ...(passwordFile === undefined ? { refreshToken } : { passwordFile: resolve(passwordFile) }),
    signedInOn: (clock.serviceTime() ?? new Date()).toISOString(),
  };
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
