import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CodaFile,
  type CodbFile,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  StorageError,
  TimeoutError,
} from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { failure, gate, TestService } from '../support/test-service.js';
import { refuse, TestStorage } from '../support/test-storage.js';

let service: TestService;
let storage: TestStorage;
beforeEach(async () => {
  [service, storage] = await Promise.all([TestService.start(), TestStorage.start()]);
});
afterEach(() => Promise.all([service.stop(), storage.stop()]));

const content = Buffer.from('0000002032672505        00123456  Één afschrift\r\n'.repeat(50_000));
const answer = (response: ServerResponse, bytes: Uint8Array = content) => {
  response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
};

/** A URL of the storage, signed so many minutes ago. */
function presigned(name: string, minutesAgo = 1): string {
  const time = new Date(Date.now() - minutesAgo * 60_000).toISOString().replace(/[:-]|\.\d+/g, '');
  return `${storage.url}/${name}?X-Amz-Date=${time}&X-Amz-Expires=1800&X-Amz-Signature=SECRET5`;
}

function codaFile(urls: Partial<CodaFile['urls']> = {}): CodaFile {
  return {
    id: '6741b2c3d4e5f6a7b8c9d0e1',
    fileName: 'BE71096123456769_EUR_2026_042.cod',
    statementDate: '2026-03-02',
    statementNumber: 42,
    processedOn: '2026-03-03T05:12:44.310Z',
    urls: { coda: presigned('listed'), ...urls },
  };
}

/** What the list answers: the files, among others of the same number and date. */
const listing = (...files: CodaFile[]) => ({
  json: [
    { id: files[0]?.id, name: 'A', ibans: [{ iban: 'BE1', files: [{ ...codaFile(), id: '0' }] }] },
    { id: '1', name: 'B', ibans: [{ files: [] }, { iban: 'BE2', files }] },
  ],
});
const relisted = () =>
  service.received.filter(({ route }) => route === 'POST /coda-files').map(({ body }) => body);
const errorOf = (promise: Promise<unknown>) => promise.catch((it: unknown) => it);

describe('client: download', () => {
  it('§2.5 gives the content, its name and its size', async () => {
    storage.answering = (response) => answer(response);
    const download = await clientOf(service).codaFiles.download(codaFile());
    expect(download).toMatchObject({
      fileName: 'BE71096123456769_EUR_2026_042.cod',
      size: content.length,
    });
    expect(content.equals(await download.bytes())).toBe(true);
  });

  it('§2.5 gives the content as a stream', async () => {
    storage.answering = (response) => answer(response);
    const { body } = await clientOf(service).codaFiles.download(codaFile());
    expect(content.equals(Buffer.from(await new Response(body).arrayBuffer()))).toBe(true);
  });

  it('§2.5 gives an empty file', async () => {
    storage.answering = (response) => answer(response, new Uint8Array());
    const { size, bytes } = await clientOf(service).codaFiles.download(codaFile());
    expect([size, await bytes()]).toEqual([0, new Uint8Array()]);
  });

  it('§2.4 gives a payroll file', async () => {
    storage.answering = (response) => answer(response);
    const { coda, ...file } = { ...codaFile(), coda: undefined };
    const codb: CodbFile = { ...file, accountPeriod: 202602, urls: { codb: presigned('codb') } };
    await clientOf(service).codbFiles.download(codb);
    expect(storage.received[0]?.url).toMatch(/^\/codb\?/);
  });

  it('§2.5 gives the PDF', async () => {
    storage.answering = (response) => answer(response);
    const file = codaFile({ pdf: presigned('pdf') });
    const { fileName } = await clientOf(service).codaFiles.download(file, { kind: 'pdf' });
    expect(fileName).toBe('BE71096123456769_EUR_2026_042.pdf');
    expect(storage.received[0]?.url).toMatch(/^\/pdf\?/);
  });

  it('client: sends neither API key nor token to the storage, and nothing else', async () => {
    storage.answering = (response) => answer(response);
    const client = clientOf(service);
    service.on('POST /coda-files', () => listing(codaFile()));
    await client.codaFiles.list();
    await client.codaFiles.download(codaFile());
    const [{ headers } = { headers: {} }] = storage.received;
    expect(service.received.at(-1)?.headers).toMatchObject({ 'x-api-key': 'adx_test_key' });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(headers)).not.toMatch(/adx_test_key|signature|els\.maes/);
  });

  it('client: uses the fetch of the options', async () => {
    storage.answering = (response) => answer(response);
    const urls: string[] = [];
    const client = clientOf(service, {
      fetch(request) {
        urls.push(request.url);
        return fetch(request);
      },
    });
    const file = codaFile();
    await client.codaFiles.download(file);
    expect(urls).toEqual([file.urls.coda]);
  });
});

describe('client: a download that is not whole', () => {
  it.each([0, 1000])('client: ends with a NetworkError after %i bytes', async (sent) => {
    storage.answering = (response) => {
      response.writeHead(200, { 'content-length': content.length }).flushHeaders();
      response.write(content.subarray(0, sent), () => response.destroy());
    };
    const download = await clientOf(service).codaFiles.download(codaFile());
    expect(await errorOf(download.bytes())).toBeInstanceOf(NetworkError);
  });

  it.each([-1, 1])('client: is noticed whatever fetch made of it (%i byte)', async (more) => {
    const client = clientOf(service, {
      fetch: async () =>
        new Response(content, { headers: { 'content-length': `${content.length - more}` } }),
    });
    const download = await client.codaFiles.download(codaFile());
    const error = await errorOf(download.bytes());
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).toContain(`of ${content.length - more}`);
  });

  it('client: is not begun where nothing tells its length', async () => {
    storage.answering = (response) => response.writeHead(200).end(content);
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile()));
    expect(error).toBeInstanceOf(NetworkError);
  });

  it('client: is not compressed on the way, where the length would be another', async () => {
    storage.answering = (response, { headers }) => {
      if (headers['accept-encoding'] === 'identity') return answer(response);
      response.setHeader('content-encoding', 'gzip');
      answer(response, gzipSync(content));
    };
    const { bytes } = await clientOf(service).codaFiles.download(codaFile());
    expect((await bytes()).length).toBe(content.length);
  });
});

describe('client: a URL that has expired', () => {
  const expectRelisted = (includePdf = false) =>
    expect(relisted()).toEqual([
      {
        redownload: true,
        includePdf,
        statementDate: { from: '2026-03-02', to: '2026-03-02' },
        statementNumber: { from: 42, to: 42 },
      },
    ]);

  it('§2.5 is replaced before it is used, when its time is up', async () => {
    storage.answering = (response) => answer(response);
    service.on('POST /coda-files', () => listing(codaFile({ coda: presigned('new') })));
    await clientOf(service).codaFiles.download(codaFile({ coda: presigned('old', 31) }));
    expect(storage.received.map(({ url }) => url.split('?')[0])).toEqual(['/new']);
    expectRelisted();
  });

  it.each([
    [403, 'AccessDenied'],
    [400, 'ExpiredToken'],
  ])('§2.5 is replaced once, when the storage answers %i %s', async (status, code) => {
    storage.answering = (response, { url }) =>
      url.startsWith('/new') ? answer(response) : refuse(response, status, code);
    service.on('POST /coda-files', () => listing(codaFile({ coda: presigned('new') })));
    const { bytes } = await clientOf(service).codaFiles.download(codaFile());
    expect((await bytes()).length).toBe(content.length);
    expectRelisted();
  });

  it.each([
    ['the storage', 1, 2],
    ['its time', 31, 1],
  ])('§2.5 is not replaced twice, when %s says so first', async (_, minutesAgo, requests) => {
    storage.answering = (response) => refuse(response, 403, 'AccessDenied');
    service.on('POST /coda-files', () => listing(codaFile({ coda: presigned('new') })));
    const file = codaFile({ coda: presigned('old', minutesAgo) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({
      operation: 'listCodaFiles',
      status: 403,
      code: 'AccessDenied',
      requestId: 'S3-1',
    });
    expect(storage.received).toHaveLength(requests);
    expectRelisted();
  });

  it('§2.5 a PDF that was not listed is asked for', async () => {
    storage.answering = (response) => answer(response);
    service.on('POST /coda-files', () => listing(codaFile({ pdf: presigned('pdf') })));
    await clientOf(service).codaFiles.download(codaFile(), { kind: 'pdf' });
    expect(storage.received[0]?.url).toMatch(/^\/pdf\?/);
    expectRelisted(true);
  });

  it('§2.5 of a file that is no longer listed is a NotFoundError', async () => {
    service.on('POST /coda-files', () => ({ json: [] }));
    const file = codaFile({ coda: presigned('old', 31) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(storage.received).toEqual([]);
  });

  it('§7 an error of the listing is its own', async () => {
    service.on('POST /coda-files', () => failure(403, 'insufficientScope'));
    const file = codaFile({ coda: presigned('old', 31) });
    const error = await errorOf(clientOf(service).codaFiles.download(file));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).not.toBeInstanceOf(StorageError);
  });

  it('client: shows in no error', async () => {
    storage.answering = (response) => response.destroy();
    const client = clientOf(service, { maxRetries: 0 });
    const lost = await errorOf(client.codaFiles.download(codaFile()));
    storage.answering = (response) => refuse(response, 404, 'NoSuchKey');
    const refused = await errorOf(client.codaFiles.download(codaFile()));
    expect(lost).toBeInstanceOf(NetworkError);
    for (const { message, stack } of [lost, refused] as Error[]) {
      expect(message + stack).not.toContain('SECRET5');
    }
  });
});

describe('client: the storage fails', () => {
  it('client: a download is repeated after 503 and a lost connection', async () => {
    storage.answering = (response, _, nth) => {
      if (nth === 1) refuse(response, 503, 'SlowDown');
      else if (nth === 2) response.destroy();
      else answer(response);
    };
    const { size } = await clientOf(service).codaFiles.download(codaFile());
    expect(size).toBe(content.length);
  });

  it('client: a redirect is not followed', async () => {
    storage.answering = (response, _, nth) =>
      nth === 1
        ? response.writeHead(307, { location: `${storage.url}/elsewhere` }).end()
        : answer(response);
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile()));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('redirect') });
    expect(storage.received).toHaveLength(1);
  });

  it('client: an answer that is not of S3 is a StorageError too', async () => {
    storage.answering = (response) => response.writeHead(404).end('<h1>Not here</h1>');
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile()));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ status: 404, code: undefined });
  });
});

describe('client: a download is cancelled', () => {
  it('client: by the signal before it has begun', async () => {
    const asked = gate();
    storage.answering = asked.open;
    const controller = new AbortController();
    const { signal } = controller;
    const downloading = errorOf(clientOf(service).codaFiles.download(codaFile(), { signal }));
    await asked.opened;
    controller.abort(new Error('enough'));
    expect(await downloading).toBe(signal.reason);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('client: by the signal amid the content, which ends the connection', async () => {
    const closed = gate();
    storage.answering = (response) => {
      response.on('close', closed.open);
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const controller = new AbortController();
    const { signal } = controller;
    const { bytes } = await clientOf(service).codaFiles.download(codaFile(), { signal });
    const reading = errorOf(bytes());
    controller.abort(new Error('enough'));
    expect(await reading).toBe(signal.reason);
    await closed.opened;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('client: by whoever reads, which ends the connection', async () => {
    const closed = gate();
    storage.answering = (response) => {
      response.on('close', closed.open);
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const { body } = await clientOf(service).codaFiles.download(codaFile());
    await body.cancel();
    await closed.opened;
  });

  it('client: by time, when nothing more comes', async () => {
    storage.answering = (response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const client = clientOf(service);
    const { bytes } = await client.codaFiles.download(codaFile(), { timeoutMs: 2_000 });
    const error = await errorOf(bytes());
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it('client: but not because all of it takes longer than each part may', async () => {
    storage.answering = async (response) => {
      response.writeHead(200, { 'content-length': 5 });
      for (const byte of 'abcde') {
        response.write(byte);
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
      response.end();
      await once(response, 'close');
    };
    const client = clientOf(service);
    const { bytes } = await client.codaFiles.download(codaFile(), { timeoutMs: 3_000 });
    expect(Buffer.from(await bytes()).toString()).toBe('abcde');
  });
});
