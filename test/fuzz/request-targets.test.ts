import { connect } from 'node:net';
import { operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { operationIds } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import {
  changeSegment,
  checkTargets,
  expectRefusedRequest,
  otherForms,
  otherPaths,
  otherSegments,
} from './support/mutated-targets.js';
import { exchange, type RawAnswer, type RawRequest, sendRaw } from './support/raw-exchange.js';

const target = useFuzzTarget();

function send(method: string, text: string, changed: Partial<RawRequest> = {}) {
  const headers = target.headerLines;
  const { origin } = new URL(target.service.baseUrl);
  return sendRaw(origin, { method, target: text, headers, ...changed });
}

function expectRefusedTarget(answer: RawAnswer, what: unknown): void {
  expect([what, answer.status]).toEqual([what, 400]);
  expectRefusedRequest(answer, 'request target');
}

function expectNotFound(answer: RawAnswer, what: unknown): void {
  expect([what, answer.status, JSON.parse(answer.body).error]).toEqual([what, 404, 'notFound']);
}

describe('D-04 a request target that validator and router could read differently', () => {
  const unknownField = JSON.stringify({ nonsense: 1 });
  const change = { name: 'x'.repeat(60_000), contact: { name: 'A\r\nBcc: all@example.org' } };
  const accounts = Array.from({ length: 2_000 }, () => ({ iban: newIban('068') }));

  it.each([
    ['POST', '/V1/customers#x', unknownField],
    ['PATCH', '/V1/customers/{id}/#x', JSON.stringify(change)],
    ['POST', '/V1/customers/create/#x', JSON.stringify(newCustomer({ bankAccounts: accounts }))],
    ['POST', '/v1/customers#x', unknownField],
  ])('is refused, and nothing is stored: %s %s', async (method, path, body) => {
    await target.storingNothing(async () => {
      const answer = await send(method, path.replace('{id}', target.customerId), { body });
      expectRefusedTarget(answer, path);
    });
  });
});

function isOfInterface(path: string): boolean {
  return operationIds.some((id) => {
    const expression = operations[id].path.replace(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^/v1${expression}$`).test(path);
  });
}

describe.each(oneIn(5, operationIds))('D-04 %s', (operationId) => {
  const method = operations[operationId].method.toUpperCase();
  // Validation would refuse this body, so an answer of 200 means that it was not validated.
  const invalid = operations[operationId].body === 'required' ? { body: '{"nonsense":1}' } : {};
  const path = () => `/v1${target.pathOf(operationId)}`;

  it('is not reached by another form of request target, with or without credentials', async () => {
    await target.storingNothing(async () => {
      for (const [form, write] of Object.entries(otherForms)) {
        expectRefusedTarget(await send(method, write(path()), invalid), form);
        expectRefusedTarget(await send(method, write(path()), { headers: [] }), form);
      }
    });
  });

  it('is not reached by another path', async () => {
    await target.storingNothing(async () => {
      for (const [way, write] of Object.entries(otherPaths)) {
        expectNotFound(await send(method, write(path()), invalid), way);
      }
    });
  });

  it('is not reached by another segment', async () => {
    const segments = `v1${operations[operationId].path}`.split('/');
    await target.storingNothing(async () => {
      for (const [way, write] of Object.entries(otherSegments)) {
        for (const [index, segment] of segments.entries()) {
          if (segment.startsWith('{')) continue;
          const text = changeSegment(path(), index, write);
          const answer = await send(method, text, invalid);
          if (isOfInterface(text))
            expect([text, answer.status]).toEqual([text, expect.toBeOneOf([400, 405])]);
          else expectNotFound(answer, [way, text]);
        }
      }
    });
  });
});

describe('D-04 the only spelling of a path', () => {
  it('is checked after the API key below /v1', async () => {
    for (const text of ['/v1/Customers', '/v1/customers/']) {
      expectNotFound(await send('GET', text), text);
      expect((await send('GET', text, { headers: [] })).status).toBe(403);
    }
    expectNotFound(await send('GET', '/V1/customers', { headers: [] }), 'capital');
  });

  it.each([
    ['/docs', '/DOCS'],
    ['/openapi.yaml', '/openapi.YAML'],
    ['/openapi.json', '/openapi.json/'],
    ['/healthz', '/Healthz'],
    ['/readyz', '/readyz/'],
    ['/.well-known/jwks.json', '/.well-known/JWKS.json'],
    ['/.well-known/jwks.json', '/.well-known/jwks.json/'],
  ])('%s is served, %s is not', async (right, wrong) => {
    expect((await send('GET', right, { headers: [] })).status).toBeOneOf([200, 301]);
    expectNotFound(await send('GET', wrong, { headers: [] }), wrong);
  });

  it('leads to the signing page, and other spellings do not', async () => {
    const type = async (text: string) => (await send('GET', text)).headers['content-type'];
    expect(await type('/sign/x')).toBe('text/html; charset=utf-8');
    expect(await type('/Sign/x')).toBe('application/json; charset=utf-8');
  });
});

describe('D-04 another form of request target', () => {
  it.each([
    ...['/healthz', '/readyz', '/docs', '/docs/', '/openapi.yaml', '/sign/x', '/nothing', '/'],
    '/.well-known/jwks.json',
  ])('is refused everywhere: %s', async (path) => {
    for (const [form, write] of Object.entries(otherForms)) {
      expectRefusedTarget(await send('GET', write(path), { headers: [] }), form);
    }
  });

  it.each([
    ['OPTIONS', '*'],
    ['GET', '*'],
  ])('is refused: %s %s', async (method, text) => {
    expectRefusedTarget(await send(method, text), text);
    expectRefusedTarget(await send(method, text, { headers: [] }), text);
  });

  it('is refused in a preflight request', async () => {
    const headers = ['Origin: https://partner.example', 'Access-Control-Request-Method: GET'];
    expectRefusedTarget(await send('OPTIONS', '/v1/customers#x', { headers }), 'preflight');
  });

  it('is refused if it is not HTTP', async () => {
    const texts = [
      'hello-world',
      '?',
      '#',
      '\\v1',
      '/v1\0',
      '/v1\t',
      '/v1\x1b',
      '/v1\u00a0',
      '/v1 x',
    ];
    for (const text of [...texts, `/v1?${'x'.repeat(20_000)}`]) {
      const head = [`GET ${text} HTTP/1.1`, 'Host: x', 'Connection: close', ...target.headerLines];
      const answer = await exchange(target.service.baseUrl, `${head.join('\r\n')}\r\n\r\n`);
      expect([text, answer?.status]).toEqual([text, text.length > 20_000 ? 431 : 400]);
      if (answer !== undefined) expectRefusedRequest(answer);
    }
  });

  it.each(['', '/healthz', '/v1/hello-world', '/x#y'])(
    'is refused by closing the connection: CONNECT, also behind a call of %j',
    async (first) => {
      const { hostname, port } = new URL(target.service.baseUrl);
      const paths = first === '' ? [] : [`GET ${first}`];
      const requests = [...paths, 'CONNECT other.example:443'].map(
        (line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`,
      );
      const socket = connect(Number(port), hostname);
      socket.write(requests.join(''));
      const answers = (
        await socket
          .setEncoding('utf8')
          .toArray()
          .catch(() => [])
      ).join('');
      expect(answers.match(/^HTTP/gm)?.length ?? 0).toBeLessThanOrEqual(paths.length);
      expect((await target.send('helloWorld')).status).toBe(200);
    },
  );
});

it('D-04 40 mutated request targets reach no handler', () => checkTargets(target, 40));
