import { once } from 'node:events';
import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Deviation, operationsWithBody } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { bodySchema, resolved, wellFormedBody } from '../support/well-formed.js';
import { isValidBody } from './support/generated-calls.js';
import { exchange } from './support/raw-exchange.js';

const target = useFuzzTarget();

const bytes = (...values: (string | number)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))),
  );

describe.each(oneIn(5, operationsWithBody))('§4, D-05 %s', (operationId) => {
  const refusals =
    operationId === 'getToken' ? /missingCredentials|validationFailed/ : /validationFailed/;

  const noObjects: readonly [what: string, deviation: Deviation][] = [
    ['no body', { body: null }],
    ['no body but a content type', { body: null, headers: { 'content-type': 'application/json' } }],
    ['an empty body', { body: '' }],
    ['[]', { body: '[]' }],
    ['[{}]', { body: '[{}]' }],
    ['null', { body: 'null' }],
    ['true', { body: 'true' }],
    ['a number', { body: '42' }],
    ['a huge number', { body: '1e999' }],
    ['a string', { body: '"{}"' }],
    ['an empty string', { body: '""' }],
  ];

  it('a body that is missing or not an object is 400', async () => {
    await target.storingNothing(() =>
      target.expectErrors(operationId, noObjects, 400, expect.stringMatching(refusals)),
    );
  });

  const noJson: readonly [what: string, body: string | Buffer<ArrayBuffer>][] = [
    ['a lone brace', '{'],
    ['a truncated body', '{"name":"Kla'],
    ['two bodies', '{}{}'],
    ['a trailing comma', '{"limit":1,}'],
    ['single quotes', "{'limit':1}"],
    ['a comment', '{}/* none */'],
    ['NaN', '{"limit":NaN}'],
    ['a number with a leading zero', '{"limit":01}'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['undefined', 'undefined'],
    ['a form', 'limit=1&offset=2'],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['only spaces', '   '],
    ['a NUL', '\u0000'],
    ['a raw line feed in a string', '{"a":"\n"}'],
    ['UTF-8 cut within a character', bytes('{"name":"', 0xe2, 0x82, '"}')],
    ['UTF-8 cut at the end', bytes('{"name":"caf', 0xc3)],
    ['a byte that is not UTF-8', bytes('{"name":"', 0xff, '"}')],
    ['latin1', Buffer.from('{"name":"Gérante"}', 'latin1')],
    ['overlong UTF-8', bytes('{"name":"', 0xc0, 0x80, '"}')],
    ['a surrogate in UTF-8', bytes('{"name":"', 0xed, 0xa0, 0x80, '"}')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ];

  it('a body that is not JSON in UTF-8 is invalidJson', async () => {
    const sent = noJson.map(([what, body]) => [what, { body }] as const);
    await target.storingNothing(() => target.expectErrors(operationId, sent, 400, 'invalidJson'));
  });
});

describe.each(['getToken', 'createCustomer', 'searchCustomers'] as const)(
  'D-05 %s',
  (operationId) => {
    it('arrays nested 30,000 deep are 400, closed or not', async () => {
      const open = '['.repeat(30_000);
      const closed = { body: open + ']'.repeat(30_000) };
      await target.expectErrors(operationId, [['closed', closed]], 400, 'validationFailed');
      await target.expectErrors(operationId, [['open', { body: open }]], 400, 'invalidJson');
    });

    it('objects nested 10,000 deep are refused with the name of the outermost', async () => {
      const body = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
      expect(await target.send(operationId, { body })).toMatchObject({
        status: 400,
        body: { error: 'unknownField', fields: ['a'] },
      });
    });

    it('6,000 unknown fields are refused, and the next call is answered', async () => {
      const fields = Array.from({ length: 6_000 }, (_, index) => `"f${index}":0`);
      const sent = { body: `{${fields.join(',')}}` };
      await target.expectErrors(operationId, [['6,000 fields', sent]], 400, 'unknownField');
      expect((await target.send('helloWorld')).status).toBe(200);
    });
  },
);

describe('D-05 unusual bodies that are JSON', () => {
  it.each([
    ['a byte order mark', '\ufeff{}'],
    ['space around it', ' \r\n\t{}\n'],
    ['a key twice; the last value is used', '{"limit":0,"limit":1}'],
    ['escapes', '{"\\u006cimit":1}'],
  ])('%s', async (_, body) => {
    expect((await target.send('searchCustomers', { body })).status).toBe(200);
  });

  it('a key twice: the last value is validated', async () => {
    const answer = await target.send('searchCustomers', { body: '{"limit":1,"limit":0}' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'validationFailed' } });
  });
});

describe('D-05 values of the wrong type are not coerced', () => {
  const junk = [null, true, 0, 1.5, '', [], {}, [[]], { nonsense: 'x' }, ['x']];
  const fields = (['createCustomer', 'updateCustomer'] as const).flatMap((operationId) =>
    Object.keys(resolved(bodySchema(operationId) ?? {}).properties ?? {}).map((field) => ({
      operationId,
      field,
    })),
  );

  it.each(oneIn(3, fields))('$operationId: $field', async ({ operationId, field }) => {
    await target.storingNothing(async () => {
      for (const value of junk) {
        const body = JSON.stringify({ ...wellFormedBody(operationId), [field]: value });
        if (isValidBody(operationId, body)) continue;
        const answer = await target.send(operationId, { body });
        expect([JSON.stringify(value), answer.status]).toEqual([JSON.stringify(value), 400]);
      }
    });
  });
});

const limit = 64 * 1024;

/** Sends a search with further headers, and then the body. */
const searchWith = (...lines: readonly string[]) => {
  const start = ['POST /v1/customers HTTP/1.1', 'Host: x', 'Connection: close'];
  const text = [...start, ...target.headerLines, ...lines].join('\r\n');
  return exchange(target.service.baseUrl, text);
};

describe('D-03 the size of a body', () => {
  it('is counted in bytes, not in characters', async () => {
    const body = `{"search":"${'é'.repeat(limit / 2)}"}`;
    expect((await target.send('searchCustomers', { body })).status).toBe(413);
  });

  it.each(['-1', '1e3', 'x', '5, 6'])('is refused if it is declared as %s', async (length) => {
    expect((await searchWith(`Content-Length: ${length}`, '\r\n{}'))?.status).toBe(400);
  });

  it('a caller who disconnects in the middle of a body stores nothing', async () => {
    await target.storingNothing(async () => {
      const { hostname, port } = new URL(target.service.baseUrl);
      const start = ['POST /v1/customers/create HTTP/1.1', 'Host: x', ...target.headerLines];
      const socket = connect(Number(port), hostname).resume();
      socket.end([...start, 'Content-Length: 500', '', '{"name":'].join('\r\n'));
      await once(socket, 'close');
      expect((await target.send('helloWorld')).status).toBe(200);
    });
  });

  it('is refused if it is declared in two ways, so that the body cannot contain a second request', async () => {
    const answer = await searchWith(
      ...['Content-Length: 60', 'Transfer-Encoding: chunked', '', '0', ''],
      ...['GET /v1/hello-world HTTP/1.1', 'Host: x', '\r\n'],
    );
    expect(answer?.status).toBe(400);
  });
});

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
  const bomb = Buffer.alloc(4 * 1024 * 1024, ' ');
  const gzip = gzipSync(json);
  const wrongChecksum = Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8, 1)]);

  it.each([
    ['gzip', 'gzip', gzip, 200, undefined],
    ['deflate', 'deflate', deflateSync(json), 200, undefined],
    ['identity', 'identity', json, 200, undefined],
    ['a name in capitals', 'GZIP', gzip, 200, undefined],
    ['an empty encoding, which is none', '', json, 200, undefined],
    ['gzip that inflates to 4 MiB', 'gzip', gzipSync(bomb), 413, 'payloadTooLarge'],
    ['deflate that inflates to 4 MiB', 'deflate', deflateSync(bomb), 413, 'payloadTooLarge'],
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
