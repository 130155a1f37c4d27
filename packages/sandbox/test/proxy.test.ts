import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../../test/support/rounds.js';
import { startTestService, type TestService } from '../../../test/support/test-service.js';
import { parseRequestLine } from '../src/proxy/http-messages.js';
import { startProxy } from '../src/proxy/start-proxy.js';

/** Starts a proxy to these ports that sends `/sandbox/…` to the scenarios. */
async function proxyTo(
  service: number,
  scenarios = 1,
  onRoute: (target: string) => void = () => {},
): Promise<number> {
  const proxy = await startProxy({
    port: 0,
    upstreams: { service, scenarios },
    route: async (head) => {
      const { target = '' } = parseRequestLine(head) ?? {};
      onRoute(target);
      return { to: target.startsWith('/sandbox/') ? 'scenarios' : 'service' };
    },
  });
  onTestFinished(() => proxy.close());
  return proxy.port;
}

/** Starts a server that gives each connection to a function. */
async function listenWith(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns both ends of a connection through a proxy. */
async function connected(): Promise<{ caller: Socket; service: Socket }> {
  let accept: (socket: Socket) => void = () => {};
  const accepted = new Promise<Socket>((resolve) => {
    accept = resolve;
  });
  const port = await proxyTo(await listenWith((socket) => accept(socket)));
  const caller = connect({ port, host: '127.0.0.1' });
  return { caller, service: await accepted };
}

const text = (bytes: Buffer) => bytes.toString('latin1');

/**
 * Sends pieces on one connection, and returns all that comes back until the other side closes it.
 */
async function converse(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const answer = buffer(socket);
  for (const piece of pieces) {
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()));
  }
  return text(await answer);
}

const token = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,12}$/);
const value = fc.stringMatching(/^[!-~]( ?[!-~\x80-\xff]){0,20}$/);
const otherHeaders = fc.array(fc.tuple(token, value), { maxLength: 6 }).map((headers) =>
  headers
    .filter(([name]) => !/^(content-length|transfer-encoding|expect)$/i.test(name))
    .map(([name, text]) => `${name}:${text.length % 2 ? ' ' : '\t'}${text}\r\n`)
    .join(''),
);
const body = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)),
  maxLength: 300,
});

const chunked = fc
  .record({
    pieces: fc.array(body, { maxLength: 4 }),
    extension: fc.constantFrom('', ';a=b', ' ; x'),
    trailers: otherHeaders,
  })
  .map(({ pieces, extension, trailers }) => {
    const chunks = pieces
      .filter((piece) => piece !== '')
      .map((piece) => `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`);
    return `${chunks.join('')}0\r\n${trailers}\r\n`;
  });
const withBody = (start: string, headers: string, [kind, content]: readonly [string, string]) => {
  if (kind === 'none') return `${start}${headers}\r\n`;
  const length =
    kind === 'length' ? `CONTENT-length:  ${content.length}` : 'transfer-Encoding: chunked';
  return `${start}${headers}${length}\r\n\r\n${content}`;
};
const content = fc.oneof(
  fc.constant(['none', ''] as const),
  fc.tuple(fc.constant('length' as const), body),
  fc.tuple(fc.constant('chunked' as const), chunked),
);
const requestBytes = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'HEAD', 'PATCH'),
    fc.stringMatching(/^\/[!"$-~]{0,30}$/),
    otherHeaders,
    content,
    fc.boolean(),
  )
  .map(([method, target, headers, sent, isOld]) =>
    withBody(`${method} ${target} HTTP/1.${isOld ? 0 : 1}\r\n`, headers, sent),
  );
const responseBytes = fc
  .tuple(
    fc.constantFrom('200 OK', '404 Not  Found', '503 ', '204 No Content'),
    otherHeaders,
    content,
  )
  .map(([status, headers, sent]) => withBody(`HTTP/1.1 ${status}\r\n`, headers, sent));

/** Cuts a text into pieces at random places. */
const pieces = (whole: string, cuts: readonly number[]) => {
  const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => whole.slice(from, places[i] ?? whole.length));
};

describe('D-53 proxy', () => {
  test('D-53 a TLS handshake is answered at once, as at the service', async () => {
    const service = createHttpServer().listen(0, '127.0.0.1');
    onTestFinished(() => void service.close());
    await once(service, 'listening');
    const direct = (service.address() as AddressInfo).port;
    for (const port of [direct, await proxyTo(direct)]) {
      const refused: unknown = await fetch(`https://127.0.0.1:${port}`).catch((error) => error);
      expect(refused).toMatchObject({ cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } });
    }
  });

  test('D-53 a caller that leaves while its response comes leaves no socket open, with which the sandbox would not exit', async () => {
    const openSockets = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = openSockets();
    const { caller, service } = await connected();
    caller.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(service, 'data');
    // The proxy reads both at once: the end of the caller, and more than one piece of the response.
    caller.destroy();
    service.write('HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n');
    service.write(Buffer.alloc(1024 * 1024));
    // Sockets of tests before this one may close meanwhile.
    await expect.poll(openSockets, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });

  test('D-53 all bytes of requests and responses pass unchanged, however they are cut, and also if they are not HTTP', async () => {
    let exchange: { requests: string; responses: string[]; received: string };
    const port = await proxyTo(
      await listenWith((socket) => {
        socket.on('data', (chunk) => {
          exchange.received += text(chunk);
          if (exchange.received.length < exchange.requests.length) return;
          for (const piece of exchange.responses) socket.write(piece, 'latin1');
          socket.end();
        });
      }),
    );
    const cuts = fc.array(fc.nat(2000), { maxLength: 6 });
    const requests = fc.oneof(
      { weight: 4, arbitrary: fc.array(requestBytes, { minLength: 1, maxLength: 4 }) },
      fc.tuple(
        fc.array(requestBytes, { maxLength: 2 }).map((some) => some.join('')),
        body.map((bytes) => `x${bytes}\r\n\r\n`),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.array(responseBytes),
        cuts,
        cuts,
        async (sent, responses, sentCuts, cutsBack) => {
          const [request, response] = [sent.join(''), responses.join('')];
          exchange = { requests: request, responses: pieces(response, cutsBack), received: '' };
          expect(await converse(port, pieces(request, sentCuts))).toBe(response);
          expect(exchange.received).toBe(request);
        },
      ),
      { numRuns: rounds({ short: 40, all: 200 }), seed: 53 },
    );
  });

  test('D-53 pipelined requests to the service and to the scenarios are answered in their order, and a scenario is done before the next', async () => {
    const events: string[] = [];
    const serve = async (name: string) => {
      const server = createHttpServer(async (request, response) => {
        const sent = text(await buffer(request));
        if (name === 'scenarios') events.push(`done ${request.url}`);
        response.end(`${name} ${request.url} ${sent}\n`);
      });
      onTestFinished(() => void server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    };
    const port = await proxyTo(await serve('service'), await serve('scenarios'), (target) =>
      events.push(`routed ${target}`),
    );
    const post = (path: string, more = '') =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Length: 2\r\n\r\nhi`;
    const paths = ['/a', '/b', '/sandbox/c', '/d', '/sandbox/e', '/sandbox/f', '/g'];
    const answer = await converse(port, [
      paths.map((path) => post(path)).join('') + post('/h', 'Connection: close\r\n'),
    ]);
    expect(answer.match(/^(service|scenarios) .*$/gm)).toEqual(
      [...paths, '/h'].map(
        (path) => `${path.startsWith('/sandbox') ? 'scenarios' : 'service'} ${path} hi`,
      ),
    );
    expect(events).toEqual(
      [...paths, '/h'].flatMap((path) => [
        `routed ${path}`,
        ...(path.startsWith('/sandbox') ? [`done ${path}`] : []),
      ]),
    );
  });

  test('D-53 a caller that gives up ends the connection to the service, and the other way round', async () => {
    const { caller, service } = await connected();
    caller.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
    await once(service, 'data');
    caller.resetAndDestroy();
    await expect(once(service, 'close')).rejects.toThrow('ECONNRESET');

    const other = await connected();
    other.service.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    await once(other.caller, 'data');
    other.service.resetAndDestroy();
    await expect(once(other.caller, 'close')).rejects.toThrow('ECONNRESET');
  });

  test.each(['caller', 'service'] as const)(
    'D-53 a %s that does not read is not sent more than the buffers hold, and gets all once it reads',
    async (reader) => {
      const ends = await connected();
      const [from, to] =
        reader === 'caller' ? [ends.service, ends.caller] : [ends.caller, ends.service];
      const size = 32 * 1024 * 1024;
      const start = reader === 'caller' ? 'HTTP/1.1 200 OK\r\n' : 'POST / HTTP/1.1\r\nHost: a\r\n';
      to.pause();
      from.write(`${start}Content-Length: ${size}\r\n\r\n`);
      from.end(Buffer.alloc(size));
      // The proxy gets as many turns as it would need to take all of it.
      const echo = await listenWith((socket) => socket.pipe(socket));
      const socket = connect(await proxyTo(echo), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      for (let turn = 0; turn < 1_000; turn += 1) {
        socket.write('x\r\n\r\n');
        await once(socket, 'data');
      }
      expect(from.writableFinished).toBe(false);
      const received = await buffer(to);
      expect(received.length).toBeGreaterThan(size);
    },
  );
});

describe('D-53 proxy of a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test('D-53 the answers of the service are the same through the proxy and without it', async () => {
    const user = await service.createUser({ firmId: await service.createFirm() });
    const { key } = await service.issueApiKey();
    const idToken = await service.idToken(user);
    const direct = Number(new URL(service.baseUrl).port);
    const port = await proxyTo(direct);
    const credentials = `Host: a\r\nx-API-key: ${key}\r\nAuthorization: Bearer ${idToken}\r\n`;
    const close = 'Connection: close\r\n';
    const json = 'content-type: application/json\r\n';
    const requests = [
      `GET /v1/hello-world HTTP/1.1\r\n${credentials}${close}\r\n`,
      `GET /v1/hello-world HTTP/1.0\r\n${credentials}\r\n`,
      `HEAD /v1/hello-world HTTP/1.1\r\n${credentials}${close}\r\n`,
      `POST /v1/customers HTTP/1.1\r\n${credentials}${close}\r\n`,
      `POST /v1/mandates HTTP/1.1\r\n${credentials}${json}Expect: 100-continue\r\nContent-Length: 2\r\n${close}\r\n{}`,
      `POST /v1/coda-files HTTP/1.1\r\n${credentials}${json}Transfer-Encoding: chunked\r\n${close}\r\n2\r\n{}\r\n0\r\n\r\n`,
      `POST /v1/customers HTTP/1.1\r\n${credentials}${json}Content-Length: 70000\r\n\r\n${' '.repeat(70_000)}`,
      `GET http://a/v1/hello-world HTTP/1.1\r\n${credentials}${close}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${credentials}${close}\r\n`,
      `GET /docs/ HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
      `GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\nHost: a\r\n\r\n`,
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nBig: ${'b'.repeat(80_000)}\r\n\r\n`,
      'nonsense\r\n\r\n',
    ];
    const comparable = (answer: string) =>
      answer
        .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
        .replace(/^(Date|RateLimit): .*$/gm, '$1');
    for (const request of requests) {
      const expected = comparable(await converse(direct, [request]));
      expect(comparable(await converse(port, [request])), request.slice(0, 200)).toBe(expected);
    }
  });
});
