import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../src/api/api-error.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { ignoreBody, readJsonBody } from '../../src/http/json-body.js';
import { createRequestLog } from '../../src/http/request-state.js';

let server: Server;
const lines: string[] = [];
beforeAll(async () => {
  const app = express()
    .set('env', 'production')
    .use(createRequestLog(pino({}, { write: (line) => void lines.push(line) })))
    .use('/read', readJsonBody, (_request, response) => response.json('read'))
    .use('/ignored', ignoreBody, (_request, response) => response.json('ignored'))
    .use('/refused', async () => {
      await Promise.resolve();
      throw new ApiError('invalidApiKey');
    })
    .use(errorHandler);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const mebibyte = 1024 * 1024;

/** Sends chunks until the connection is closed or this many bytes are sent. */
function send(
  path: string,
  length: number,
  headers: readonly string[] = [],
  content = Buffer.alloc(0x4000, ' '),
) {
  return new Promise<{ sent: number; answer: string }>((resolve) => {
    let sent = 0;
    let answer = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers];
    socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
    const size = content.length.toString(16);
    const chunk = Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n')]);
    const write = () => {
      while (sent < length && !socket.destroyed) {
        sent += content.length;
        if (!socket.write(chunk)) break;
      }
    };
    socket.on('drain', write).on('connect', write);
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ sent, answer }));
  });
}

test.each([
  ['/refused', 403],
  ['/read', 413],
  ['/ignored', 200],
])(
  'D-03 an endless body: %s gets %i, and the body is not read to the end',
  async (path, status) => {
    const { sent, answer } = await send(path, 256 * mebibyte);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain('Connection: close');
    expect(sent).toBeLessThan(32 * mebibyte);
  },
);

test.each([
  [[], Buffer.alloc(80 * 1024, ' ')],
  [['Content-Encoding: gzip'], gzipSync(randomBytes(80 * 1024))],
])('D-03 a chunked body is 413 at the limit, not at its end (%j)', async (headers, content) => {
  const { answer } = await send('/read', 80 * 1024, headers, content);
  expect(answer).toContain('HTTP/1.1 413 ');
  expect(answer).toContain('payloadTooLarge');
});

/** Sends a request and returns the first data that comes back, which contains the whole answer. */
async function ask(path: string, headers: readonly string[], body = ''): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  socket.end();
  return answer;
}

test.each([
  ['of the largest size', [`Content-Length: ${64 * 1024}`], '', 'keep-alive'],
  ['of one byte more', [`Content-Length: ${64 * 1024 + 1}`], '', 'close'],
  ['in endless chunks', ['Transfer-Encoding: chunked'], '1\r\nx\r\n', 'close'],
  ['in chunks that have arrived', ['Transfer-Encoding: chunked'], '0\r\n\r\n', 'keep-alive'],
])('D-03 a body %s is refused without being read', async (_, headers, body, connection) => {
  const answer = await ask('/refused', headers, body);
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(answer).toContain(`Connection: ${connection}\r\n`);
  // It has a length, so that the caller does not have to wait for the end of the connection.
  expect(answer).toMatch(/^Content-Length: /m);
});

test('D-03 a chunked body that is too large is refused once, although it ends', async () => {
  const printed = vi.spyOn(console, 'error');
  onTestFinished(() => printed.mockRestore());
  lines.length = 0;
  const chunk = `14000\r\n${' '.repeat(0x14000)}\r\n0\r\n\r\n`;
  expect(await ask('/read', ['Transfer-Encoding: chunked'], chunk)).toMatch(/^HTTP\/1\.1 413 /);
  await expect.poll(() => lines).toHaveLength(1);
  await ask('/ignored', ['Content-Length: 0']);
  // Express prints an error for which no answer can be sent any more.
  expect(printed).not.toHaveBeenCalled();
});

test('D-03 a body may have exactly 64 KiB, chunked or not', async () => {
  const size = 64 * 1024;
  const body = `{${' '.repeat(size - 2)}}`;
  const chunk = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  expect(await ask('/read', ['Transfer-Encoding: chunked'], chunk)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask('/read', [`Content-Length: ${size}`], body)).toMatch(/^HTTP\/1\.1 200 /);
});

test('D-03 a chunked body that is refused for its encoding gets one response', async () => {
  const { answer } = await send('/read', 256 * 1024, ['Content-Encoding: rot13']);
  expect(answer).toContain('HTTP/1.1 415 ');
  expect(answer).toContain('unsupportedMediaType');
});
