import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCaller } from '../src/core/create-caller.js';
import { createTransport } from '../src/core/transport.js';
import { AuthenticationError, type Client, ServerError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { type Answer, failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const path = `/customers/${customerId}`;
const ok: Answer = { json: { id: customerId, records: [], recordsTotal: 0, recordsFiltered: 0 } };
/** Returns each of these failures in turn, and then a success. */
const failing = (route: string, ...answers: Answer[]) =>
  service.on(route, (_, nth) => answers[nth - 1] ?? ok);

const idempotent: [string, string, (client: Client) => PromiseLike<unknown>][] = [
  ['a read', `GET ${path}`, (client) => client.customers.get(customerId)],
  ['a search', 'POST /customers', (client) => client.customers.search()],
  ['a file list', 'POST /coda-files', (client) => client.codaFiles.list()],
  ['an update', `PATCH ${path}`, (client) => client.customers.update(customerId, { name: 'B' })],
  ['an archiving', `DELETE ${path}`, (client) => client.customers.archive(customerId)],
  [
    'adding a bank account (D-15)',
    `POST ${path}/bank-accounts/BE71096123456769`,
    (client) => client.customers.addBankAccount(customerId, 'BE71096123456769'),
  ],
];
/** Calls that are sent with an `Idempotency-Key` (D-43). */
const keyed: typeof idempotent = [
  ['a creation', 'POST /customers/create', (client) => client.customers.create({} as never)],
  [
    'a mandate request',
    `POST /mandates/${customerId}/request`,
    (client) => client.mandates.request(customerId),
  ],
];
const passing: [string, Answer][] = [
  ['a lost connection', { drop: 'before' }],
  ['a response cut off', { ...ok, drop: 'amid' }],
  ['500', failure(500, 'internalError')],
  ['502', { status: 502, text: '<h1>Bad Gateway</h1>' }],
  ['503', failure(503, 'unavailable')],
  ['504', { status: 504, text: '' }],
  ['408', { status: 408, text: 'Request Timeout', headers: { 'retry-after': '0.01' } }],
  ['425', { status: 425, text: 'Too Early' }],
];

/** Lets the pauses of the client pass ten times as fast. */
function shortenPauses(): void {
  let clock: ReturnType<typeof setInterval>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clock = setInterval(() => vi.advanceTimersByTime(100), 10);
  });
  afterEach(() => {
    clearInterval(clock);
    vi.useRealTimers();
  });
}

describe('client: retried calls', () => {
  shortenPauses();

  it.each(idempotent)('client: %s is retried after a lost connection', async (_, route, call) => {
    failing(route, { drop: 'before' });
    await call(clientOf(service));
    expect(service.count(route)).toBe(2);
  });

  it.each(passing)('client: a read is retried after %s', async (_, answer) => {
    failing(`GET ${path}`, answer);
    await clientOf(service).customers.get(customerId);
    expect(service.count(`GET ${path}`)).toBe(2);
  });

  it.each(passing)(
    'client: a POST that is not idempotent is not retried after %s',
    async (_, answer) => {
      failing('POST /customers/create', answer);
      const user = { username: 'els', password: 'Z2VoZWlt' };
      const transport = createTransport(service.baseUrl, 'adx_test_key', fetch);
      const call = createCaller(transport, fetch, user, {}, (_, url) => url, service.baseUrl).call(
        'createCustomer',
        'post',
        ['/customers/create'],
        undefined,
        { body: {} },
      );
      await expect(call).rejects.toThrow();
      expect(service.count('POST /customers/create')).toBe(1);
    },
  );

  it('client: no call is retried after 501, because the service will not offer it in a minute', async () => {
    failing(`GET ${path}`, failure(501, 'notImplemented'));
    await expect(clientOf(service).customers.get(customerId)).rejects.toBeInstanceOf(ServerError);
    expect(service.count(`GET ${path}`)).toBe(1);
  });

  it('§7 a sign-in that is refused is not retried, although its status is 500', async () => {
    service.on('POST /token', () => failure(500, 'Authentication failed'));
    await expect(clientOf(service).customers.get(customerId)).rejects.toBeInstanceOf(
      AuthenticationError,
    );
    expect(service.count('POST /token')).toBe(1);
  });

  it.each([...idempotent, ...keyed])('client: %s is retried after 429', async (_, route, call) => {
    failing(route, failure(429, 'tooManyRequests'));
    await call(clientOf(service));
    expect(service.count(route)).toBe(2);
  });

  it('client: a sign-in is retried after a lost connection', async () => {
    service.on('POST /token', (_, nth) =>
      nth === 1 ? { drop: 'before' } : { json: { idToken: 'it' } },
    );
    service.on(`GET ${path}`, () => ok);
    await clientOf(service).customers.get(customerId);
    expect(service.count('POST /token')).toBe(2);
  });

  it('client: a retry sends the complete body', async () => {
    failing('POST /customers', { drop: 'before' });
    await clientOf(service).customers.search({ search: 'maes' });
    const bodies = service.received.filter(({ route }) => route === 'POST /customers');
    expect(bodies.map(({ body }) => body)).toEqual([{ search: 'maes' }, { search: 'maes' }]);
  });
});

describe('D-43 calls with a key', () => {
  shortenPauses();

  const keysOf = (route: string) =>
    service.received
      .filter((request) => request.route === route)
      .map(({ headers }) => headers['idempotency-key']);

  describe.each(keyed)('client: %s', (_, route, call) => {
    it.each([...passing, ['409 idempotencyKeyInUse', failure(409, 'idempotencyKeyInUse')]] as [
      string,
      Answer,
    ][])('D-43 is retried with the same key after %s', async (_failure, answer) => {
      failing(route, answer);
      await call(clientOf(service));
      const [first, ...others] = keysOf(route);
      expect(first).toMatch(/^[!-~]{16,255}$/);
      expect(others).toEqual([first]);
    });

    it('D-43 is retried with the same key after a new sign-in', async () => {
      failing(route, { drop: 'before' }, failure(401, 'tokenExpired'));
      await call(clientOf(service));
      const keys = keysOf(route);
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    });

    it('D-43 has another key each time it is made', async () => {
      service.on(route, () => ok);
      const client = clientOf(service);
      await call(client);
      await call(client);
      expect(new Set(keysOf(route)).size).toBe(2);
    });

    it('D-43 is not retried after another conflict', async () => {
      failing(route, failure(409, 'customerExists'));
      await expect(call(clientOf(service))).rejects.toMatchObject({ code: 'customerExists' });
      expect(service.count(route)).toBe(1);
    });
  });

  it.each(['Idempotency-Key', 'idempotency-key'])(
    'D-43 a key of the caller is sent with every attempt: %s',
    async (name) => {
      const route = 'POST /customers/create';
      failing(route, { drop: 'before' });
      const headers = { [name]: 'order-4711' };
      await clientOf(service).customers.create({} as never, { headers });
      expect(keysOf(route)).toEqual(['order-4711', 'order-4711']);
    },
  );

  it('D-43 every attempt sends the same body, although the caller changes its object meanwhile', async () => {
    const route = 'POST /customers/create';
    const customer = { name: 'Maes', address: { city: 'Gent' } };
    service.on(route, (_, nth) => {
      customer.address.city = 'Brugge';
      return nth === 1 ? { drop: 'before' } : ok;
    });
    await clientOf(service).customers.create(customer as never);
    const bodies = service.received.filter((request) => request.route === route);
    expect(bodies.map(({ body }) => body)).toEqual(
      Array(2).fill({ name: 'Maes', address: { city: 'Gent' } }),
    );
  });

  it('D-43 a key that is undefined is not one of the caller', async () => {
    const route = 'POST /customers/create';
    failing(route, { drop: 'before' });
    const headers = { 'Idempotency-Key': undefined };
    await clientOf(service).customers.create({} as never, { headers: headers as never });
    const [first, second] = keysOf(route);
    expect(first).toMatch(/^[!-~]{16,255}$/);
    expect(second).toBe(first);
  });

  it('D-43 other calls have no key', async () => {
    service.on('POST /customers', () => ok);
    await clientOf(service).customers.search();
    expect(keysOf('POST /customers')).toEqual([undefined]);
  });
});
