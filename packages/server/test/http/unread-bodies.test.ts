import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../src/http/api-error.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { ignoreBody, readJsonBody } from '../../src/http/json-body.js';
import { createRequestLog } from '../../src/http/request-log.js';

let server: Server;
beforeAll(async () => {
  const app = express()
    .use(createRequestLog(pino({ level: 'silent' })))
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

/** Sends chunks until the connection is closed, or so many bytes of them. */
function send(path: string, length: number, headers: readonly string[] = []) {
  return new Promise<{ sent: number; answer: string }>((resolve) => {
    let sent = 0;
    let answer = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers];
    socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const write = () => {
      while (sent < length && !socket.destroyed) {
        sent += 0x4000;
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
  'D-03 a body without end: %s is answered %i, and the body is not taken',
  async (path, status) => {
    const { sent, answer } = await send(path, 256 * mebibyte);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain('Connection: close');
    expect(sent).toBeLessThan(32 * mebibyte);
  },
);

test.each([[[]], [['Content-Encoding: gzip']]])(
  'D-03 a body of chunks is 413 at the limit, not at its end (%j)',
  async (headers) => {
    const { answer } = await send('/read', 80 * 1024, headers);
    expect(answer).toContain('HTTP/1.1 413 ');
    expect(answer).toContain('payloadTooLarge');
  },
);

test('D-03 a body of chunks that is refused for its encoding is answered once', async () => {
  const { answer } = await send('/read', 256 * 1024, ['Content-Encoding: rot13']);
  expect(answer).toContain('HTTP/1.1 415 ');
  expect(answer).toContain('unsupportedMediaType');
});
