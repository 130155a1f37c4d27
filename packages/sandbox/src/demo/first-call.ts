import { basename } from 'node:path';

/** The shells for which there is a first call. */
export const shells = ['sh', 'fish', 'powershell', 'cmd'] as const;
export type Shell = (typeof shells)[number];

/** The variables that `adx` and all examples read. */
interface Settings {
  readonly ADX_URL: string;
  readonly ADX_API_KEY: string;
  readonly ADX_USERNAME: string;
  readonly ADX_PASSWORD: string;
}

/** Returns the shell of the user who started this process. */
export function ownShell({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): Shell {
  if (platform === 'win32') return 'powershell';
  return basename(env['SHELL'] ?? '') === 'fish' ? 'fish' : 'sh';
}

/** How a shell sets a variable, whose value has no quotes, and calls the service. */
const ways: Readonly<
  Record<Shell, { set(name: string, value: string): string; call(body: string): string }>
> = {
  sh: {
    set: (name, value) => `export ${name}=${value}`,
    call: (body) => `ID_TOKEN=$(${signIn(body)})\n${listCustomers}`,
  },
  fish: {
    set: (name, value) => `set -gx ${name} ${value}`,
    call: (body) => `set ID_TOKEN (${signIn(body)})\n${listCustomers}`,
  },
  powershell: {
    set: (name, value) => `$env:${name} = '${value}'`,
    call: (body) => `$headers = @{ 'x-api-key' = $env:ADX_API_KEY }
$tokens = Invoke-RestMethod "$env:ADX_URL/token" -Method Post -Headers $headers \`
  -ContentType 'application/json' -Body '${body}'
$headers.authorization = "Bearer $($tokens.idToken)"
Invoke-RestMethod "$env:ADX_URL/customers" -Headers $headers`,
  },
  // Without a program that reads JSON, cmd cannot take the token from the answer.
  cmd: {
    set: (name, value) => `set "${name}=${value}"`,
    call: () => 'adx customers list',
  },
};

function signIn(body: string): string {
  return `curl -s $ADX_URL/token \\
  -H "x-api-key: $ADX_API_KEY" -H 'content-type: application/json' \\
  -d '${body}' |
  sed 's/.*"idToken":"\\([^"]*\\)".*/\\1/'`;
}

const listCustomers =
  'curl -s $ADX_URL/customers -H "x-api-key: $ADX_API_KEY" -H "authorization: Bearer $ID_TOKEN"';

/** Returns the line that sets a variable in a shell; the value has no quotes. */
export function setVariable(shell: Shell, name: string, value: string): string {
  return ways[shell].set(name, value);
}

/**
 * Returns lines to paste into a shell: they set the variables of `adx` and of the examples, sign
 * in, and list the customers.
 */
export function firstCall(shell: Shell, settings: Settings): string {
  const { set, call } = ways[shell];
  const password = Buffer.from(settings.ADX_PASSWORD).toString('base64');
  const body = JSON.stringify({ username: settings.ADX_USERNAME, password });
  const lines = Object.entries(settings).map(([name, value]) => set(name, value));
  return `${[...lines, call(body)].join('\n')}\n`;
}
