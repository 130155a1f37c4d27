import { getEventListeners, once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CodbFile, NetworkError, StorageError, TimeoutError } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { answer, codaFile, content, listing, presigned } from '../support/stored-file.js';
import { errorOf, expectCancels, gate, TestService } from '../support/test-service.js';
import { refuse, TestStorage } from '../support/test-storage.js';

const service = TestService.forEachTest();
const storage = TestStorage.forEachTest();

describe('client: download', () => {
  it('§2.5 returns the content, its name and its size', async () => {
    storage.answering = (response) => answer(response);
    const download = await clientOf(service).codaFiles.download(codaFile(storage));
    expect(download).toMatchObject({
      fileName: 'BE71096123456769_EUR_2026_042.cod',
      size: content.length,
    });
    expect(content.equals(await download.bytes())).toBe(true);
  });

  it('§2.5 returns the content as a stream', async () => {
    storage.answering = (response) => answer(response);
    const { body } = await clientOf(service).codaFiles.download(codaFile(storage));
    expect(content.equals(Buffer.from(await new Response(body).arrayBuffer()))).toBe(true);
  });

  it('§2.5 returns an empty file', async () => {
    storage.answering = (response) => answer(response, new Uint8Array());
    const { size, bytes } = await clientOf(service).codaFiles.download(codaFile(storage));
    expect([size, await bytes()]).toEqual([0, new Uint8Array()]);
  });

  it('§2.4 returns a payroll file', async () => {
    storage.answering = (response) => answer(response);
    const codb: CodbFile = {
      ...codaFile(storage),
      accountPeriod: 202602,
      urls: { codb: presigned(storage, 'codb') },
    };
    await clientOf(service).codbFiles.download(codb);
    expect(storage.received[0]?.url).toMatch(/^\/codb\?/);
  });

  it('§2.5 returns the PDF', async () => {
    storage.answering = (response) => answer(response);
    const file = codaFile(storage, { pdf: presigned(storage, 'pdf') });
    const { fileName } = await clientOf(service).codaFiles.download(file, { kind: 'pdf' });
    expect(fileName).toBe('BE71096123456769_EUR_2026_042.pdf');
    expect(storage.received[0]?.url).toMatch(/^\/pdf\?/);
    const dotted = { ...file, fileName: 'Dupont S.A. 042.cod' };
    expect(await clientOf(service).codaFiles.download(dotted, { kind: 'pdf' })).toMatchObject({
      fileName: 'Dupont S.A. 042.pdf',
    });
  });

  it('client: sends no headers of its own to the storage, neither API key nor token', async () => {
    storage.answering = (response) => answer(response);
    const client = clientOf(service);
    service.on('POST /coda-files', () => listing(storage, codaFile(storage)));
    await client.codaFiles.list();
    await client.codaFiles.download(codaFile(storage));
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
      fetch(url, init) {
        urls.push(url);
        return fetch(url, init);
      },
    });
    const file = codaFile(storage);
    await client.codaFiles.download(file);
    expect(urls).toEqual([file.urls.coda]);
  });
});

describe('client: a download with wrong arguments', () => {
  it('client: no file is a TypeError that says so', async () => {
    const download = clientOf(service).codaFiles.download(undefined as never);
    expect(await errorOf(download)).toEqual(new TypeError('download takes a file of a list'));
  });

  it.each(['pdf', null, 5])('client: %j in place of options is a TypeError', async (options) => {
    const { codaFiles } = clientOf(service);
    const error = await errorOf(codaFiles.download(codaFile(storage), options as never));
    expect(error).toEqual(
      new TypeError("download takes an object with options, such as { kind: 'pdf' }"),
    );
    expect(storage.received).toEqual([]);
  });
});

describe('client: an incomplete download', () => {
  it.each([0, 1000])('client: ends with a NetworkError after %i bytes', async (sent) => {
    storage.answering = (response) => {
      response.writeHead(200, { 'content-length': content.length }).flushHeaders();
      response.write(content.subarray(0, sent), () => response.destroy());
    };
    const download = await clientOf(service).codaFiles.download(codaFile(storage));
    expect(await errorOf(download.bytes())).toBeInstanceOf(NetworkError);
  });

  it.each([-1, 1])(
    'client: is noticed even if fetch does not report it (%i byte)',
    async (more) => {
      const client = clientOf(service, {
        fetch: async () =>
          new Response(content, { headers: { 'content-length': `${content.length - more}` } }),
      });
      const download = await client.codaFiles.download(codaFile(storage));
      const error = await errorOf(download.bytes());
      expect(error).toBeInstanceOf(NetworkError);
      expect(String(error)).toContain(`of ${content.length - more}`);
    },
  );

  it('client: does not start if the length is unknown', async () => {
    storage.answering = (response) => response.writeHead(200).end(content);
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile(storage)));
    expect(error).toBeInstanceOf(NetworkError);
  });

  it('client: is not compressed in transit, because the length would differ', async () => {
    storage.answering = (response, { headers }) => {
      if (headers['accept-encoding'] === 'identity') return answer(response);
      response.setHeader('content-encoding', 'gzip');
      answer(response, gzipSync(content));
    };
    const { bytes } = await clientOf(service).codaFiles.download(codaFile(storage));
    expect((await bytes()).length).toBe(content.length);
  });
});

describe('client: the storage fails', () => {
  it('client: a download is retried after 503 and a lost connection', async () => {
    storage.answering = (response, _, nth) => {
      if (nth === 1) refuse(response, 503, 'SlowDown');
      else if (nth === 2) response.destroy();
      else answer(response);
    };
    const { size } = await clientOf(service).codaFiles.download(codaFile(storage));
    expect(size).toBe(content.length);
  });

  it('client: a redirect is not followed', async () => {
    storage.answering = (response, _, nth) =>
      nth === 1
        ? response.writeHead(307, { location: `${storage.url}/elsewhere` }).end()
        : answer(response);
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile(storage)));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('redirect') });
    expect(storage.received).toHaveLength(1);
  });

  it('client: a response that is not from S3 is a StorageError too', async () => {
    storage.answering = (response) => response.writeHead(404).end('<h1>Not here</h1>');
    const error = await errorOf(clientOf(service).codaFiles.download(codaFile(storage)));
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ status: 404, code: undefined });
  });
});

describe('client: a download is cancelled', () => {
  it('client: by the signal before it starts', async () => {
    const asked = gate();
    storage.answering = asked.open;
    const { codaFiles } = clientOf(service);
    await expectCancels(asked.opened, (signal) =>
      codaFiles.download(codaFile(storage), { signal }),
    );
  });

  it('client: by the signal in the middle of the content, which ends the connection', async () => {
    const closed = gate();
    storage.answering = (response) => {
      response.on('close', closed.open);
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const controller = new AbortController();
    const { signal } = controller;
    const { bytes } = await clientOf(service).codaFiles.download(codaFile(storage), { signal });
    const reading = errorOf(bytes());
    controller.abort(new Error('enough'));
    expect(await reading).toBe(signal.reason);
    await closed.opened;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('client: by the reader, which ends the connection', async () => {
    const closed = gate();
    storage.answering = (response) => {
      response.on('close', closed.open);
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const { body } = await clientOf(service).codaFiles.download(codaFile(storage));
    await body.cancel();
    await closed.opened;
  });

  it('client: by the timeout, if no more data arrives', async () => {
    storage.answering = (response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100));
    };
    const client = clientOf(service);
    const { bytes } = await client.codaFiles.download(codaFile(storage), { timeoutMs: 2_000 });
    const error = await errorOf(bytes());
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it('client: but not if only the whole download takes longer than the timeout', async () => {
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
    const { bytes } = await client.codaFiles.download(codaFile(storage), { timeoutMs: 3_000 });
    expect(Buffer.from(await bytes()).toString()).toBe('abcde');
  });
});
