// @module-tag long
import type { ClientOptions } from '@adx/client';
import type { ErrorBody } from '@adx/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertCodaFile, listedFiles } from '../../packages/server/test/support/files.js';
import { newCustomer } from '../support/new-customer.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { useTestService } from '../support/use-service.js';
import { serveClientPage } from './client-page.js';
import { launchBrowser } from './launch-browser.js';
import { type ObservedPage, openObservedPage } from './observed-page.js';
import type { Listening } from './serve-folder.js';

/** The global of the page. Functions passed to `evaluate` can use only globals of the page. */
declare const adx: typeof import('@adx/client');

let browser: Browser;
let partner: Listening;
let stranger: Listening;

beforeAll(async () => {
  [browser, partner, stranger] = await Promise.all([
    launchBrowser(),
    serveClientPage(),
    serveClientPage(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await partner?.close();
  await stranger?.close();
});

async function open({ origin }: Listening): Promise<ObservedPage> {
  const observed = await openObservedPage(browser);
  await observed.page.goto(origin);
  return observed;
}

async function newSignIn(service: TestService, firmId: string): Promise<ClientOptions> {
  const [{ username, password }, { key: apiKey }] = await Promise.all([
    service.createUser({ firmId }),
    service.issueApiKey(),
  ]);
  return { baseUrl: service.baseUrl, apiKey, username, password, maxRetries: 0 };
}

describe('client: in a page of another origin', () => {
  const names = ['Aalst', 'Brugge', 'Charleroi', 'Dinant', 'Eupen'];
  const service = useTestService();
  let signIn: ClientOptions;
  let observed: ObservedPage;
  let ids: string[];

  beforeAll(async () => {
    const firmId = await service.createFirm();
    signIn = await newSignIn(service, firmId);
    const client = await service.client(await service.createUser({ firmId }));
    const created = names.map((name) => client.customers.create(newCustomer({ name })));
    ids = (await Promise.all(created)).map(({ id }) => id);
    observed = await open(partner);
  });
  afterAll(() => observed?.close());

  test('§4.4 client: it signs in once and iterates over the pages of a search', async () => {
    const found = await observed.page.evaluate(async (options) => {
      const client = adx.createClient(options);
      const found: string[] = [];
      for await (const { name } of client.customers.search({ limit: 2 })) found.push(name);
      return found;
    }, signIn);
    expect(found).toEqual(names);
    const calls = observed.requests.filter((url) => url.startsWith(service.baseUrl));
    expect(calls.map((url) => url.slice(service.baseUrl.length))).toEqual([
      '/token',
      ...Array(3).fill('/customers'),
    ]);
  });

  test('§4.7 §4.8 client: it updates with PATCH and archives with DELETE', async () => {
    const [id = ''] = ids;
    const answers = await observed.page.evaluate(
      async ([options, id]) => {
        const { customers } = adx.createClient(options);
        const updated = await customers.update(id, { accountingRef: 'B-7' });
        await customers.archive(id);
        const gone = await customers.get(id).catch((error: unknown) => error);
        return {
          accountingRef: updated.accountingRef,
          isNotFound: gone instanceof adx.NotFoundError,
        };
      },
      [signIn, id] as const,
    );
    expect(answers).toEqual({ accountingRef: 'B-7', isNotFound: true });
  });

  test('§2.5 §4.20 client: it uploads and downloads a file, with code that is loaded only then', async () => {
    const { buckets, presign, store } = service.storage;
    const id = await insertCodaFile(service.knex, ids[1] ?? '', { fileName: 'march.cod' });
    const { object_key } = await listedFiles(service.knex).where({ id }).first('object_key');
    await store.put(buckets.files, object_key, Buffer.from('CODA of March'), 'text/plain');
    const storageUrl = new URL(presign({ key: 'k', fileName: 'n' }, new Date())).origin;
    const loaded = () =>
      observed.requests.filter((url) => /(up|down)load-\w{8}\.js$/.test(url)).length;
    expect(loaded()).toBe(0);
    const { key, content } = await observed.page.evaluate(
      async (options) => {
        const { codaFiles } = adx.createClient(options);
        const { key } = await codaFiles.upload(new Blob(['CODA of April']), 'Avril été.cod');
        const [group] = await codaFiles.list();
        const [file] = group?.ibans[0]?.files ?? [];
        if (!file) throw new Error('No file is listed');
        const { bytes } = await codaFiles.download(file);
        return { key, content: new TextDecoder().decode(await bytes()) };
      },
      { ...signIn, storageUrl },
    );
    expect(content).toBe('CODA of March');
    expect(await store.get(buckets.codaUploads, key)).toMatchObject({ size: 13 });
    expect(loaded()).toBe(2);
  });

  test('§7 client: an error has its class, code and request id', async () => {
    const error = await observed.page.evaluate(async (options) => {
      const { customers } = adx.createClient(options);
      const error = await customers.get('0'.repeat(24)).catch((error: unknown) => error);
      if (!(error instanceof adx.NotFoundError)) return String(error);
      const { name, status, code, requestId } = error;
      return { name, status, code, requestId };
    }, signIn);
    expect(error).toEqual({
      name: 'NotFoundError',
      status: 404,
      code: 'notFound',
      requestId: expect.stringMatching(/./),
    });
  });

  test('§7 cors: the page can read the request id in the header', async () => {
    const [header, body] = await observed.page.evaluate(async ({ baseUrl, apiKey }) => {
      const response = await fetch(`${baseUrl}/hello-world`, { headers: { 'x-api-key': apiKey } });
      return [
        response.headers.get('x-request-id'),
        ((await response.json()) as ErrorBody).requestId,
      ];
    }, signIn);
    expect(header).toMatch(/./);
    expect(header).toBe(body);
  });
});

describe('client: in pages of two origins, one of which the service allows', () => {
  let service: TestService;
  let signIn: ClientOptions;

  beforeAll(async () => {
    service = await startTestService({
      settings: { CORS_ORIGIN: partner.origin, RATE_LIMIT_PER_MINUTE: '2' },
    });
    signIn = await newSignIn(service, await service.createFirm());
  });
  afterAll(() => service?.close());

  test('cors: in the page of another origin the client gets no response', async () => {
    const observed = await open(stranger);
    const name = await observed.page.evaluate(
      (options) =>
        adx
          .createClient(options)
          .auth.hello()
          .then(
            () => 'answered',
            (error: Error) => error.name,
          ),
      signIn,
    );
    expect(name).toBe('NetworkError');
    expect(observed.problems.join('\n')).toContain('CORS');
    await observed.close();
  });

  test('D-23 client: the page can read Retry-After of 429', async () => {
    const observed = await open(partner);
    const retryAfter = await observed.page.evaluate(async (options) => {
      const { auth } = adx.createClient(options);
      let error: unknown;
      // More calls than the limit, because on a slow machine a new minute may start in between.
      for (let calls = 0; calls < 6 && error === undefined; calls += 1) {
        error = await auth.hello().then(
          () => undefined,
          (failure: unknown) => failure,
        );
      }
      return error instanceof adx.RateLimitError ? error.retryAfter : String(error);
    }, signIn);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    await observed.close();
  });
});
