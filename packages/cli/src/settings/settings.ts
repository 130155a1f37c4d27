import type { Context, GlobalOptions } from '../context.js';
import { WrongUse } from '../failure.js';
import { decodeText, readInput } from '../read-input.js';
import { type Profile, readProfile } from './profile.js';

/** Where the service is, and the credentials. */
export interface Settings {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly apiKey: string;
  readonly signIn: SignIn;
  /**
   * The profile, if it is for this address. Variables take precedence over what it has, unless it
   * is named.
   */
  readonly profile: Profile | undefined;
  /** Says which source was used, if two differ. */
  readonly note?: string;
}

/** Either a username and password, or the refresh token of an earlier sign-in. */
type SignIn =
  | { readonly username: string; readonly password: string }
  | { readonly refreshToken: string };

const defaultProfile = 'default';

export function profileName(context: Context, { profile }: GlobalOptions): string {
  return profile ?? context.env['ADX_PROFILE'] ?? defaultProfile;
}

/** The variables of one service and user. */
const ofService = [
  ...['ADX_URL', 'ADX_API_KEY', 'ADX_USERNAME'],
  ...['ADX_PASSWORD', 'ADX_PASSWORD_FILE', 'ADX_REFRESH_TOKEN'],
];

/**
 * Returns the variables that count. With `--profile` none of a service does: it is given
 * explicitly, and would otherwise get the secrets of another service.
 */
export function variablesOf({ env }: Context, { profile }: GlobalOptions): Context['env'] {
  const counts = ([name]: [string, unknown]) => profile === undefined || !ofService.includes(name);
  return Object.fromEntries(Object.entries(env).filter(counts));
}

/** Says which of two sources is used, if they are for different services or users. */
export function noteOf(
  { env }: Context,
  option: GlobalOptions,
  name: string,
  stored: Profile | undefined,
): { note?: string } {
  if (stored === undefined) return {};
  const { url, apiKey, username, passwordFile, refreshToken } = stored;
  const same: Readonly<Record<string, readonly (string | undefined)[]>> = {
    ADX_URL: plainUrl(env['ADX_URL'] ?? '') === url ? [env['ADX_URL']] : [],
    ADX_API_KEY: [apiKey],
    ADX_USERNAME: [username],
    // Without --profile, they are for the service and the user of the profile that lack them.
    ...(option.profile !== undefined && {
      ...{ ADX_PASSWORD: [], ADX_PASSWORD_FILE: [passwordFile], ADX_REFRESH_TOKEN: [refreshToken] },
    }),
  };
  const differing = Object.keys(same).filter(
    (variable) => env[variable] !== undefined && !same[variable]?.includes(env[variable]),
  );
  if (differing.length === 0) return {};
  const [variables, profile] = [differing.join(', '), `the profile "${name}" (${url})`];
  return option.profile === undefined
    ? {
        note: `${variables} of the environment ${differing.length === 1 ? 'counts' : 'count'}, and not ${profile}`,
      }
    : { note: `${profile} counts, and not ${variables} of the environment` };
}

/** Returns the address of the service, if it is set. */
export async function addressOf(
  context: Context,
  option: GlobalOptions,
): Promise<string | undefined> {
  const url = variablesOf(context, option)['ADX_URL'];
  if (url !== undefined) return normaliseUrl(url);
  return (await readProfile(context.profileFolder, profileName(context, option)))?.url;
}

/**
 * Reads the settings: from the profile that `--profile` names, otherwise each from its variable,
 * otherwise from the profile. A profile is for one address, so it is not used if `ADX_URL` is
 * another one.
 *
 * @throws WrongUse with everything that is missing
 */
export async function readSettings(context: Context, option: GlobalOptions): Promise<Settings> {
  const env = variablesOf(context, option);
  checkVariables(env);
  const name = profileName(context, option);
  const stored = await readProfile(context.profileFolder, name);
  const url = env['ADX_URL'] === undefined ? stored?.url : normaliseUrl(env['ADX_URL']);
  const profile = stored?.url === url ? stored : undefined;
  const apiKey = env['ADX_API_KEY'] ?? profile?.apiKey;
  const signIn = await readSignIn(env, profile);
  if (url !== undefined && apiKey !== undefined && signIn !== undefined) {
    return { url, apiKey, signIn, profile, ...noteOf(context, option, name, stored) };
  }
  const missing = [
    ...(url === undefined ? ['ADX_URL'] : []),
    ...(apiKey === undefined ? ['ADX_API_KEY'] : []),
    ...(signIn === undefined
      ? ['ADX_USERNAME with ADX_PASSWORD or ADX_PASSWORD_FILE, or ADX_REFRESH_TOKEN']
      : []),
  ];
  const owner = profile === undefined ? stored?.url : `the user ${profile.username}`;
  throw new WrongUse(
    [
      `The profile "${name}" ${owner === undefined ? 'does not exist' : `is for ${owner}`}.`,
      option.profile === undefined
        ? `Run \`adx login\`, or set ${missing.join(', ')}.`
        : `Run \`adx login --profile ${name}\`.`,
    ].join(' '),
  );
}

/** @throws WrongUse if variables are set but empty, as by a script without their values */
export function checkVariables(env: Context['env']): void {
  const empty = [...ofService, 'ADX_PROFILE'].filter((name) => env[name] === '');
  if (empty.length === 0) return;
  throw new WrongUse(`${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} empty.`);
}

async function readSignIn(
  env: Context['env'],
  profile: Profile | undefined,
): Promise<SignIn | undefined> {
  const username = env['ADX_USERNAME'] ?? profile?.username;
  const file = env['ADX_PASSWORD_FILE'];
  const password = env['ADX_PASSWORD'] ?? (file && (await readPasswordFile(file)));
  if (password !== undefined) return username === undefined ? undefined : { username, password };
  const refreshToken = env['ADX_REFRESH_TOKEN'];
  if (refreshToken !== undefined) return { refreshToken };
  // The stored credentials are those of the stored user.
  if (profile === undefined || username !== profile.username) return undefined;
  if (profile.passwordFile !== undefined) {
    return { username, password: await readPasswordFile(profile.passwordFile) };
  }
  return profile.refreshToken === undefined ? undefined : { refreshToken: profile.refreshToken };
}

/** Returns the first line of a file. */
export async function readPasswordFile(path: string): Promise<string> {
  const text = decodeText(await readInput(path));
  if (text === undefined) throw new WrongUse(`${path} is not text in UTF-8.`);
  const [password = ''] = text.split(/\r?\n/);
  if (password === '') throw new WrongUse(`${path} has no password in its first line.`);
  return password;
}

/**
 * Returns an address without closing slashes, and with `/v1` if it has no path; undefined if it is
 * no address.
 */
function plainUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '') || '/v1'}`;
}

/** Returns an address that ends in `/v1`. */
export function normaliseUrl(text: string): string {
  const url = plainUrl(text);
  if (url === undefined || !/^https?:/.test(url)) {
    throw new WrongUse(`"${text}" is not an address such as https://adx.example.org/v1.`);
  }
  if (url.endsWith('/v1')) return url;
  const { origin } = new URL(url);
  throw new WrongUse(`The address ends in /v1, such as ${origin}/v1, but "${text}" does not.`);
}
