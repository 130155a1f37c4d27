import { createServer } from 'node:http';
import { type Operation, operations } from '@adx/contract';
import express, { type RequestHandler } from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../src/api/concurrency-limit.js';
import { createSharedRateLimit } from '../../src/api/shared-rate-limit.js';
import { createBindOperation } from '../../src/http/bind-operation.js';
import { createCallLimits } from '../../src/http/call-limits.js';
import { errorHandler } from '../../src/http/error-handler.js';
import { createRequestLog, requestState } from '../../src/http/request-state.js';
import { knexForFile } from '../support/knex-for-file.js';
import { listenInTest } from '../support/listen-in-test.js';

const needsNoCredentials = () => Promise.reject(new Error('No credentials are needed'));
const knex = await knexForFile();
const limits = createCallLimits({
  rateLimit: createSharedRateLimit({ knex, limit: 1000, windowSeconds: 60 }),
  callsPerMinute: 1000,
  turnOfFirm: createConcurrencyLimit({ places: 4 }),
  turnOfSignIn: createConcurrencyLimit({ places: 4 }),
});
const bind = createBindOperation({
  authenticator: { apiKey: needsNoCredentials, principal: needsNoCredentials },
  limits,
  usage: { count: () => {} },
  trail: { add: () => {} },
  publicUrl: 'https://adx.test',
});

/**
 * Returns the middleware of the sign-in, which needs no user, and the requests that its handler
 * got.
 */
function signIn(body: unknown = 'handled', operation: Operation = operations.getToken) {
  const handled: unknown[] = [];
  const call = bind(operation, (request) => {
    handled.push(request);
    return { status: 200, body };
  });
  return { call, handled };
}

const accepted: RequestHandler = (_request, response, next) => {
  requestState(response).apiKey = { id: '1', partner: 'Tests', scopes: [] };
  next();
};

/** Posts a body to this middleware, mounted at a path like that of an operation. */
async function post(path: string, call: RequestHandler, body: unknown) {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(line) });
  const app = express().use(createRequestLog(logger)).use(accepted);
  app.post(path, call);
  app.use(errorHandler);
  const port = await listenInTest(createServer(app));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, headers, answer: await response.json(), log: lines.join('') };
}

const refresh = { refreshToken: 'x' };
const bug = {
  status: 500,
  headers: expect.any(Headers),
  answer: expect.objectContaining({ error: 'internalError' }),
};

test.each([
  ['none of the interface', '/elsewhere', refresh, 'validated as no operation'],
  ['that of another operation', '/v1/banks', {}, 'validated as listBanks'],
])(
  'D-04 a request is not handled if the validator reads its path as %s',
  async (_, path, body, message) => {
    const { call, handled } = signIn();
    const { log, ...answered } = await post(path, call, body);
    expect(answered).toEqual(bug);
    expect(log).toContain(message);
    expect(handled).toEqual([]);
  },
);

test('D-03 a list that fails while it is sent is reported as an error', async () => {
  async function* failing() {
    yield await Promise.reject(new Error('The query has failed'));
  }
  const { log, ...answered } = await post('/v1/token', signIn(failing()).call, refresh);
  expect(answered).toEqual(bug);
  expect(log).toContain('The query has failed');
});

test.each([
  [
    'with all that can be said',
    { sunset: '2027-06-30', replacedBy: 'listBanks' },
    {
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
      link:
        '<https://adx.test/docs/reference/#operation/getToken>; rel="deprecation"; type="text/html", ' +
        '<https://adx.test/docs/reference/#operation/getToken>; rel="sunset"; type="text/html", ' +
        '<https://adx.test/v1/banks>; rel="successor-version"',
    },
  ],
  [
    'without an end',
    { replacedBy: 'getCustomer' },
    {
      sunset: null,
      link: '<https://adx.test/docs/reference/#operation/getToken>; rel="deprecation"; type="text/html"',
    },
  ],
])(
  'RFC 9745 RFC 8594 every response of a deprecated operation says so: %s',
  async (_, more, expected) => {
    const deprecation = { since: '2026-12-01', ...more };
    const { call } = signIn('handled', { ...operations.getToken, deprecation });
    for (const [body, status] of [
      [refresh, 200],
      [{ other: 1 }, 400],
      // Refused before it is read.
      ['x'.repeat(100_000), 413],
    ] as const) {
      const response = await post('/v1/token', call, body);
      expect(response.status).toBe(status);
      const [sunset, link] = [response.headers.get('sunset'), response.headers.get('link')];
      expect({ sunset, link }).toEqual(expected);
      expect(response.headers.get('deprecation')).toBe('@1796083200');
    }
  },
);

test('RFC 9745 a response of another operation does not say that it is deprecated', async () => {
  const { headers } = await post('/v1/token', signIn().call, refresh);
  expect(['deprecation', 'sunset', 'link'].filter((name) => headers.has(name))).toEqual([]);
});
