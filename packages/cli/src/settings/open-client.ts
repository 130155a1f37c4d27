import { type Client, type ClientOptions, createClient } from '@adx/client';
import { type Context, type GlobalOptions, note } from '../context.js';
import { WrongUse } from '../failure.js';
import { openFetch } from './open-fetch.js';
import { readSettings, type Settings } from './settings.js';

/** Creates the client of a command, with the settings of the environment or of a profile. */
export async function openClient(
  context: Context,
  option: GlobalOptions,
  options: Pick<ClientOptions, 'fetch' | 'maxRetries'> = {},
): Promise<Client> {
  const settings = await readSettings(context, option);
  if (settings.note !== undefined) note(context, option, `${settings.note}.`);
  const fetch = options.fetch ?? (await openFetch(context.env));
  const notes = notesOf(context, option, settings.url, options.maxRetries);
  return clientOf(settings, { ...notes, ...options, fetch });
}

/** Somebody waits for most commands, so they give up sooner than other programs. */
const mostRetries = 2;

/** The options by which a client notes that its key ends, and once that an outage goes on. */
export function notesOf(
  context: Context,
  option: GlobalOptions,
  url: string,
  maxRetries: number = mostRetries,
) {
  let failedAt: number | undefined;
  return {
    onApiKeyExpiry: (until: Date) => note(context, option, expiryNote(until)),
    logLevel: 'debug',
    logger: {
      warn() {
        failedAt ??= Date.now();
        if (Date.now() - failedAt < 1_000) return;
        failedAt = Number.POSITIVE_INFINITY;
        const time = maxRetries > mostRetries ? ', for a minute or longer' : '';
        const text = `Calls to ${url} or its storage fail. They are repeated up to ${maxRetries} times${time}.`;
        note(context, option, text);
      },
      info() {},
      debug() {
        failedAt = undefined;
      },
    },
  } satisfies Partial<ClientOptions>;
}

/** Says that a new secret of the API key is there, and until when the stored one works (D-35). */
export function expiryNote(until: Date): string {
  return `The API key works until ${until.toISOString()}, because the operator of the service has issued a new one. Run \`adx login\` with that, or set ADX_API_KEY.`;
}

/** Returns true for a key of a sandbox or of staging (D-20). */
export function isTestKey(apiKey: string): boolean {
  return apiKey.startsWith('adx_test_');
}

/** Says why a service does not accept an API key, if its kind shows that. */
export const testKeyNote =
  'it is a test key, which only the sandbox or staging that issued it accepts';

/** @throws WrongUse if the address or the key cannot be used */
export function clientOf(
  { url, apiKey, signIn }: Pick<Settings, 'url' | 'apiKey' | 'signIn'>,
  options: Omit<Partial<ClientOptions>, 'username' | 'password' | 'refreshToken'>,
): Client {
  try {
    return createClient({ baseUrl: url, apiKey, ...signIn, maxRetries: mostRetries, ...options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new WrongUse(reasonOf(error, url), { cause: error });
  }
}

function reasonOf({ message }: TypeError, url: string): string {
  if (message.startsWith('apiKey must')) return 'The API key has characters that no key has.';
  if (message.includes('https,')) return `${url} must begin with https, or be on this machine.`;
  return `The settings cannot be used: ${message}.`;
}
