import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { ForbiddenError, NetworkError, StorageError, type UploadContent } from '../../src/index.js';
import { clientOf } from '../support/client-of.js';
import { errorOf, expectCancels, failure, gate } from '../support/test-service.js';
import { authorizationOf, refuse, secretAccessKey, sha256 } from '../support/test-storage.js';
import {
  content,
  credentials,
  issue,
  name,
  uploadsForEachTest,
} from '../support/upload-credentials.js';

const { service, storage, files } = uploadsForEachTest();

/** Returns a stream that yields these parts on demand, and then ends. */
function streamOf(parts: Iterable<unknown>, onCancel = (_: unknown) => {}) {
  const iterator = parts[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array);
    },
    cancel: onCancel,
  });
}

describe('client: upload', () => {
  const contents: [string, () => UploadContent][] = [
    ['bytes', () => content],
    ['part of a buffer', () => Buffer.concat([Buffer.from('xx'), content]).subarray(2)],
    ['an ArrayBuffer', () => content.slice().buffer],
    ['a Blob', () => new Blob([content], { type: 'text/plain' })],
    ['a stream', () => streamOf([content.slice(0, 10), content.slice(10)])],
  ];
  it.each([
    ['no name', [content], 'upload takes the content and then the name of the file'],
    ['no text as a name', [content, {}], 'upload takes the content and then the name of the file'],
    ['the name first', [name, content], 'upload takes the content and then the name of the file'],
    ['a text', ['0000002032672505', name], 'the content must be a Uint8Array'],
    ['a stream of Node', [Readable.from([content]), name], 'the content must be a Uint8Array'],
    ['nothing', [undefined, name], 'the content must be a Uint8Array'],
  ])(
    'client: from plain JavaScript, %s is a TypeError, and nothing is sent',
    async (_, args, message) => {
      const upload = files().upload as (...args: unknown[]) => Promise<unknown>;
      const error = await errorOf(upload.call(files(), ...args));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(message);
      expect([...service.received, ...storage.received]).toEqual([]);
    },
  );

  it.each(contents)('§4.20 puts %s under the prefix', async (_, make) => {
    const { bucketName, key } = await files().upload(make(), name);
    expect(bucketName).toBe('adx-coda-uploads');
    expect(key).toMatch(/^uploads\/kantoor-maes\/[\w-]+-statement\.cod$/);
    const [request] = storage.received;
    expect(request).toMatchObject({ method: 'PUT', url: `/adx-coda-uploads/${key}` });
    expect(request?.bytes.equals(content)).toBe(true);
    expect(request?.headers['content-length']).toBe(`${content.length}`);
  });

  it('§4.21 puts payroll files with separate credentials', async () => {
    const route = 'POST /codb-files/upload-credentials';
    service.on(route, (_, nth) => ({ json: { ...credentials(nth), bucketName: 'adx-codb' } }));
    const client = clientOf(service, { storageUrl: storage.url });
    await client.codaFiles.upload(content, name);
    const { bucketName } = await client.codbFiles.upload(content, 'SDWorx_202602_7.xml');
    expect(bucketName).toBe('adx-codb');
    expect(storage.received.map(({ url }) => url.split('/')[1])).toEqual([
      'adx-coda-uploads',
      'adx-codb',
    ]);
  });

  it('§4.20 signs its requests (Signature Version 4)', async () => {
    await files().upload(content, 'Relevé n° 42+1 (été).cod');
    const [request] = storage.received;
    if (!request) return expect.fail('nothing was put');
    const { authorization, ...headers } = request.headers;
    expect(authorization).toBe(authorizationOf(request, 'us-east-1'));
    expect(authorization).toContain('Credential=ASIAEXAMPLEKEY1/');
    for (const signed of ['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token']) {
      expect(authorization?.split('SignedHeaders=')[1]).toContain(signed);
    }
    expect(headers['x-amz-content-sha256']).toBe(sha256(content));
    expect(headers['x-amz-security-token']).toBe('ZXhhbXBsZS1zZXNzaW9uLXRva2Vu/+=1');
  });

  it('client: sends neither API key nor token to the storage', async () => {
    await files().upload(content, name);
    const { headers } = storage.received[0] ?? { headers: {} };
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(headers)).not.toMatch(/adx_test_key|Bearer/);
    expect(JSON.stringify(headers)).not.toContain(secretAccessKey);
  });

  it('§7 throws the error if the firm may not upload', async () => {
    service.on(issue, () => failure(403, 'upload_not_allowed'));
    const error = await errorOf(files().upload(content, name));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(storage.received).toEqual([]);
  });
});

describe('client: the key of an upload', () => {
  const nameOf = async (fileName: string) => {
    const { key } = await files().upload(content, fileName);
    expect(storage.received[0]?.url).toBe(`/adx-coda-uploads/${encodeURI(key)}`);
    expect(key.split('/')).toHaveLength(3);
    return key.split('/')[2]?.replace(/^\d{8}T\d{9}Z-[0-9a-f]{16}-/, '');
  };

  it.each([
    ['statement.cod', 'statement.cod'],
    ['my statement (1).cod', 'my_statement_1_.cod'],
    ['Relevé_été.cod', 'Relevé_été.cod'],
    ['Releve\u0301.cod', 'Relevé.cod'],
    ['выписка-账单.xml', 'выписка-账单.xml'],
    ['../../other-firm/a.cod', 'a.cod'],
    ['C:\\exports\\a.cod', 'a.cod'],
    ['..', 'file'],
    ['', 'file'],
    ['a/', 'file'],
    ['.htaccess', 'htaccess'],
    ['a?b#c%2F..&d=e.cod', 'a_b_c_2F.._d_e.cod'],
    ['a\u0000\r\nb\ud800.cod', 'a_b_.cod'],
    [`${'x'.repeat(300)}.cod`, `${'x'.repeat(96)}.cod`],
  ])('client: %o ends in %o', async (fileName, kept) => {
    expect(await nameOf(fileName)).toBe(kept);
  });

  it('client: is different for each upload', async () => {
    const codaFiles = files();
    const uploads = Array.from({ length: 20 }, () => codaFiles.upload(content, name));
    const keys = (await Promise.all(uploads)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(20);
  });
});

describe('client: a stream to upload', () => {
  const megabyte = new Uint8Array(1024 * 1024);

  it('client: may have 25 MiB', async () => {
    await files().upload(streamOf(Array(25).fill(megabyte)), name);
    expect(storage.received[0]?.bytes.length).toBe(25 * megabyte.length);
  });

  it('client: that is larger is refused, cancelled and not sent', async () => {
    const cancel = vi.fn();
    function* endless() {
      for (;;) yield megabyte;
    }
    const error = await errorOf(files().upload(streamOf(endless(), cancel), name));
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toContain('26214400');
    expect(cancel).toHaveBeenCalledOnce();
    expect(storage.received).toEqual([]);
  });

  it('client: that fails is not sent', async () => {
    const failing = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('disk')),
    });
    await expect(files().upload(failing, name)).rejects.toThrow('disk');
    expect(storage.received).toEqual([]);
  });

  it('client: of text is a TypeError', async () => {
    const error = await errorOf(files().upload(streamOf(['text']), name));
    expect(error).toBeInstanceOf(TypeError);
  });

  it('client: is cancelled with the upload', async () => {
    const pulled = gate();
    const cancel = vi.fn();
    // The stream is read on demand only.
    const source = { pull: pulled.open, cancel };
    const stalled = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
    await expectCancels(pulled.opened, (signal) => files().upload(stalled, name, { signal }));
    expect(cancel).toHaveBeenCalledOnce();
  });
});

describe('client: the storage fails an upload', () => {
  it('client: it is retried under the same key after 503 and a lost connection', async () => {
    storage.answering = (response, _, nth) => {
      if (nth === 1) refuse(response, 503, 'SlowDown');
      else if (nth === 2) response.destroy();
      else response.end();
    };
    const { key } = await files().upload(content, name);
    expect(storage.received.map(({ url }) => url)).toEqual(
      Array(3).fill(`/adx-coda-uploads/${key}`),
    );
  });

  it('client: a lost connection is a NetworkError', async () => {
    storage.answering = (response) => response.destroy();
    const error = await errorOf(files().upload(content, name, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(storage.received).toHaveLength(1);
  });

  it('client: a redirect is not followed', async () => {
    storage.answering = (response) =>
      response.writeHead(307, { location: `${storage.url}/elsewhere` }).end();
    const error = await errorOf(files().upload(content, name));
    expect(error).toBeInstanceOf(StorageError);
    expect(storage.received).toHaveLength(1);
  });

  it('client: it is cancelled by its signal', async () => {
    const asked = gate();
    storage.answering = asked.open;
    await expectCancels(asked.opened, (signal) => files().upload(content, name, { signal }));
  });

  it('client: a large file has longer than the timeout, a second for each 50 kB', async () => {
    storage.answering = (response) => setTimeout(() => response.end(), 3_000);
    const codaFiles = files({ maxRetries: 0, timeoutMs: 2_000 });
    await codaFiles.upload(new Uint8Array(2_000_000), name);
  });

  it('client: each attempt has its own timeout', async () => {
    storage.answering = () => {};
    const codaFiles = files({ maxRetries: 0, timeoutMs: 200 });
    await expect(codaFiles.upload(content, name)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
