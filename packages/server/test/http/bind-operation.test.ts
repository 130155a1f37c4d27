import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '@adx/contract';
import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createBindOperation } from '../../src/http/bind-operation.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { createRequestLog } from '../../src/http/request-log.js';
import { requestState } from '../../src/http/request-state.js';

const askedForNothing = () => Promise.reject(new Error('No credential is asked for'));
const bind = createBindOperation({ apiKey: askedForNothing, principal: askedForNothing });

/** The steps of a sign-in, which asks for no user, and what its handler, with this answer, was called with. */
function signIn(body: unknown = 'handled') {
  const handled: unknown[] = [];
  const steps = bind(operations.getToken, (request) => {
    handled.push(request);
    return { status: 200, body };
  });
  return { steps, call: steps.slice(-1), handled };
}

const accepted: RequestHandler = (_request, response, next) => {
  requestState(response).apiKey = { id: '1', partner: 'Tests', scopes: [] };
  next();
};

/** Posts a body to these steps, mounted at a path as the router mounts those of an operation. */
async function post(path: string, steps: readonly RequestHandler[], body: unknown) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const app = express().use(createRequestLog(logger)).use(accepted);
  app.post(path, ...steps);
  app.use(errorHandler);
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json(), log: lines.join('') };
}

const refresh = { refreshToken: 'x' };
const bug = { status: 500, answer: expect.objectContaining({ error: 'internalError' }) };

test('D-04 a request that its own validator let pass is handled, with what was validated', async () => {
  const { steps, handled } = signIn();
  expect(await post('/v1/token', steps, refresh)).toMatchObject({ status: 200, answer: 'handled' });
  expect(handled).toEqual([{ path: {}, body: refresh }]);
});

test.each([
  ['none of the interface', '/elsewhere', refresh, 'validated as no operation'],
  ['that of another operation', '/v1/banks', {}, 'validated as listBanks'],
])(
  'D-04 a request is not handled when the validator takes its path for %s',
  async (_, path, body, message) => {
    const { steps, handled } = signIn();
    const { log, ...answered } = await post(path, steps, body);
    expect(answered).toEqual(bug);
    expect(log).toContain(message);
    expect(handled).toEqual([]);
  },
);

test('D-04 a request is not handled when no validator has seen it', async () => {
  const { call, handled } = signIn();
  const { log, ...answered } = await post('/v1/token', [express.json(), ...call], refresh);
  expect(answered).toEqual(bug);
  expect(log).toContain('A request to getToken was not validated');
  expect(handled).toEqual([]);
});

test('D-04 a request is not handled when it was validated for another operation', async () => {
  const { call, handled } = signIn();
  const ofBanks = bind(operations.listBanks, () => ({ status: 200, body: 'banks' }));
  // Without the check of its user.
  const others = ofBanks.filter((_, index) => index !== 1).slice(0, -1);
  const { log, ...answered } = await post('/v1/banks', [...others, ...call], {});
  expect(answered).toEqual(bug);
  expect(log).toContain('A request to getToken was not validated');
  expect(handled).toEqual([]);
});

test('D-03 a list that fails while it is sent is an error', async () => {
  async function* failing() {
    yield await Promise.reject(new Error('The query has failed'));
  }
  const { log, ...answered } = await post('/v1/token', signIn(failing()).steps, refresh);
  expect(answered).toEqual(bug);
  expect(log).toContain('The query has failed');
});
