import { AuthenticationError, type Client, networkErrorOf } from '@adx/client';
import { type Check, ok, problem, skipped } from '@adx/command/check';
import type { Context, GlobalOptions } from '../context.js';
import { changeApiKey, changeSignIn, explain, networkAdvice } from '../explain.js';
import { exitCodeOf, exitCodes } from '../failure.js';
import { clientOf, expiryNote, isTestKey, testKeyNote } from '../settings/open-client.js';
import { openFetch, proxiesOf, type WatchedClock, watchClock } from '../settings/open-fetch.js';
import { canChangeMode, fixedMode, isReadableByOthers, profilePath } from '../settings/profile.js';
import { profileName, readSettings, type Settings, variablesOf } from '../settings/settings.js';
import { checkScopes } from './check-scopes.js';
import { checkStorage } from './check-storage.js';

/** The storage refuses uploads whose time differs by more than 15 minutes. */
const longestSkewMs = 5 * 60_000;
const dayMs = 86_400_000;
/** The validity of a refresh token (§5 rule 2). */
const signInDays = 30;

/**
 * Checks everything that `adx` needs, one after the other (D-51). What cannot be checked because of
 * an earlier problem is skipped.
 */
export async function runChecks(context: Context, option: GlobalOptions): Promise<Check[]> {
  const proxy = checkProxy(context);
  const env = variablesOf(context, option);
  let settings: Settings;
  let clock: WatchedClock;
  let client: Client;
  try {
    settings = await readSettings(context, option);
    clock = watchClock(await openFetch(context.env));
    // The check of the key says when it ends.
    const onApiKeyExpiry = () => {};
    client = clientOf(settings, { fetch: clock.fetch, maxRetries: 0, onApiKeyExpiry });
  } catch (error) {
    return [problem('settings', explain(error), 'Correct the settings.', exitCodeOf(error)), proxy];
  }
  const { address, key, isAccepted } = await checkAddress(env, settings, clock);
  const signIn = isAccepted ? await checkSignIn(env, client, settings, clock) : skipped('sign-in');
  const signedIn = signIn.result === 'ok';
  return [
    await checkSettings(context, option, settings),
    proxy,
    address,
    checkClock(clock),
    key,
    signIn,
    signedIn ? await orProblem('scopes', () => checkScopes(client)) : skipped('scopes'),
    signedIn
      ? await orProblem('storage', () => checkStorage(client, clock.fetch))
      : skipped('storage'),
  ];
}

async function checkSettings(
  context: Context,
  option: GlobalOptions,
  { profile, url, note }: Settings,
): Promise<Check> {
  const { ADX_PASSWORD_FILE } = variablesOf(context, option);
  const path = profile && profilePath(context.profileFolder, profileName(context, option));
  const notes = note === undefined ? [] : [note];
  for (const file of new Set([path, profile?.passwordFile, ADX_PASSWORD_FILE])) {
    if (file === undefined || !(await isReadableByOthers(file))) continue;
    const found = `other users can read ${file}`;
    if (await canChangeMode(file)) {
      return problem('settings', found, `Run \`chmod 600 ${file}\`.`, exitCodes.wrongUse);
    }
    notes.push(`${found}, ${fixedMode}`);
  }
  const ofVariables = note === undefined ? ', from the environment' : '';
  const source = path ? `, from ${path}` : ofVariables;
  return ok('settings', [`${url}${source}`, ...notes].join('; '));
}

function checkProxy({ env }: Context): Check {
  const proxies = proxiesOf(env);
  if (proxies === undefined) return ok('proxy', 'none (HTTPS_PROXY and HTTP_PROXY are not set)');
  const { httpProxy, httpsProxy, noProxy } = proxies;
  const used = [httpsProxy, httpProxy].find((each) => each !== undefined && each !== '') ?? '';
  if (!/^https?:\/\//.test(used) || !URL.canParse(used)) {
    return problem(
      'proxy',
      'its address cannot be read',
      'Write it as http://proxy.example.org:3128.',
      exitCodes.wrongUse,
    );
  }
  // The address may contain a password.
  return ok('proxy', `${new URL(used).host}${noProxy === '' ? '' : `, but not for ${noProxy}`}`);
}

/** Calls the service without an ID token: it checks the API key first (D-04). */
async function checkAddress(
  env: Context['env'],
  { url, apiKey }: Settings,
  { fetch }: WatchedClock,
): Promise<{ address: Check; key: Check; isAccepted?: true }> {
  const name = 'address';
  let status: number;
  let body: unknown;
  let expires: string | null;
  try {
    const response = await fetch(`${url}/hello-world`, {
      method: 'GET',
      headers: { 'x-api-key': apiKey },
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    ({ status } = response);
    expires = response.headers.get('x-api-key-expires');
    body = parse(await response.text());
  } catch (error) {
    const { message, reason } = networkErrorOf('helloWorld', url, 'no answer', error);
    return { address: problem(name, message, networkAdvice[reason]), key: skipped('key') };
  }
  const { error, requestId } = Object(body);
  if (typeof requestId !== 'string') {
    const found = `${url} answered ${status}, and is not the service`;
    const isHttps =
      status === 400 && url.startsWith('http:') ? ', whether the port is for https' : '';
    const advice = `Check the address${isHttps}, and whether a proxy answered instead.`;
    return {
      address: problem(name, found, advice, exitCodes.wrongUse),
      key: skipped('key'),
    };
  }
  const address = ok(name, `${url} answers`);
  if (error === 'unauthorized') {
    return { address, key: checkExpiry(apiKey, expires), isAccepted: true };
  }
  if (error !== 'invalidApiKey') {
    const found = `the service answered ${error} [request ${requestId}]`;
    return { address: problem(name, found, 'Try again later.'), key: skipped('key') };
  }
  const why = isTestKey(apiKey) ? `: ${testKeyNote}` : '';
  const found = `the service does not accept the API key${why}`;
  return { address, key: problem('key', found, changeApiKey(env), exitCodes.refused) };
}

/** Checks whether the secret is an old one, which ends soon (D-35). */
function checkExpiry(apiKey: string, expires: string | null): Check {
  const found = `the service accepts it${isTestKey(apiKey) ? ', a test key' : ''}`;
  const until = new Date(expires ?? '');
  if (Number.isNaN(until.getTime())) return ok('key', found);
  const ending = `${found}, until ${until.toISOString()}`;
  return problem('key', ending, expiryNote(until), exitCodes.refused);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function checkSignIn(
  env: Context['env'],
  client: Client,
  { profile, signIn }: Settings,
  clock: WatchedClock,
): Promise<Check> {
  const name = 'sign-in';
  try {
    await client.auth.hello();
  } catch (error) {
    if (error instanceof AuthenticationError) {
      const found = `The sign-in was refused: ${error.reason}.`;
      return problem(name, found, changeSignIn(env), exitCodes.refused);
    }
    return problem(name, explain(error, env), 'Run `adx doctor` again later.', exitCodeOf(error));
  }
  if ('username' in signIn) return ok(name, `${signIn.username}, with a password`);
  if (profile?.refreshToken !== signIn.refreshToken) return ok(name, 'with ADX_REFRESH_TOKEN');
  const end = Date.parse(profile.signedInOn) + signInDays * dayMs;
  const days = Math.floor((end - (clock.serviceTime() ?? new Date()).getTime()) / dayMs);
  const found = `${profile.username}, for ${days} more days`;
  if (days > 7) return ok(name, found);
  return problem(
    name,
    found,
    'Run `adx login`, or use --password-file if nobody is there to do so.',
    exitCodes.refused,
  );
}

function checkClock(clock: WatchedClock): Check {
  const ahead = clock.aheadMs();
  if (ahead === undefined) return skipped('clock');
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const found = `${seconds} s ${ahead < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(ahead) < longestSkewMs) return ok('clock', found);
  return problem(
    'clock',
    found,
    'Set the clock of this machine: uploads would be refused.',
    exitCodes.wrongUse,
  );
}

/** Runs a check. An error of it is a problem. */
async function orProblem(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return problem(name, explain(error), 'Run `adx doctor` again later.', exitCodeOf(error));
  }
}
