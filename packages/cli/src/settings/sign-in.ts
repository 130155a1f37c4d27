import { resolve } from 'node:path';
import { ApiError, AuthenticationError } from '@adx/client';
import type { Command } from 'commander';
import { type Context, type GlobalOptions, note } from '../context.js';
import { sentence } from '../explain.js';
import { WrongUse } from '../failure.js';
import { ask, askSecret } from './ask.js';
import { clientOf, isTestKey, notesOf, testKeyNote } from './open-client.js';
import { openFetch, type WatchedClock, watchClock } from './open-fetch.js';
import {
  canChangeMode,
  fixedMode,
  isReadableByOthers,
  type Profile,
  readProfile,
} from './profile.js';
import { checkVariables, normaliseUrl, noteOf, readPasswordFile, variablesOf } from './settings.js';

export interface LoginOptions extends GlobalOptions {
  readonly url?: string;
  readonly username?: string;
  readonly passwordFile?: string;
}

/** How often a key or a password that is refused is asked for, as `ssh` does. */
const attempts = 3;

interface Credentials {
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  /** The file from which each command is to read the password. */
  readonly passwordFile: string | undefined;
}

/** Credentials that need not be asked for. */
type Known = { readonly [Name in keyof Credentials]?: Credentials[Name] | undefined };

/** The options and variables that count, and the profile that there was before. */
interface Given extends Known {
  readonly env: Context['env'];
  readonly url: string | undefined;
  readonly stored: Profile | undefined;
}

interface Login {
  readonly context: Context;
  readonly command: Command;
  readonly options: LoginOptions;
  readonly given: Given;
  readonly url: string;
  readonly clock: WatchedClock;
}

/** Signs in with what is given, and with what is asked for on a terminal. */
export async function signIn(context: Context, command: Command, name: string): Promise<Profile> {
  const options = command.optsWithGlobals<LoginOptions>();
  const given = await readGiven(context, command, name);
  const url = given.url ?? normaliseUrl(await askAgain(context, 'Address', given.stored?.url));
  command.setOptionValue('url', url);
  const clock = watchClock(await openFetch(given.env));
  const login = { context, command, options, given, url, clock };
  let credentials = await complete(login, given, given.stored?.username);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await signInWith(login, credentials);
    } catch (error) {
      const known = knownAfter(error, given, credentials);
      if (known === undefined || attempt === attempts || !(error instanceof Error)) throw error;
      note(context, options, sentence(error.message));
      credentials = await complete(login, known, credentials.username);
    }
  }
}

/** @throws WrongUse if the options and variables are for two services, or are not enough */
async function readGiven(context: Context, command: Command, name: string): Promise<Given> {
  const options = command.optsWithGlobals<LoginOptions>();
  // Without an address, nobody knows which service they are for.
  const isIgnored = options.profile !== undefined && context.env['ADX_URL'] === undefined;
  const env = isIgnored ? variablesOf(context, options) : context.env;
  checkVariables(env);
  const stored = await readProfile(context.profileFolder, name);
  requireOneService(options, env, name, stored);
  const url = options.url ?? env['ADX_URL'];
  const passwordFile = options.passwordFile ?? env['ADX_PASSWORD_FILE'];
  const inFile =
    passwordFile === undefined ? undefined : await readPrivateFile(context, options, passwordFile);
  const password = options.passwordFile === undefined ? env['ADX_PASSWORD'] : undefined;
  // For the advice after an error.
  if (password === undefined) command.setOptionValue('passwordFile', passwordFile);
  const given = {
    ...{ env, stored, passwordFile, url: url && normaliseUrl(url) },
    apiKey: env['ADX_API_KEY']?.trim(),
    username: options.username ?? env['ADX_USERNAME'],
    password: password ?? inFile,
  };
  const file = fileOf(given, given.url, given.username);
  requireTerminal(context, { ...given, password: given.password ?? file }, isIgnored);
  const { note: ofSources } = noteOf(context, isIgnored ? options : {}, name, stored);
  if (ofSources !== undefined) note(context, options, `${ofSources}.`);
  return given;
}

/** The file of a profile stays that of its user: a nightly run goes on. */
function fileOf(
  { passwordFile, stored }: Given,
  url: string | undefined,
  username: string | undefined,
): string | undefined {
  if (passwordFile !== undefined) return passwordFile;
  return stored?.url === url && stored?.username === username ? stored?.passwordFile : undefined;
}

/** Asks for what is not known. */
async function complete(
  { context, command, options, given, url }: Login,
  known: Known,
  proposed: string | undefined,
): Promise<Credentials> {
  const apiKey = known.apiKey ?? (await askSecret(context, 'API key: ')).trim();
  const username = known.username ?? (await askAgain(context, 'Username', proposed));
  const passwordFile = fileOf(given, url, username);
  if (known.password !== undefined || passwordFile === undefined) {
    const password = known.password ?? (await askSecret(context, 'Password: '));
    return { apiKey, username, password, passwordFile };
  }
  const how = 'Run `adx logout` first to sign in without it.';
  note(context, options, `The password is read from ${passwordFile}, as before. ${how}`);
  command.setOptionValue('passwordFile', passwordFile);
  const password = await readPrivateFile(context, options, passwordFile);
  return { apiKey, username, password, passwordFile };
}

async function signInWith(
  { context, options, url, clock }: Login,
  { apiKey, username, password, passwordFile }: Credentials,
): Promise<Profile> {
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
  } catch (error) {
    if (isKeyRefusal(error) && isTestKey(apiKey)) note(context, options, `${testKeyNote}.`);
    throw error;
  }
  // With a password file, each command signs in anew: no token has to be stored.
  const later =
    passwordFile === undefined ? { refreshToken } : { passwordFile: resolve(passwordFile) };
  const signedInOn = (clock.serviceTime() ?? new Date()).toISOString();
  return { url, apiKey, username, ...later, signedInOn };
}

/** Returns what need not be asked for again; undefined if nobody typed what is refused. */
function knownAfter(error: unknown, given: Given, refused: Credentials): Known | undefined {
  if (isKeyRefusal(error)) {
    return given.apiKey === undefined ? { ...refused, apiKey: undefined } : undefined;
  }
  const isTyped = given.password === undefined && refused.passwordFile === undefined;
  if (!isTyped || !(error instanceof AuthenticationError)) return undefined;
  return { apiKey: refused.apiKey, username: given.username };
}

function isKeyRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalidApiKey';
}

/** @throws WrongUse if the user lets others read the file, as `ssh` refuses such keys */
async function readPrivateFile(
  context: Context,
  options: GlobalOptions,
  path: string,
): Promise<string> {
  const password = await readPasswordFile(path);
  if (!(await isReadableByOthers(path))) return password;
  const found = `Other users can read ${path}`;
  if (await canChangeMode(path)) throw new WrongUse(`${found}. Run \`chmod 600 ${path}\`.`);
  note(context, options, `${found}, ${fixedMode}.`);
  return password;
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
function requireTerminal(context: Context, given: Given, isIgnored: boolean): void {
  if (context.stdin.isTTY === true) return;
  const sources: readonly [keyof Given, string][] = [
    ['url', '--url or ADX_URL'],
    ['apiKey', 'ADX_API_KEY'],
    ['username', '--username or ADX_USERNAME'],
    ['password', '--password-file or ADX_PASSWORD'],
  ];
  const missing = sources.filter(([name]) => given[name] === undefined);
  if (missing.length === 0) return;
  const names = missing.map(([, source]) => source).join(', ');
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
