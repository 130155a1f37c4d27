import { expect, it } from 'vitest';
import { readDocument } from '../src/document/read-document.js';
import type { SpecDocument } from '../src/document/spec-document.js';
import { documentedCodes } from '../src/model/error-code.js';
import { bodyKind, contentFor, isBinary } from '../src/openapi/media-type.js';
import { isErrorStatus, isSuccessStatus } from '../src/openapi/message-objects.js';
import { readBaseUrl, readOpenApi } from '../src/openapi/openapi-object.js';
import { requiredNames } from '../src/openapi/schema-object.js';

function documentOf(value: object): SpecDocument {
  const document = readDocument(JSON.stringify(value));
  if (!document.ok) throw new Error(JSON.stringify(document.findings));
  return document.value;
}

it.each([
  ['has no slash at the end', 'https://a.example.org/v1/', 'https://a.example.org/v1'],
  [
    'has the defaults of its variables; a variable without a default is unchanged',
    'https://{firm}.{region}.example.org/{version}',
    'https://acme.{region}.example.org/v1',
  ],
])('codegen: the URL of the first server %s', (_what, url, expected) => {
  const variables = { firm: { default: 'acme' }, version: { default: 'v1' }, region: {} };
  const servers = [{ url, variables }, { url: 'https://other.example.org' }];
  expect(readBaseUrl(documentOf({ servers }).root)).toBe(expected);
});

it.each([
  {},
  { servers: [] },
  { servers: [{}] },
  { servers: [{ url: '' }] },
  { servers: [{ url: '/' }] },
])('OpenAPI 3.1 §4.8.1 %j leaves the URL of a path as it is', (value) => {
  expect(readBaseUrl(documentOf(value).root)).toBe('');
});

it('codegen: a status is an error from 400 on, and so is a range of them', () => {
  const errors = ['404', '503', '4XX'];
  const others = ['200', '302', '2XX', 'default', '1404', '4040'];
  expect([...errors, ...others].filter(isErrorStatus)).toEqual(errors);
});

it('codegen: a status is a success from 200 to 299, and so is a range of them', () => {
  const successes = ['200', '204', '299', '2XX'];
  const others = ['302', '4XX', 'default', '1200', '2000', '20X', '2X0'];
  expect([...successes, ...others].filter(isSuccessStatus)).toEqual(successes);
});

it.each([
  ['application/json', 'json'],
  ['application/JSON ; charset=utf-8', 'json'],
  ['application/vnd.example+json', 'json'],
  ['application/problem+json;v=2', 'json'],
  ['application/+json', 'bytes'],
  ['application/jsonl', 'bytes'],
  ['x-application/json', 'bytes'],
  ['text/csv', 'text'],
  ['text/', 'bytes'],
  ['application/xml', 'text'],
  ['application/soap+xml', 'text'],
  ['application/xml-dtd', 'bytes'],
  ['image/svg+xml', 'bytes'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data', 'multipart'],
  ['multipart/mixed', undefined],
  ['application/octet-stream', 'bytes'],
  ['', 'bytes'],
])('OpenAPI 3.1 §4.8.14 a body of %s is written as %s', (mediaType, kind) => {
  expect(bodyKind(mediaType)).toBe(kind);
});

it.each([
  [{ format: 'binary' }, true],
  [{ contentEncoding: 'binary' }, true],
  [{ contentMediaType: 'image/png' }, true],
  [{ contentMediaType: 'image/png', contentEncoding: 'base64' }, false],
  [{ contentEncoding: 'base64' }, false],
  [{ format: 'byte' }, false],
  [{}, false],
])('OpenAPI 3.1 §4.8.14.2 a member of a form with %j is a file: %s', (schema, isFile) => {
  expect(isBinary(schema)).toBe(isFile);
});

it.each([
  [200, 'a'],
  [201, 'b'],
  [299, 'b'],
  [404, 'c'],
])(
  'OpenAPI 3.1 §4.8.16 the entry of a status, of its class, or the other one: %i',
  (status, entry) => {
    expect(contentFor({ 200: 'a', '2XX': 'b', default: 'c' }, status)).toBe(entry);
    expect(contentFor({ '1XX': 'a' }, status)).toBeUndefined();
  },
);

it('codegen: names under required are strings; other values are ignored', () => {
  expect(requiredNames(documentOf({ required: ['id', 7] }).root)).toEqual(['id']);
  expect(requiredNames(documentOf({}).root)).toEqual([]);
});

it('D-03: an error code is documented by an example of an ErrorBody, or of another error named after it', () => {
  const examples = {
    named: { value: { error: 'named', message: 'Named.' } },
    other: { value: { error: 'reason', message: 'Reason.' } },
    silent: { value: { error: 'silent' } },
    codeless: { value: { message: 'No code.' } },
    elsewhere: { externalValue: 'https://example.org/elsewhere.json' },
  };
  const response = (schema: string) => ({
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, examples },
    },
  });
  const responses = {
    '200': response('ErrorBody'),
    '400': response('ErrorBody'),
    '404': { description: 'Without a body.' },
    '409': { content: { 'application/json': { examples } } },
    '500': response('TokenFailure'),
  };
  const components = { schemas: { ErrorBody: {}, TokenFailure: {} } };
  const api = readOpenApi(documentOf({ paths: { '/things': { get: { responses } } }, components }));
  const found = documentedCodes(api).map(({ status, code, message }) => [status, code, message]);
  expect(found).toEqual([
    ['400', 'named', 'Named.'],
    ['400', 'reason', 'Reason.'],
    ['400', 'silent', undefined],
    ['409', 'named', 'Named.'],
    ['409', 'silent', undefined],
    ['500', 'named', 'Named.'],
    ['500', 'silent', undefined],
  ]);
});
