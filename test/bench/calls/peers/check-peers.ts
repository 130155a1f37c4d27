import { isDeepStrictEqual } from 'node:util';
import type { ServerUnderLoad } from '../server-under-load.js';

type Headers = Readonly<Record<string, string>>;

export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/**
 * Checks that each server does the same work as the service, which is the first one.
 *
 * @throws Error if a server answers otherwise, or accepts what it has to refuse
 */
export async function checkPeers(
  servers: readonly ServerUnderLoad[],
  calls: readonly Call[],
  credentials: Headers,
): Promise<void> {
  for (const call of calls) {
    let expected: unknown;
    for (const server of servers) {
      const { status, body, headers } = await send(server, call, credentials);
      expected ??= body;
      if (status !== 200 || !isDeepStrictEqual(body, expected)) {
        throw new Error(`${server.kind} answers ${call.name} with ${JSON.stringify(body)}`);
      }
      if (server.kind === 'bare') continue;
      if (![...headers.keys()].some((name) => name.startsWith('ratelimit'))) {
        throw new Error(`${server.kind} limits no calls of ${call.name}`);
      }
      await checkRefusals(server, call, credentials);
    }
  }
}

async function checkRefusals(
  server: ServerUnderLoad,
  call: Call,
  { 'x-api-key': key = '', Authorization: token = '' }: Headers,
): Promise<void> {
  const headers = { 'x-api-key': key, Authorization: token };
  const expect = async (
    flaw: string,
    statuses: readonly number[],
    { sent = headers, ...changes }: Partial<Call> & { readonly sent?: Headers },
  ) => {
    const { status } = await send(server, { ...call, ...changes }, sent);
    if (statuses.includes(status)) return;
    throw new Error(`${server.kind} answers ${status} to ${call.name} with ${flaw}`);
  };
  const unknownKey = `adx_live_${'a'.repeat(43)}`;
  const forgedToken = `${token.slice(0, -4)}AAAA`;
  const refused = [401, 403];
  await expect('no API key', refused, { sent: { Authorization: token } });
  await expect('an unknown API key', refused, { sent: { ...headers, 'x-api-key': unknownKey } });
  await expect('no ID token', [401], { sent: { 'x-api-key': key } });
  await expect('a forged ID token', [401], { sent: { ...headers, Authorization: forgedToken } });
  const id = /[0-9a-f]{24}$/;
  if (id.test(call.path)) await expect('a wrong id', [400], { path: call.path.replace(id, 'x') });
  if (call.body === undefined) return;
  await expect('an unknown field', [400], { body: { ...call.body, unknown: 1 } });
}

/** Sends a call. URLs are compared without their time and signature. */
async function send(
  { port }: ServerUnderLoad,
  { method, path, body }: Call,
  credentials: Headers,
): Promise<{ status: number; headers: Response['headers']; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body === undefined
      ? { headers: credentials }
      : {
          headers: { ...credentials, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
  });
  const text = (await response.text()).replaceAll(/X-Amz-(Credential|Date|Signature)=[^&"]*/g, '');
  const { status, headers } = response;
  return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
}
