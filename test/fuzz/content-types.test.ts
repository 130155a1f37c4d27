import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operationsWithBody } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget();

const otherTypes = [
  ...[undefined, 'text/plain', 'text/json', 'application/xml', 'application', '*/*'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['application/jsonx', 'application/merge-patch+json', ';charset=utf-8'],
  ...['application/json; charset=utf-16', 'application/json; charset=iso-8859-1'],
  ...['application/json; charset="latin1"', 'application/json; charset=__proto__'],
  `application/${'x'.repeat(4_000)}`,
];

describe('D-03 bodies that are not sent as JSON in UTF-8', () => {
  it.each(oneIn(4, operationsWithBody))('%s returns 415', async (operationId) => {
    const sent = otherTypes.map((type) => [type, { headers: { 'content-type': type } }] as const);
    await target.storingNothing(() =>
      target.expectErrors(operationId, sent, 415, 'unsupportedMediaType'),
    );
  });
});

describe('D-03 content types that are JSON', () => {
  it.each([
    ...['application/json', 'APPLICATION/JSON', 'application/json;', 'application/json; ='],
    ...['application/json;charset=utf-8', 'application/json; charset=UTF-8'],
    ...['application/json; charset="utf-8"', 'application/json; version=1; x=y'],
    'application/json; __proto__=x; constructor=y',
    `application/json; x=${'y'.repeat(4_000)}`,
  ])('%s', async (contentType) => {
    const headers = { 'content-type': contentType };
    expect((await target.send('searchCustomers', { headers })).status).toBe(200);
  });

  it('an operation without a body ignores one', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await target.send('addBankAccount', { headers, body: '{"a"}' });
    expect(status).toBe(200);
  });
});

describe('D-03 compressed bodies', () => {
  const json = Buffer.from('{"limit":1}');
  const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');
  const gzip = gzipSync(json);
  const wrongChecksum = Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8, 1)]);

  it.each([
    ['gzip', 'gzip', gzip, 200, undefined],
    ['deflate', 'deflate', deflateSync(json), 200, undefined],
    ['identity', 'identity', json, 200, undefined],
    ['a name in capitals', 'GZIP', gzip, 200, undefined],
    ['an empty encoding, which is none', '', json, 200, undefined],
    ['gzip that inflates to 64 MiB', 'gzip', gzipSync(bomb), 413, 'payloadTooLarge'],
    ['deflate that inflates to 64 MiB', 'deflate', deflateSync(bomb), 413, 'payloadTooLarge'],
    ...['compress', 'br', 'zstd', 'gzip, gzip', '__proto__', 'utf-8'].map(
      (encoding) => [encoding, encoding, json, 415, 'unsupportedMediaType'] as const,
    ),
    ['gzip that is none', 'gzip', json, 400, 'invalidJson'],
    ['gzip that is cut short', 'gzip', gzip.subarray(0, 20), 400, 'invalidJson'],
    ['gzip with a wrong checksum', 'gzip', wrongChecksum, 400, 'invalidJson'],
    ['gzip that holds broken JSON', 'gzip', gzipSync('{'), 400, 'invalidJson'],
  ] as const)('%s', async (_, encoding, body, status, error) => {
    expect(body.length).toBeLessThan(64 * 1024);
    const headers = { 'content-encoding': encoding };
    const answer = await target.send('searchCustomers', { body, headers });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });
});
