import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { bodiesOf, startEcho, taking } from './support/echo-service.js';

const json = 'application/json';
const content = { [json]: { schema: { type: 'object' } } };
const refusal = Object.assign(new Error('No.'), { status: 403, expose: true });
const keys: unknown[] = [];
const call = await startEcho(
  {
    'post /required': { requestBody: { required: true, content } },
    'post /asp-net': {
      requestBody: { content: { 'text/json': content[json], 'application/*+json': content[json] } },
    },
    'post /optional': { requestBody: { content } },
    'post /slow': { requestBody: { required: true, content }, security: [{ slow: [] }] },
    'get /both': { security: [{ failing: [], throwing: [] }] },
    'get /key': { security: [{ key: [] }] },
    'get /declared-key': {
      parameters: [{ name: 'key', in: 'query', required: true, schema: { type: 'string' } }],
      security: [{ key: [] }],
    },
    'post /byte': taking({ type: 'string', format: 'byte' }),
    'post /uuid': taking({ type: 'string', format: 'uuid' }),
    'get /open': { security: [{}, { key: [] }] },
  },
  {
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'key' },
      slow: { type: 'http', scheme: 'bearer' },
      failing: { type: 'http', scheme: 'bearer' },
      throwing: { type: 'http', scheme: 'bearer' },
    },
  },
  afterAll,
  {
    key: (_request, _scopes, key) => keys.push(key) > 0 && key === 'k',
    slow: () => setTimeout(50, true),
    failing: () => Promise.reject(refusal),
    throwing: () => {
      throw refusal;
    },
  },
);

it('D-42 a chunked JSON body without bytes is absent', async () => {
  const headers = { 'content-type': json, 'transfer-encoding': 'chunked' };
  const send = async (path: string) => {
    const sent = request({ port: call.port, path, method: 'POST', headers }).end();
    const [response] = await once(sent, 'response');
    return JSON.parse(Buffer.concat(await response.toArray()).toString());
  };
  expect(await send('/optional')).not.toHaveProperty('body');
  expect(await send('/required')).toHaveProperty('errors', [
    { path: '/body', message: 'is required' },
  ]);
});

it('D-42 a body that Express does not read, because the caller sends no more, reaches no handler', async () => {
  call.handled.splice(0);
  const socket = connect(call.port, '127.0.0.1');
  socket.end(
    `POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: ${json}\r\nContent-Length: 2\r\n\r\n{}`,
  );
  await once(socket.resume(), 'close');
  await setTimeout(100);
  expect(call.handled).toEqual([]);
});

it.each([
  ['text/json', 'text/json'],
  ['application/vnd.a+json; charset=utf-8', 'application/*+json'],
])('D-42 %s, which specs of ASP.NET have, is JSON', async (type, contentType) => {
  const sent = { method: 'post', body: '{"a":[1]}', headers: ['content-type', type] };
  const expected = { status: 200, body: { a: [1] }, contentType };
  expect(await call('/asp-net', sent)).toMatchObject(expected);
});

it('D-42 security handlers may reject and throw at once', async () => {
  expect(await call('/both')).toMatchObject({ status: 403 });
});

it('D-42 a handler gets the key of the query of any address', async () => {
  expect(await call('http://a:99999/key?key=k')).toMatchObject({ status: 200 });
  expect(await call('/key?key=x')).toMatchObject({ status: 401 });
});

it('D-42 a key of the query that is declared as a parameter too is one', async () => {
  expect(await call('/declared-key?key=k')).toMatchObject({ status: 200, query: { key: 'k' } });
  expect(await call('/key?key=k')).toMatchObject({ status: 200, query: {} });
});

it('D-42 optional credentials are read if they are sent', async () => {
  keys.splice(0);
  expect(await call('/open?key=k')).toMatchObject({ status: 200 });
  expect(await call('/open')).toMatchObject({ status: 200 });
  expect(keys).toEqual(['k', undefined]);
});

const uuid = '01234567-89ab-CDEF-0123-456789abcdef';

it.each([
  ['byte', 'AAAA', true],
  ['byte', 'AA==', true],
  ['byte', 'AAA=', true],
  ['byte', '!!!\n', false],
  ['byte', 'AAAA\r\nAAAA', false],
  ['byte', 'AAA', false],
  ['uuid', uuid, true],
  ['uuid', `urn:uuid:${uuid}`, false],
])('D-42 a value of format %s is one that programs can read: %j', async (format, text, isValid) => {
  const expected = isValid ? text : [`/body must match format "${format}"`];
  expect(await bodiesOf(call)(`post /${format}`, JSON.stringify(text))).toEqual(expected);
});
