/*
 * Serves and calls the operations of `specWithParameters`. It is compiled and run in a temporary
 * repository with the files that this spec generates, and prints what the handlers got and what the
 * callers got. Its argument has queries, which it sends too.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from 'express';
import { pino } from 'pino';
import { createClient } from './packages/client/src/create-client.js';
import { createConcurrencyLimit } from './packages/server/src/api/concurrency-limit.js';
import type { Handlers } from './packages/server/src/generated/handlers.gen.js';
import { createApp } from './packages/server/src/http/app.js';
import type { ApiKeyContext, UserContext } from './packages/server/src/identity/request-context.js';

const handled: unknown[] = [];
const contact = {
  name: 'Jan',
  function: 'Zaakvoerder',
  email: 'jan@example.org',
  language: 'nl',
} as const;
type Contacts = Pick<Handlers<UserContext>, 'findContacts' | 'getContacts' | 'searchContacts'>;
const contacts: Contacts = {
  findContacts: ({ query, headers }) => {
    handled.push({ query, headers });
    const { atMost = 0 } = query;
    return { status: 200, headers: { 'X-Total': atMost + 1 }, body: [contact] };
  },
  getContacts: ({ path }) => {
    handled.push({ path });
    return { status: 200, body: contact };
  },
  searchContacts: ({ query, headers, body }) => {
    handled.push({ query, headers, body });
    const isFirst = (body.offset ?? 0) === 0;
    return {
      status: 200,
      body: { records: isFirst ? [contact] : [], recordsTotal: 2, recordsFiltered: 2 },
    };
  },
};

const turn = createConcurrencyLimit({ places: 4 });
const { listener, ...classes } = createApp({
  settings: {
    publicUrl: 'http://localhost',
    trustedProxies: undefined,
    corsOrigin: '*',
    rateLimitPerMinute: 1000,
    docsDir: '/nowhere',
  },
  logger: pino({ level: 'silent' }),
  metrics: { countRequest: () => {} },
  authenticator: {
    apiKey: async () => ({
      id: 'k',
      partner: 'Tests',
      scopes: ['customers:read'],
      expiresAt: undefined,
    }),
    principal: async () => ({
      ...{ userId: 'u', firmId: 'f', accessLevel: 'administrator', seesCustomers: 'all' },
    }),
  },
  handlers: {
    ...contacts,
    getToken: () => ({ status: 200, body: { idToken: 'it' } }),
  } as unknown as Handlers<UserContext, ApiKeyContext>,
  jwks: async () => ({}),
  signingPage: { path: '/sign', router: Router() },
  readiness: async () => ({
    status: 'ready',
    checks: { database: { status: 'ok' }, storage: { status: 'ok' } },
  }),
  rateLimit: async () => ({ isAllowed: true, remaining: 1, msLeft: 1000 }),
  turnOfFirm: turn,
  turnOfSignIn: turn,
  usage: { count: () => {} },
  trail: { add: () => {} },
});
const server = createServer(classes, listener).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const credentials = { 'x-api-key': 'k', authorization: 'Bearer t', connection: 'close' };
  const response = await fetch(baseUrl + path, { method, headers: { ...credentials, ...headers } });
  const text = await response.text();
  const { requestId, message, ...body } = text === '' ? {} : JSON.parse(text);
  return { status: response.status, body, headers: Object.fromEntries(response.headers) };
}

const got: Record<string, unknown> = {};
const client = createClient({ baseUrl, apiKey: 'k', username: 'u', password: 'p', maxRetries: 0 });
got['find'] = await client.contacts.find(
  { name: 'Jan & co', languages: ['nl', 'fr'], atMost: 3, isActive: false },
  { headers: { 'X-Region': 'a,b', 'X-Count': 2 } },
);
got['find with less'] = await client.contacts.find({ name: 'Jan' });
got['search'] = [];
const page = client.contacts.search(
  { search: 'jan', limit: 1 },
  { languages: ['de'] },
  { headers: { 'X-Region': 'c' } },
);
for await (const { name } of page) (got['search'] as unknown[]).push(name);

for (const [name, query, headers] of [
  ['nothing', ''],
  ['one language', '?name=Jan&languages=nl'],
  ['a default', '?name=Jan'],
  ['wrong values', '?name=J&languages=xx&atMost=many&isActive=perhaps', { 'x-count': 'two' }],
  ['a value twice', '?name=Jan&name=Els'],
  ['an empty value', '?name='],
  ['reserved characters', '?name=Jan+Els:a,b'],
  ['unknown names', '?name=Jan&naam=Els&lang[a]=1'],
  ['direction', `?name=${encodeURIComponent('Jan\u202e')}`],
] as const) {
  const { status, body } = await raw(`/contacts${query}`, headers);
  got[name] = { status, body };
}
/** Sends a call, and remembers what its handler got, or the answer without one. */
async function read(name: string, path: string, headers: Record<string, string> = {}) {
  const before = handled.length;
  const { status, body } = await raw(path, headers);
  got[name] = handled.splice(before)[0] ?? { status, body };
}
for (const query of JSON.parse(process.argv[2] ?? '[]'))
  await read(query, `/contacts?name=Jan&${query}`);
for (const number of ['12', '%31%32', '0x1F', '1e999', '9007199254740993']) {
  await read(`path ${number}`, `/contacts/${number}`);
  await read(`header ${number}`, '/contacts?name=Jan', { 'x-count': number });
}

got['headers'] = (await raw('/contacts?name=Jan&atMost=7')).headers;
got['preflight'] = (
  await raw(
    '/contacts',
    { 'access-control-request-method': 'GET', origin: 'https://a.example' },
    'OPTIONS',
  )
).headers;
process.stdout.write(JSON.stringify({ handled, got }));
server.close();
