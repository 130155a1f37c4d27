import { createServer } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { sendResponse } from '../../src/http/send-response.js';
import { listenInTest } from '../support/listen-in-test.js';
import { endlessList } from './endless-list.js';

test('§4.22 a reader that stops reading for 30 s is disconnected, and the list is aborted', async () => {
  const { state, items } = endlessList();
  const app = express();
  app.get('/', (_request, response) =>
    sendResponse(response, { status: 200, body: items }, (wait) => wait()),
  );
  // It has no data listener, so it reads nothing.
  const socket = connect(await listenInTest(createServer(app)), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const begun = performance.now();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => state.isGivenUp, { timeout: 60_000, interval: 500 }).toBe(true);
  expect(performance.now() - begun).toBeGreaterThan(29_900);
});
