import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FuzzTarget, operationsWithBody, startFuzzTarget } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';

let target: FuzzTarget;
beforeAll(async () => {
  target = await startFuzzTarget();
});
afterAll(() => target?.service.close());

const otherTypes = [
  undefined,
  'text/plain',
  'text/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/merge-patch+json',
  'application',
  '*/*',
  ';charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset="latin1"',
  'application/json; charset=__proto__',
  `application/${'x'.repeat(4_000)}`,
];

describe('D-03 bodies that are not sent as JSON in UTF-8', () => {
  it.each(oneIn(4, operationsWithBody))('%s returns 415', async (operationId) => {
    await target.storingNothing(async () => {
      for (const contentType of otherTypes) {
        const headers = { 'content-type': contentType };
        const { status, body } = await target.send(operationId, { headers });
        expect([contentType, status, body.error]).toEqual([
          contentType,
          415,
          'unsupportedMediaType',
        ]);
      }
    });
  });
});

describe('D-03 content types that are JSON', () => {
  it.each([
    ['application/json'],
    ['APPLICATION/JSON'],
    ['application/json;'],
    ['application/json;charset=utf-8'],
    ['application/json; charset=UTF-8'],
    ['application/json; charset="utf-8"'],
    ['application/json; version=1; x=y'],
    ['application/json; ='],
    ['application/json; __proto__=x; constructor=y'],
    [`application/json; x=${'y'.repeat(4_000)}`],
  ])('%s', async (contentType) => {
    const headers = { 'content-type': contentType };
    expect((await target.send('searchCustomers', { headers })).status).toBe(200);
  });

  it('an operation without a body ignores one', async () => {
    const headers = { 'content-type': 'text/plain', 'content-length': '5' };
    const { iban } = target.parameters;
    const path = target.pathOf('addBankAccount', { iban: iban ?? '' });
    const response = await target.service.raw(path, {
      method: 'POST',
      headers: {
        'x-api-key': target.apiKey,
        authorization: `Bearer ${target.idToken}`,
        ...headers,
      },
      body: '{"a"}',
    });
    expect(response.status).toBe(200);
  });
});

describe('D-03 compressed bodies', () => {
  const json = Buffer.from('{"limit":1}');
  const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');

  it.each([
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
    ['identity', json],
    ['GZIP', gzipSync(json)],
  ])('%s is accepted', async (encoding, body) => {
    const headers = { 'content-encoding': encoding };
    expect((await target.send('searchCustomers', { body, headers })).status).toBe(200);
  });

  it.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
  ])('%s that inflates to 64 MiB is 413', async (encoding, body) => {
    expect(body.length).toBeLessThan(64 * 1024);
    const headers = { 'content-encoding': encoding };
    expect(await target.send('searchCustomers', { body, headers })).toMatchObject({
      status: 413,
      body: { error: 'payloadTooLarge' },
    });
  });

  it('an empty encoding is none', async () => {
    const headers = { 'content-encoding': '' };
    expect((await target.send('searchCustomers', { body: json, headers })).status).toBe(200);
  });

  it.each([['compress'], ['br'], ['zstd'], ['gzip, gzip'], ['__proto__'], ['utf-8']])(
    'the encoding %s is 415',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      expect(await target.send('searchCustomers', { body: json, headers })).toMatchObject({
        status: 415,
        body: { error: 'unsupportedMediaType' },
      });
    },
  );

  it.each([
    ['not compressed at all', json],
    ['cut short', gzipSync(json).subarray(0, 20)],
    ['with a wrong checksum', Buffer.concat([gzipSync(json).subarray(0, -8), Buffer.alloc(8, 1)])],
    ['that holds broken JSON', gzipSync('{')],
  ])('gzip %s is invalidJson', async (_, body) => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await target.send('searchCustomers', { body, headers })).toMatchObject({
      status: 400,
      body: { error: 'invalidJson' },
    });
  });
});
