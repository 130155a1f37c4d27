import { createServer } from 'node:http';
import express from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { errorHandler } from '../../src/http/error-handler.js';
import { createRequestLog } from '../../src/http/request-state.js';
import { sendResponse } from '../../src/http/send-response.js';
import { listenInTest } from '../support/listen-in-test.js';
import { endlessList } from './endless-list.js';

async function* pieces<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

const log: string[] = [];

/** Returns the answer to a request for this body, as far as it has arrived. */
async function answer(body: unknown): Promise<Response> {
  log.length = 0;
  const logger = pino({}, { write: (line) => void log.push(line) });
  const app = express().use(createRequestLog(logger));
  app.get('/', (_request, response) =>
    sendResponse(response, { status: 200, body }, (wait) => wait()),
  );
  app.use(errorHandler);
  const port = await listenInTest(createServer(app));
  return fetch(`http://127.0.0.1:${port}/`);
}

/** Returns the JSON that a reader gets of a body. */
async function read(body: unknown): Promise<unknown> {
  return (await answer(body)).json();
}

/** Yields this many items, and then fails like a query. */
async function* failingAfter(count: number): AsyncGenerator<string> {
  for (let number = 0; number < count; number += 1) yield 'x'.repeat(100);
  throw new Error('The query has failed');
}

test('§4.22 streamed lists are written as plain arrays at any depth', async () => {
  const body = pieces<unknown>(
    {
      name: 'a',
      absent: undefined,
      list: pieces<unknown>({ of: { lists: pieces(1, 2) } }, 'x'),
      last: null,
    },
    { one: { two: { three: pieces() }, plain: [1, { b: 2 }] } },
    [1, [2]],
    'text',
  );
  expect(await read(body)).toEqual([
    { name: 'a', list: [{ of: { lists: [1, 2] } }, 'x'], last: null },
    { one: { two: { three: [] }, plain: [1, { b: 2 }] } },
    [1, [2]],
    'text',
  ]);
});

test('§4.22 a list without records is an empty array', async () => {
  expect(await read(pieces())).toEqual([]);
});

test('§4.22 a list that is longer than one chunk arrives completely', async () => {
  const items = Array.from({ length: 3_000 }, (_, number) => ({ number, text: 'x'.repeat(100) }));
  const body = pieces<unknown>({ inner: { items: pieces(...items) } }, ...items);
  expect(await read(body)).toEqual([{ inner: { items } }, ...items]);
});

test('§4.22 a list that fails before its first byte was sent is an error', async () => {
  const response = await answer(failingAfter(10));
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: 'internalError' });
});

test.each([
  ['a list', failingAfter(3_000)],
  ['a list within a record', pieces({ inner: failingAfter(3_000) })],
])(
  '§4.22 %s that fails midway breaks the connection, so that it does not look complete',
  async (_, body) => {
    const response = await answer(body);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  },
);

test('§4.22 an endless list is aborted and logged when its reader is gone', async () => {
  const { state, items } = endlessList();
  const { body } = await answer(items);
  await body?.cancel();
  await expect.poll(() => state.isGivenUp).toBe(true);
  await expect.poll(() => log).toHaveLength(1);
  expect(JSON.parse(log.join())).toMatchObject({ status: 200, complete: false });
});
