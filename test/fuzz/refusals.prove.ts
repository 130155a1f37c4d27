import { randomBytes } from 'node:crypto';
import { operations } from '@adx/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BenchDatabase, benchDatabase } from '../bench/calls/bench-database.js';
import { type ServerUnderLoad, startServer } from '../bench/calls/server-under-load.js';
import { printResult } from '../proofs/print-result.js';
import { operationsWithBody } from '../support/fuzz-target.js';
import { costlyBodies } from './support/costly-bodies.js';
import { openConnection, type RawRequest } from './support/raw-exchange.js';

const goal = 10;

let database: BenchDatabase;
let server: ServerUnderLoad;
let credentials: Readonly<Record<string, string>>;
let connection: ReturnType<typeof openConnection>;
beforeAll(async () => {
  database = await benchDatabase(10);
  server = await startServer('service', { DATABASE_URL: database.url });
  credentials = await database.signIn(server.port);
  connection = openConnection(`http://127.0.0.1:${server.port}`);
}, 120_000);
afterAll(async () => {
  connection.close();
  server.stop();
  await database.drop();
});

const linesOf = (headers: object) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
const json = 'content-type: application/json';

function post(target: string, body: string, headers: readonly string[] = []): RawRequest {
  return { method: 'POST', target, headers: [...linesOf(credentials), json, ...headers], body };
}

const small = () => post('/v1/mandates', '{"nonsense":1}');

/** Returns the CPU time of the service for a request, in µs; 0 if it is not refused. */
async function costOf(request: () => RawRequest, calls: number): Promise<number> {
  await connection.send(request());
  const before = await server.usage();
  for (let n = 0; n < calls; n += 1) {
    const { status = 0 } = (await connection.send(request())) ?? {};
    if (status < 400 || status >= 500) return 0;
  }
  return ((await server.usage()).cpuMicros - before.cpuMicros) / calls;
}

/** Measures what looks expensive again: the process also collects garbage of other calls. */
async function ratioOf(request: () => RawRequest, smallCost: number): Promise<number> {
  let ratio = (await costOf(request, 3)) / smallCost;
  for (let n = 0; n < 5 && ratio > goal / 2; n += 1) {
    ratio = Math.min(ratio, (await costOf(request, 20)) / (await costOf(small, 20)));
  }
  return ratio;
}

async function expectCheap(requests: Iterable<readonly [string, () => RawRequest]>) {
  const smallCost = await costOf(small, 1_000);
  const ratios: [name: string, ratio: number][] = [];
  for (const [name, request] of requests) ratios.push([name, await ratioOf(request, smallCost)]);
  const [worst = ['none', 0]] = ratios.sort(([, one], [, other]) => other - one);
  printResult({ requests: ratios.length, worst: worst[0], ratio: worst[1].toFixed(1) });
  expect(ratios.filter(([, ratio]) => ratio > goal)).toEqual([]);
}

it('D-69 no body of 64 KiB costs more than ten times a small refusal, whatever is in it', async () => {
  await expectCheap(
    operationsWithBody.flatMap((operationId) =>
      costlyBodies(operationId, 'long').map(({ name, text }) => {
        const target = `/v1${operations[operationId].path.replace(/\{\w+\}/g, '0'.repeat(24))}`;
        const { method } = operations[operationId];
        const request = () => ({ ...post(target, text), method: method.toUpperCase() });
        return [`${operationId} ${name}`, request] as const;
      }),
    ),
  );
}, 1_800_000);

it('D-69 nor does any path, query, header, form or credential', async () => {
  const { 'x-api-key': key = '', Authorization: token = '' } = credentials;
  const [head = '', claims = '', signature = ''] = token.replace('Bearer ', '').split('.');
  const get = (target: string) => ({ ...post(target, ''), method: 'GET' });
  const query = (text: string) => post(`/v1/mandates?${text}`, '{}');
  const header = (line: string) => post('/v1/mandates', '{"nonsense":1}', [line]);
  const withToken = (sent: string): RawRequest => ({
    ...post('/v1/mandates', '{}'),
    headers: [json, `x-api-key: ${key}`, `authorization: ${sent}`],
  });
  const withKey = (sent: string): RawRequest => ({
    ...post('/v1/mandates', '{}'),
    headers: [json, `x-api-key: ${sent}`, `authorization: ${token}`],
  });
  const form = (body: string): RawRequest => ({
    method: 'POST',
    target: `/sign/${'a'.repeat(43)}`,
    headers: ['content-type: application/x-www-form-urlencoded'],
    body,
  });
  const of = (count: number, part: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => part(i));
  await expectCheap(
    Object.entries({
      'a long parameter': () => get(`/v1/customers/${'a'.repeat(15_000)}`),
      'an escaped parameter': () => get(`/v1/customers/${'%C3%A9'.repeat(2_500)}`),
      'many segments': () => get(`/v1/customers/${'a/'.repeat(7_500)}`),
      'many slashes': () => get(`/v1${'/'.repeat(15_000)}`),
      'a path of the documentation': () => get(`/docs/${'%2e/'.repeat(3_000)}`),
      'one name, many times': () => query('a&'.repeat(7_000)),
      'many names': () => query(of(2_000, (i) => `${i}`).join('&')),
      'members of a parameter': () => query(of(900, (i) => `limit[${i}]=1`).join('&')),
      'a nested parameter': () => query(`limit${'[a]'.repeat(4_000)}=1`),
      'many headers': () =>
        post(
          '/v1/mandates',
          '{}',
          of(1_800, (i) => `a${i}:`),
        ),
      'parameters of a media type': () => header(`content-type: ${json}${'; a=b'.repeat(2_500)}`),
      'blanks in a media type': () => header(`content-type: ${' '.repeat(14_000)}x`),
      'blanks before a charset': () => header(`content-type: ${json};${' '.repeat(13_000)}`),
      'a long key of a call': () => header(`idempotency-key: ${'x'.repeat(14_000)}`),
      'many proxies': () => header(`x-forwarded-for: ${'1.1.1.1,'.repeat(1_600)}`),
      'a key that is none': () => withKey('x'.repeat(14_000)),
      'an unknown key': () => withKey(`adx_live_${randomBytes(32).toString('base64url')}`),
      'blanks before a token': () => withToken(`bearer${' '.repeat(14_000)}!`),
      'a forged token': () =>
        withToken(`Bearer ${head}.${claims}.${randomBytes(64).toString('base64url')}`),
      'a long token': () => withToken(`Bearer ${head}.${'a'.repeat(13_000)}.${signature}`),
      'fields of a form': () => form('a=1&'.repeat(2_000)),
      'an escaped form': () => form('%C3%A9'.repeat(1_300)),
    }),
  );
}, 300_000);
