import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { sendResponse } from '../../src/http/send-response.js';

async function* pieces<Item>(...items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** What a reader gets of a body. */
async function read(body: unknown): Promise<unknown> {
  const app = express();
  app.get('/', (_request, response) => sendResponse(response, { status: 200, body }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`)).json();
}

test('§4.22 lists in pieces are written as plain arrays, however deep they lie', async () => {
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

test('§4.22 a list that is longer than what is sent at once arrives whole', async () => {
  const items = Array.from({ length: 3_000 }, (_, number) => ({ number, text: 'x'.repeat(100) }));
  const body = pieces<unknown>({ inner: { items: pieces(...items) } }, ...items);
  expect(await read(body)).toEqual([{ inner: { items } }, ...items]);
});
