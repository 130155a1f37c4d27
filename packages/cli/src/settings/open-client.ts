import { type Client, type ClientOptions, createClient } from '@adx/client';
import { type Context, type GlobalOptions, hint } from '../context.js';
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
  if (settings.note !== undefined) hint(context, option, `note: ${settings.note}.`);
  return clientOf(settings, { ...options, fetch: options.fetch ?? (await openFetch(context.env)) });
}

/** @throws WrongUse if the address or the key cannot be used */
export function clientOf(
  { url, apiKey, signIn }: Pick<Settings, 'url' | 'apiKey' | 'signIn'>,
  options: Pick<ClientOptions, 'fetch' | 'onRefreshToken' | 'maxRetries'>,
): Client {
  try {
    // Somebody waits for most commands, so they give up sooner than other programs.
    return createClient({ baseUrl: url, apiKey, ...signIn, maxRetries: 2, ...options });
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
