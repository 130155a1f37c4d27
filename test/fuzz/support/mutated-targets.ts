import { type OperationId, operations } from '@adx/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type FuzzTarget, operationIds } from '../../support/fuzz-target.js';
import { findingsOf, openConnection, type RawAnswer, type RawRequest } from './raw-exchange.js';

type Write = (path: string) => string;

/** Changes that make a path a request target that is not in origin form. */
export const otherForms: Readonly<Record<string, Write>> = {
  'a fragment': (path) => `${path}#x`,
  'an empty fragment': (path) => `${path}#`,
  'a fragment after a slash': (path) => `${path}/#x`,
  'a fragment after a query': (path) => `${path}?x#y`,
  'a query in a fragment': (path) => `${path}#?x`,
  'a fragment behind capitals': (path) => `${path.toUpperCase()}#x`,
  'absolute form': (path) => `http://other.example${path}`,
  'absolute form in capitals': (path) => `HTTP://OTHER.EXAMPLE${path}`,
  'absolute form with a user and a port': (path) => `https://user@other.example:1${path}`,
  'absolute form of another scheme': (path) => `ftp://other.example${path}`,
  'absolute form with a host that is none': (path) => `http://[${path}`,
};

/** Spellings of a path that must be 404. */
export const otherPaths: Readonly<Record<string, Write>> = {
  'the version as a capital': (path) => path.replace('/v1', '/V1'),
  'a slash at the end': (path) => `${path}/`,
  'two slashes at the end': (path) => `${path}//`,
  'two slashes at the beginning': (path) => `/${path}`,
  'two slashes after the version': (path) => path.replace('/v1', '/v1/'),
  'an encoded version': (path) => path.replace('/v1', '/%761'),
  'an encoded slash after the version': (path) => path.replace('/v1/', '/v1%2F'),
  'a dot segment': (path) => path.replace('/v1', '/v1/.'),
  'a dot segment that leads back': (path) => path.replace('/v1', '/v1/../v1'),
  'an encoded dot segment': (path) => path.replace('/v1', '/v1/%2e%2e/v1'),
  'a semicolon after the version': (path) => path.replace('/v1', '/v1;x=1'),
  'a backslash after the version': (path) => path.replace('/v1/', '/v1\\'),
};

export const otherSegments: Readonly<Record<string, Write>> = {
  'a capital': (segment) => segment.replace(/^./, (letter) => letter.toUpperCase()),
  capitals: (segment) => segment.toUpperCase(),
  'an encoded letter': (segment) => segment.replace(/^./, hexOf),
  'all letters encoded': (segment) => segment.replace(/./g, hexOf),
  'a semicolon': (segment) => `${segment};x=1`,
  'a dot': (segment) => `${segment}.`,
  'an encoded slash': (segment) => `${segment}%2F`,
  'an encoded backslash': (segment) => `${segment}%5c`,
  'an encoded NUL': (segment) => `${segment}%00`,
  'an encoded tab': (segment) => `${segment}%09`,
  'a broken escape': (segment) => `${segment}%zz`,
  'a byte that is not UTF-8': (segment) => `${segment}%FF`,
  'an encoded question mark': (segment) => `${segment}%3Fx`,
  'an encoded fragment': (segment) => `${segment}%23x`,
};

function hexOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

/** Replaces a segment; the first one is the version. */
export function changeSegment(path: string, index: number, write: Write): string {
  const segments = path.split('/');
  const at = 1 + (index % (segments.length - 1));
  return segments.with(at, write(segments[at] ?? '')).join('/');
}

/** Characters without line ends, because a line end ends the target. */
const pieces = [
  ...['#', '?', '/', '//', '\\', ';', ':', '@', '*', '%', '.', '..', '/.', '/..', '&', '=', '"'],
  ...['%23', '%2f', '%2F', '%5C', '%00', '%0d%0a', '%20', '%2e', '%zz', '%c0%af', '%ed%a0%80'],
  ...['\0', '\t', '\v', '\x1f', ' ', '\x7f', '\u0085', '\u00a0', '\u00ef\u00bb\u00bf'],
];

const insertion: fc.Arbitrary<Write> = fc
  .tuple(fc.nat(200), fc.constantFrom(...pieces))
  .map(([place, piece]) => (path) => {
    const at = place % (path.length + 1);
    return path.slice(0, at) + piece + path.slice(at);
  });

const changedCase: fc.Arbitrary<Write> = fc
  .array(fc.nat(200), { minLength: 1, maxLength: 4 })
  .map((places) => (path) => {
    const swapped = new Set(places.map((place) => place % path.length));
    return path.replace(/[a-z]/gi, (letter, at: number) => {
      if (!swapped.has(at)) return letter;
      return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    });
  });

const changedSegment: fc.Arbitrary<Write> = fc
  .tuple(fc.nat(10), fc.constantFrom(...Object.values(otherSegments)))
  .map(
    ([index, write]) =>
      (path) =>
        changeSegment(path, index, write),
  );

const overlong: fc.Arbitrary<Write> = fc
  .constantFrom(3_000, 20_000)
  .map((length) => (path) => `${path}/${'x'.repeat(length)}`);

const mutations = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(otherForms)) },
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(otherPaths)) },
    { weight: 4, arbitrary: changedSegment },
    { weight: 4, arbitrary: changedCase },
    { weight: 6, arbitrary: insertion },
    { weight: 1, arbitrary: overlong },
  ),
  { maxLength: 3 },
);

const invalidBodies = [
  ...['{"nonsense":1}', '{"__proto__":{}}', '[]', 'null', '"x"', '{', ''],
  JSON.stringify({ name: 'x'.repeat(60_000), contact: { name: 'A\r\nBcc: all@example.org' } }),
];

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];

/** Returns a request that must be refused for its body, or for its query if it has no body. */
function mutatedRequest(target: FuzzTarget): fc.Arbitrary<RawRequest> {
  return fc
    .record({
      operationId: fc.constantFrom(...operationIds),
      otherMethod: fc.option(fc.constantFrom(...otherMethods), { freq: 4 }),
      writes: mutations,
      body: fc.constantFrom(...invalidBodies),
      asksMore: fc.boolean(),
    })
    .map(({ operationId, otherMethod, writes, body, asksMore }) => {
      const method = otherMethod ?? operations[operationId].method.toUpperCase();
      const path = writes.reduce((text, write) => write(text), `/v1${target.pathOf(operationId)}`);
      const query = asksMore || !takesBody(operationId, method) ? '?nonsense=1' : '';
      return { method, target: `${path}${query}`, headers: target.headerLines, body };
    });
}

function takesBody(operationId: OperationId, method: string): boolean {
  const { path } = operations[operationId];
  return operationIds
    .map((id) => operations[id])
    .some((one) => one.path === path && one.method.toUpperCase() === method && one.body !== 'none');
}

/** RFC 9112 §3.2.1, with the characters that RFC 3986 and browsers allow. */
const originForm = /^\/[!"$-~]*$/;

const maximumHeadBytes = 16 * 1024;

/** Asserts that such requests get documented refusals, and that nothing is stored. */
export async function checkTargets(target: FuzzTarget, numRuns: number): Promise<void> {
  const connection = openConnection(target.service.baseUrl);
  try {
    await target.storingNothing(() =>
      fc.assert(
        fc.asyncProperty(mutatedRequest(target), async (request) => {
          expectRefusal(request, await connection.send(request));
        }),
        { numRuns, endOnFailure: true },
      ),
    );
  } finally {
    connection.close();
  }
}

/** Expects the error of a request that is refused before anything else reads it. */
export function expectRefusedRequest({ headers, body }: RawAnswer, message = ''): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual({
    error: 'validationFailed',
    message: expect.any(String),
    requestId: headers['x-request-id'],
    details: [{ path: '', message: expect.stringContaining(message) }],
  });
}

function expectRefusal(request: RawRequest, answer: RawAnswer | undefined): void {
  const { method, target } = request;
  // Node accepts several spaces before and after the target.
  const trimmed = target.replaceAll(/^ +| +$/g, '');
  const isOriginForm = originForm.test(trimmed);
  if (answer === undefined) throw new Error(`${method} ${target} got no answer`);
  if (!isOriginForm || answer.status === 431) {
    const isTooLong = target.length > maximumHeadBytes - 1_000;
    expect(answer.status).toBeOneOf(isTooLong ? [400, 431] : [400]);
    // Where Node has not read the method, the answer has a body for HEAD too.
    if (method !== 'HEAD') expectRefusedRequest(answer);
    return;
  }
  // The root is not part of the interface: it redirects to the documentation.
  const isRoot = isOriginForm && /^\/(\?|$)/.test(trimmed);
  if (isRoot) expect(answer.status).toBeOneOf([200, 302, 404]);
  else expect(answer.status).toBeOneOf([400, 404, 405, 415]);
  if (method !== 'HEAD' && !isRoot) expect(findingsOf(request, answer)).toEqual([]);
}
