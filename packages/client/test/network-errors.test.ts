import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NetworkError, TimeoutError } from '../src/index.js';
import { clientOf } from './support/client-of.js';
import { codaFile } from './support/stored-file.js';
import { errorOf, gate, TestService } from './support/test-service.js';
import { TestStorage } from './support/test-storage.js';

const service = TestService.forEachTest();

const hello = (options: object) =>
  errorOf(clientOf(service, { maxRetries: 0, ...options }).auth.hello());

/** Returns an error as `fetch` of Node has it. */
const fetchFailed = (cause: Error) => () =>
  Promise.reject(new TypeError('fetch failed', { cause }));
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('client: why no response arrived', () => {
  it('client: dns: the name of the host has no address', async () => {
    const error = await hello({ baseUrl: 'https://adx.invalid/v1' });
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ host: 'adx.invalid', reason: 'dns', operation: 'getToken' });
    expect((error as Error).message).toMatch(
      /^getToken got no response \(adx\.invalid: getaddrinfo \w+ adx\.invalid\)$/,
    );
  });

  it('client: refused: nothing listens there', async () => {
    const { baseUrl } = service;
    const { host } = new URL(baseUrl);
    await service.stop();
    await service.start();
    const error = await hello({ baseUrl });
    expect(error).toMatchObject({ host, reason: 'refused' });
    expect((error as Error).message).toContain(`(${host}: connect ECONNREFUSED ${host})`);
  });

  it('client: http: the port does not speak TLS', async () => {
    const baseUrl = service.baseUrl.replace('http:', 'https:');
    const { host } = new URL(baseUrl);
    expect(await hello({ baseUrl })).toMatchObject({
      ...{ reason: 'http', host },
      message: `getToken got no response (${host}: the port speaks http, not https)`,
    });
  });

  it.each([
    ['closes the connection', (socket: Socket) => socket.end()],
    ['says so', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\nPlain HTTP')],
  ])('client: http to a port that speaks TLS and %s asks for https', async (_, answer) => {
    const server = createServer((socket) => socket.once('data', () => answer(socket)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const error = await hello({ baseUrl: `http://127.0.0.1:${port}/v1` });
    server.close();
    expect((error as Error).message).toMatch(/; is it https\?\)?$/);
  });

  it('client: timeout: no answer in time', async () => {
    const { opened, open } = gate();
    service.on('GET /hello-world', () => opened.then(() => ({ json: {} })));
    const { host } = new URL(service.baseUrl);
    const error = await errorOf(
      clientOf(service, { maxRetries: 0 }).auth.hello({ timeoutMs: 500 }),
    );
    open();
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ host, reason: 'timeout' });
  });

  it('client: lost: the connection ends before or amid the response', async () => {
    for (const drop of ['before', 'amid'] as const) {
      service.on('GET /hello-world', () => ({ drop, json: { message: 'Hello.' } }));
      expect(await hello({})).toMatchObject({ reason: 'lost' });
    }
  });

  it.each([
    ['tls', coded('CERT_HAS_EXPIRED', 'certificate has expired')],
    ['tls', coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')],
    ['tls', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate')],
    ['http', coded('EPROTO', 'C0:error:0A00010B:SSL routines::wrong version number:record.c:354:')],
    ['http', coded('ERR_SSL_PACKET_LENGTH_TOO_LONG', 'packet length too long')],
    ['tls', coded('EPROTO', 'C0:error:0A000410:SSL routines::sslv3 alert handshake failure')],
    ['timeout', coded('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error')],
    ['timeout', coded('ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443')],
    ['dns', coded('EAI_AGAIN', 'getaddrinfo EAI_AGAIN adx.example.org')],
    ['refused', new AggregateError([coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:3000')])],
    [
      'refused',
      new AggregateError([
        coded('ENETUNREACH', 'connect ENETUNREACH 2001:db8::1:443'),
        coded('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443'),
      ]),
    ],
    ['lost', coded('UND_ERR_SOCKET', 'other side closed')],
  ] as const)('client: %s: %s', async (reason, cause) => {
    expect(await hello({ fetch: fetchFailed(cause) })).toMatchObject({ reason });
  });

  it('client: lost: a web page is not told the reason', async () => {
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const { host } = new URL(service.baseUrl);
    expect(await hello({ fetch })).toMatchObject({
      reason: 'lost',
      host,
      message: `getToken got no response (${host}: Failed to fetch)`,
    });
  });

  it('client: of a download, the host is that of the storage', async () => {
    const storage = await TestStorage.start();
    const { host } = new URL(storage.url);
    const { codaFiles } = clientOf(service, { maxRetries: 0 });
    storage.answering = (response) =>
      response.writeHead(200, { 'content-length': 20 }).write('short', () => response.destroy());
    const file = codaFile(storage);
    const { bytes } = await codaFiles.download(file);
    expect(await errorOf(bytes())).toMatchObject({ host, reason: 'lost' });
    await storage.stop();
    const error = await errorOf(codaFiles.download(file));
    expect(error).toMatchObject({ host, reason: 'refused' });
  });
});
