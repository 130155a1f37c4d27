import { once } from 'node:events';
import {
  Agent,
  get,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from '../../src/http/http-server.js';

let http: ReturnType<typeof createHttpServer>;
let agent: Agent;
afterEach(async () => {
  agent.destroy();
  http.server.closeAllConnections();
  http.server.close();
});

async function start(listener: RequestListener, drainMs = 0): Promise<number> {
  http = createHttpServer(listener, { drainMs, logger: pino({ enabled: false }) });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve));
  return (http.server.address() as AddressInfo).port;
}

/**
 * Makes a call on the only connection of the agent, or from another one. Returns its Connection
 * header and a promise of its body.
 */
async function call(port: number, from = agent) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: from }, resolve).on('error', reject);
  });
  const body = response.setEncoding('utf8').toArray();
  return { connection: response.headers.connection, body: body.then((parts) => parts.join('')) };
}

test('http server: there is a timeout for each kind of slow connection', async () => {
  await start(() => {});
  expect(http.server).toMatchObject({
    headersTimeout: 30_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    timeout: 120_000,
  });
});

test('http server: a stop ends the connection of a caller that makes one call after another', async () => {
  let calls = 0;
  let stopped: Promise<void> | undefined;
  const port = await start((_request, response) => {
    calls += 1;
    if (calls === 4) stopped = http.stop();
    response.end('whole');
  });
  const connections: (string | undefined)[] = [];
  const started = performance.now();
  for (let number = 0; number < 4; number += 1) {
    const { connection, body } = await call(port);
    connections.push(connection);
    expect(await body).toBe('whole');
  }
  expect(connections).toEqual(['keep-alive', 'keep-alive', 'keep-alive', 'close']);
  // Only a new connection is refused. Open ones are not cut.
  await expect(call(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await stopped;
  // Remaining connections are cut after ten seconds.
  expect(performance.now() - started).toBeLessThan(9_000);
});

test('http server: a stop lets a running response finish, and then closes its connection', async () => {
  const port = await start((_request, response) => {
    response.write('begun, ');
    setTimeout(() => response.end('ended'), 100);
  });
  const { connection, body } = await call(port);
  const started = performance.now();
  const stopped = http.stop();
  expect([connection, await body]).toEqual(['keep-alive', 'begun, ended']);
  await stopped;
  expect(performance.now() - started).toBeLessThan(9_000);
});

test('D-61 a server that drains goes on, then answers on open connections only, and closes idle ones a second later', async () => {
  const port = await start((_request, response) => response.end('whole'), 1_200);
  const idle = connect(port, '127.0.0.1');
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(idle, 'data');
  const idleEnded = once(idle.resume(), 'end').then(() => performance.now());
  expect((await call(port)).connection).toBe('keep-alive');
  const stopped = http.stop();
  const started = performance.now();
  const other = new Agent({ keepAlive: true });
  expect((await call(port, other)).connection).toBe('keep-alive');
  other.destroy();
  await expect
    .poll(async () => call(port, new Agent()).catch(({ code }) => code), { interval: 20 })
    .toBe('ECONNREFUSED');
  expect(performance.now() - started).toBeGreaterThan(1_150);
  // A request on a connection that was idle when the server stopped to listen.
  expect((await call(port)).connection).toBe('close');
  await stopped;
  expect((await idleEnded) - started).toBeGreaterThan(2_100);
});

test('http server: a call that waits behind another one at the stop gets Connection: close', async () => {
  let stopped: Promise<void> | undefined;
  const port = await start((request, response) => {
    if (request.url === '/first') {
      response.write('first');
      stopped = http.stop();
    }
    response.end();
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    ['/first', '/second'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''),
  );
  const answers = (await socket.setEncoding('utf8').toArray()).join('');
  expect(answers.match(/^Connection: .*$/gm)).toEqual([
    'Connection: keep-alive',
    'Connection: close',
  ]);
  await stopped;
});

test.each(['GET', 'HEAD'])(
  'http server: a %s with an endless body is the last call of its connection',
  async (method) => {
    const port = await start((_request, response) => response.end('whole'));
    const connection = await new Promise((resolve, reject) => {
      const headers = { 'Transfer-Encoding': 'chunked' };
      const call = request({ host: '127.0.0.1', port, agent, headers, method }, (response) => {
        resolve(response.headers.connection);
        response.resume();
      });
      call.on('error', reject).write('{');
    });
    expect(connection).toBe('close');
    expect((await call(port)).connection).toBe('keep-alive');
  },
);

test('http server: each call of a connection learns that its caller has gone, also one behind another', async () => {
  const responses = new Map<string, ServerResponse>();
  const closed: string[] = [];
  const port = await start((request, response) => {
    const path = request.url ?? '';
    responses.set(path, response);
    response.on('close', () => closed.push(path));
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    ['/first', '/second', '/third']
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      .join(''),
  );
  await expect.poll(() => responses.size).toBe(3);
  socket.destroy();
  await expect.poll(() => closed).toEqual(['/first', '/second', '/third']);
  expect([...responses.values()].map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

test.each([
  ['that did not arrive in time', '', 'HTTP/1.1 408 Request Timeout'],
  ['behind a call whose answer has begun', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', undefined],
])(
  'D-03 a request %s: the answer to it never mixes with another one',
  async (_, sent, expected) => {
    const port = await start((_request, response) => void response.write('begun'));
    const accepted = once(http.server, 'connection');
    const socket = connect(port, '127.0.0.1');
    const answers = socket.setEncoding('utf8').toArray();
    const [connection] = await accepted;
    socket.write(sent);
    if (sent !== '') await once(socket, 'readable');
    // Node emits this after thirty seconds.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    http.server.emit('clientError', late, connection);
    const text = (await answers).join('');
    if (expected === undefined) expect(text).not.toContain('Request Timeout');
    else expect(text).toMatch(new RegExp(`^${expected}.*"error":"validationFailed"`, 's'));
  },
);
