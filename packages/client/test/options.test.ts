import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Client,
  type ClientOptions,
  type Customer,
  createClient,
  type Upload,
  type UploadOutcome,
  type UploadRecord,
} from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { failure, TestService } from './support/test-service.js';

const service = TestService.forEachTest();

const location = { baseUrl: 'https://adx.example.org/v1', apiKey: 'adx_test_key' };
const login = { username: 'els', password: 'geheim' };
const made = (options: object) => () => createClient(options as ClientOptions);

describe('client: options', () => {
  it('client: exactly one way to sign in, checked by the compiler', () => {
    createClient({ ...location, ...login });
    createClient({ ...location, refreshToken: 'stored' });
    // @ts-expect-error: no way to sign in
    expect(() => createClient(location)).toThrow(TypeError);
    // @ts-expect-error: two ways to sign in
    expect(() => createClient({ ...location, ...login, refreshToken: 'stored' })).toThrow(
      TypeError,
    );
    // @ts-expect-error: a username without its password
    expect(() => createClient({ ...location, username: 'els' })).toThrow(TypeError);
  });

  it.each([
    ['no way to sign in', { ...location }],
    ['an empty password', { ...location, ...login, password: '' }],
    ['no base URL', { ...login, apiKey: 'k' }],
    ['a malformed base URL', { ...location, ...login, baseUrl: 'adx.example.org/v1' }],
    ['a base URL without version', { ...location, ...login, baseUrl: 'https://adx.example.org' }],
    ['a base URL with a query', { ...location, ...login, baseUrl: 'https://adx.example.org/?/v1' }],
    [
      'a base URL with a login',
      { ...location, ...login, baseUrl: 'https://a:b@adx.example.org/v1' },
    ],
    ['http to another machine', { ...location, ...login, baseUrl: 'http://adx.example.org/v1' }],
    ['http to a name like ours', { ...location, ...login, baseUrl: 'http://127.evil.example/v1' }],
    ['another protocol', { ...location, ...login, baseUrl: 'ftp://adx.example.org/v1' }],
    ['no API key', { ...login, baseUrl: location.baseUrl }],
    ['an API key with a line break', { ...location, ...login, apiKey: 'adx_live\n' }],
    ['no time', { ...location, ...login, timeoutMs: 0 }],
    ['a time that is not a number', { ...location, ...login, timeoutMs: Number.NaN }],
  ])('client: %s is a TypeError', (_, options) => {
    expect(made(options)).toThrow(TypeError);
  });

  it.each(['baseUrl', 'apiKey', 'username', 'password', 'refreshToken'])(
    'client: the message names the option that is empty: %s',
    (option) => {
      const signIn = option === 'refreshToken' ? {} : login;
      expect(made({ ...location, ...signIn, [option]: '' })).toThrow(`${option} is empty`);
    },
  );

  it.each(['baseUrl', 'apiKey'])('client: the message names a missing option: %s', (option) => {
    expect(made({ ...location, ...login, [option]: undefined })).toThrow(`${option} is missing`);
  });

  it('client: without options, the message names the first that is missing', () => {
    expect(() => Reflect.apply(createClient, undefined, [])).toThrow('baseUrl is missing');
  });

  it('client: the message names an option that is no address', () => {
    const baseUrl = 'adx.example.org/v1';
    expect(made({ ...location, ...login, baseUrl })).toThrow('baseUrl must be an address such as');
  });

  it('client: a level of the log that does not exist is refused, and not taken for off', () => {
    expect(made({ ...location, ...login, logLevel: 'WARN' })).toThrow(
      new TypeError('logLevel must be one of off, warn, info, debug'),
    );
  });

  it.each([
    'https://adx.example.org/v1',
    'https://adx.example.org/v1/',
    'https://gateway.example.org/accounting/v1',
    'http://127.0.0.1:3000/v1',
    'http://[::1]:3000/v1',
    'http://localhost:3000/v1',
    'http://adx.localhost:3000/v1',
  ])('client: %s is accepted as base URL', (baseUrl) => {
    expect(made({ ...location, ...login, baseUrl })).not.toThrow();
  });

  it('client: http to another machine must be allowed', () => {
    const options = { ...location, ...login, baseUrl: 'http://adx:3000/v1', allowHttp: true };
    expect(made(options)).not.toThrow();
  });

  it('§9 a trailing slash of the base URL changes nothing', async () => {
    service.on('GET /hello-world', () => ({ json: { message: 'Hello.' } }));
    await clientOf(service, { baseUrl: `${service.baseUrl}/` }).auth.hello();
    expect(service.received.map(({ route }) => route)).toEqual(['POST /token', 'GET /hello-world']);
  });

  it.each([0, -1, Number.NaN])(
    'client: a call with timeoutMs %d is a TypeError, and not sent',
    async (timeoutMs) => {
      const call = clientOf(service).auth.hello({ timeoutMs });
      await expect(call).rejects.toThrow(new TypeError('timeoutMs must be positive'));
      expect(service.received).toEqual([]);
    },
  );

  it('client: the fetch of the options is used for every request', async () => {
    service.on('GET /hello-world', () => ({ json: { message: 'Hello.' } }));
    const urls: string[] = [];
    const client = clientOf(service, {
      fetch(url, init) {
        urls.push(url);
        return fetch(url, init);
      },
    });
    await client.auth.hello();
    expect(urls).toEqual([`${service.baseUrl}/token`, `${service.baseUrl}/hello-world`]);
  });
});

describe('client: path parameters', () => {
  it.each([
    ['an IBAN with spaces', 'be71 0961 2345 6769', 'be71%200961%202345%206769'],
    ['a slash and a question mark', 'a/../b?c#d', 'a%2F..%2Fb%3Fc%23d'],
    ['percent signs', '%2e%2e', '%252e%252e'],
    ['replacement patterns', '$&$1', '%24%26%241'],
  ])('§4.9 %s is encoded', async (_, iban, encoded) => {
    const path = `/customers/${customerId}/bank-accounts/${encoded}`;
    service.on(`POST ${path}`, () => ({ json: { iban: 'BE71096123456769' } }));
    await clientOf(service).customers.addBankAccount(customerId, iban);
    expect(service.received.at(-1)?.path).toBe(path);
  });

  it('§2.3 ***other*** arrives unchanged', async () => {
    const path = `/customers/${customerId}/payroll-providers/***other***`;
    service.on(`DELETE ${path}`, () => ({ json: { message: 'Removed.' } }));
    await clientOf(service).customers.removePayrollProvider(customerId, '***other***');
    expect(decodeURIComponent(service.received.at(-1)?.path ?? '')).toBe(path);
  });

  it.each([
    ['', '""'],
    ['.', '"."'],
    ['..', '".."'],
    [undefined, 'undefined'],
  ])(
    'client: %o, which would address another resource, is a TypeError and not sent',
    async (id, shown) => {
      const archiving = clientOf(service).customers.archive(id as string);
      await expect(archiving).rejects.toThrow(`customerId cannot be ${shown}`);
      expect(service.received.map(({ route }) => route)).toEqual(['POST /token']);
    },
  );
});

describe('client: secrets', () => {
  const secrets = {
    apiKey: 'adx_live_SECRET1',
    username: 'els',
    password: 'SECRET2',
  };
  const hidden = /SECRET1|SECRET2|U0VDUkVUMg|refresh-1|signature/;
  const shown = (value: unknown) =>
    [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join();

  it('client: are not visible on the client', async () => {
    service.on('GET /hello-world', () => ({ json: { message: 'Hello.' } }));
    const client = clientOf(service, secrets);
    await client.auth.hello();
    expect(shown(client)).not.toMatch(hidden);
  });

  it.each([
    ['a refused sign-in', 'POST /token', failure(500, 'Authentication failed')],
    ['a malformed token response', 'POST /token', { text: '{"idToken":SECRET1}' }],
    ['a lost sign-in', 'POST /token', { drop: 'before' as const }],
    ['an error', 'GET /hello-world', failure(403, 'invalidApiKey')],
    ['a lost connection', 'GET /hello-world', { drop: 'before' as const }],
    [
      'an interrupted response',
      'GET /hello-world',
      { drop: 'amid' as const, json: { message: 'Hello' } },
    ],
  ])('client: are not visible on the error of %s', async (_, route, answer) => {
    service.on(route, () => answer);
    const call = clientOf(service, { ...secrets, maxRetries: 0 }).auth.hello();
    const error = await call.catch((it: unknown) => it);
    expect(error).toBeInstanceOf(Error);
    expect(shown(error)).not.toMatch(hidden);
  });

  it('client: are not visible on the error of a malformed API key', () => {
    expect(made({ ...location, ...login, apiKey: 'SECRET1\n2' })).toThrow(/^(?!.*SECRET1)/s);
  });
});

describe('client: types', () => {
  it('client: responses are typed by the interface', () => {
    const client = createClient({ ...location, ...login });
    expectTypeOf(client.customers.get).returns.resolves.toEqualTypeOf<Customer>();
    expectTypeOf<Awaited<ReturnType<typeof client.customers.search>>['records']>().toEqualTypeOf<
      Customer[]
    >();
  });

  it('D-32 an outcome is processed or rejected, and its findings have the codes of the spec', () => {
    type Outcome = Awaited<ReturnType<Upload<UploadOutcome>['outcome']>>;
    expectTypeOf<Client['codaFiles']['upload']>().returns.resolves.toEqualTypeOf<Upload<Outcome>>();
    expectTypeOf<Outcome>().toExtend<UploadRecord>();
    expectTypeOf<Outcome['status']>().toEqualTypeOf<'processed' | 'rejected'>();
    expectTypeOf<Outcome['settledOn']>().toEqualTypeOf<string>();
    type Code = Outcome['findings'][number]['code'];
    expectTypeOf<'unknownAccount'>().toExtend<Code>();
    // More than `string`, so that editors propose the codes, and open for those of tomorrow.
    expectTypeOf<Code>().not.toEqualTypeOf<string>();
    expectTypeOf<string>().toExtend<Code>();
  });
});
