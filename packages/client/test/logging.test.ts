import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { type Logger, type LogLevel, StorageError } from '../src/index.js';
import { clientOf, customerId } from './support/client-of.js';
import { failure, TestService } from './support/test-service.js';
import { TestStorage } from './support/test-storage.js';
import { credentials } from './support/upload-credentials.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();

let lines: string[];
let logger: Logger;
beforeEach(() => {
  lines = [];
  const receive = (level: string) => (line: string) => lines.push(`${level}: ${line}`);
  logger = { warn: receive('warn'), info: receive('info'), debug: receive('debug') };
});
afterEach(() => vi.restoreAllMocks());

/** Waits for lines, and returns them without times and pauses. */
async function logged(count: number): Promise<string[]> {
  await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(count));
  return lines.map((line) => line.replaceAll(/\d+ ms/g, '… ms'));
}

const get = `GET /customers/${customerId}`;
const busy = failure(503, 'unavailable');
const ok = { json: { id: customerId }, headers: { 'x-request-id': 'request-2' } };

describe('client: logger', () => {
  it.each([
    ['off', []],
    [undefined, ['warn']],
    ['warn', ['warn']],
    ['info', ['warn', 'info']],
    ['debug', ['debug', 'warn', 'debug', 'info']],
  ] as const)(
    'client: with logLevel %s it receives lines of these levels: %s',
    async (logLevel, levels) => {
      service.on(get, (_, nth) => [busy, ok][nth - 1] ?? failure(404, 'notFound'));
      const client = clientOf(service, { logger, logLevel });
      await client.customers.get(customerId);
      await expect(client.customers.get(customerId)).rejects.toThrow();
      await logged(levels.length);
      expect(lines.map((line) => line.split(':')[0])).toEqual(levels);
    },
  );

  it('client: a line has the operation, the outcome, the time and the request', async () => {
    service.on(get, (_, nth) => [busy, ok][nth - 1] ?? failure(404, 'notFound'));
    const client = clientOf(service, { logger, logLevel: 'debug' });
    await client.customers.get(customerId);
    await expect(client.customers.get(customerId)).rejects.toThrow();
    service.on('GET /hello-world', () => ({ drop: 'before' }));
    await expect(client.auth.hello({ maxRetries: 0 })).rejects.toThrow();
    expect(await logged(5)).toEqual([
      'debug: getToken succeeded in … ms, 200',
      'warn: getCustomer failed in … ms, UnavailableError 503 unavailable, request request-1, again in … ms',
      'debug: getCustomer succeeded in … ms, 200, request request-2',
      'info: getCustomer failed in … ms, NotFoundError 404 notFound, request request-1',
      'info: helloWorld failed in … ms, NetworkError lost',
    ]);
  });

  it('client: no line has a key, a password, a token, a URL or data', async () => {
    const quoted = { message: 'adx_test_key and zeer-geheim-ë-2026 are wrong' };
    const signed = `${storage.url}/file?X-Amz-Signature=signed`;
    const file = {
      ...{ id: '6741b2c3d4e5f6a7b8c9d0e1', fileName: 'BE71096123456769_EUR_2026_042.cod' },
      ...{ statementDate: '2026-01-01', statementNumber: 1, urls: { coda: signed } },
    };
    const ofProxy = { status: 403, json: { error: 'The key adx_test_key is wrong' } };
    service.on('GET /hello-world', () => ofProxy);
    service.on('POST /customers/create', () => failure(400, 'validationFailed', quoted));
    service.on('POST /coda-files', () => ({ json: [{ ibans: [{ files: [file] }] }] }));
    service.on('POST /coda-files/upload-credentials', (_, nth) => ({
      json: { ...credentials(nth), endpoint: storage.url },
    }));
    storage.answering = (response) => response.writeHead(403).end('<Code>AccessDenied</Code>');
    const client = clientOf(service, { logger, logLevel: 'debug', maxRetries: 0 });
    await expect(client.customers.create({ name: 'Bakkerij' } as never)).rejects.toThrow();
    await expect(client.auth.hello()).rejects.toThrow('403');
    const [group] = await client.codaFiles.list();
    const [listed] = group?.ibans.flatMap(({ files }) => files) ?? [];
    if (!listed) expect.fail('no file is listed');
    await expect(client.codaFiles.download(listed)).rejects.toThrow(StorageError);
    await expect(client.codaFiles.upload(new Blob(['0']), 'a.cod')).rejects.toThrow(StorageError);
    storage.answering = (response) => response.destroy();
    await expect(client.codaFiles.download(listed)).rejects.toThrow();
    service.on('POST /token', () => failure(500, 'Invalid refresh token', quoted));
    const refreshing = { refreshToken: 'adx_refresh_1', username: undefined, password: undefined };
    const second = clientOf(service, { logger, logLevel: 'debug', maxRetries: 0, ...refreshing });
    await expect(second.auth.hello()).rejects.toThrow();
    expect(await logged(11)).toEqual([
      'debug: getToken succeeded in … ms, 200',
      'info: createCustomer failed in … ms, BadRequestError 400 validationFailed, request request-1',
      'info: helloWorld failed in … ms, ForbiddenError 403',
      'debug: listCodaFiles succeeded in … ms, 200',
      // Downloads have the operation that gave their URL, which is asked for another one.
      'info: listCodaFiles failed in … ms, StorageError 403 AccessDenied',
      'debug: listCodaFiles succeeded in … ms, 200',
      'info: listCodaFiles failed in … ms, StorageError 403 AccessDenied',
      'debug: getCodaUploadCredentials succeeded in … ms, 200',
      'info: getCodaUploadCredentials failed in … ms, StorageError 403 AccessDenied',
      'info: listCodaFiles failed in … ms, NetworkError lost',
      'info: getToken failed in … ms, AuthenticationError 500, request request-1',
    ]);
  });

  it.each([
    ['throws', () => expect.fail('The disk is full.')],
    ['returns a promise that is rejected', () => Promise.reject(new Error('The disk is full.'))],
  ])('client: a logger that %s fails neither the call nor the process', async (_, fail) => {
    service.on(get, () => ok);
    let count = 0;
    // Not a mock of Vitest, which would handle the rejection.
    const debug = () => {
      count += 1;
      return fail();
    };
    const client = clientOf(service, { logger: { ...logger, debug }, logLevel: 'debug' });
    expect(await client.customers.get(customerId)).toEqual(ok.json);
    await vi.waitFor(() => expect(count).toBe(2));
  });

  it('client: a call that was cancelled has failed, whatever the reason of the signal is', async () => {
    const cancel = new AbortController();
    service.on(get, () => {
      cancel.abort('closed by the user');
      return ok;
    });
    const client = clientOf(service, { logger, logLevel: 'debug' });
    const call = client.customers.get(customerId, { signal: cancel.signal });
    await expect(call).rejects.toBe('closed by the user');
    expect(await logged(2)).toEqual([
      'debug: getToken succeeded in … ms, 200',
      'info: getCustomer failed in … ms',
    ]);
  });

  it('client: console is a logger, and so are others with the same methods', () => {
    expectTypeOf(console).toExtend<Logger>();
    expectTypeOf<LogLevel>().toEqualTypeOf<'off' | 'warn' | 'info' | 'debug'>();
  });
});
