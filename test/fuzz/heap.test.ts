import { Agent, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.js';
import type { FuzzTarget } from '../support/fuzz-target.js';
import { oneIn, rounds } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

/** A call with a unique number. */
type DistinctCall = (n: number) => {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  ...{ method: 'GET', path, headers },
});
const post = (path: string, type: string, body = '{}') => ({
  ...{ method: 'POST', path, headers: { 'content-type': type }, body },
});

/** Calls that a service could keep in memory one by one, named by their differences. */
const distinctCalls: Readonly<Record<string, DistinctCall>> = {
  'a parameter of the content type': (n) => post('/customers', `application/json; p${n}=${n}`),
  'a charset': (n) => post('/customers', `application/json; charset=x${n}`),
  'a content type': (n) => post('/banks', `text/x${n}`),
  'a content type where no body is taken': (n) =>
    get('/hello-world', { 'content-type': `text/x${n}; a=b${n}`, accept: `text/x${n}` }),
  'a path that does not exist': (n) => get(`/nothing/${n}`),
  'an identifier': (n) => get(`/customers/${String(n).padStart(24, '0')}`),
  'a query': (n) => get(`/customers?q${n}=1`),
  'an unknown field': (n) => post('/customers', 'application/json', `{"f${n}":1}`),
  'an ID token that is not valid': (n) =>
    get('/hello-world', { authorization: `Bearer x${n}.y.z` }),
  'an API key that is not valid': (n) =>
    get('/hello-world', { 'x-api-key': `adx_live_${String(n).padStart(43, 'A')}` }),
};

const kinds = oneIn(5, Object.entries(distinctCalls));
const calls = rounds({ short: 140, proof: 20_000 });
const warmUpCalls = rounds({ short: 20, proof: 2_000 });
const mebibytes = rounds({ short: 1, proof: 16 });

const target = useFuzzTarget({ authenticationCacheSeconds: 5 });
beforeAll(async () => {
  // Objects that are created once do not count.
  for (const [, call] of kinds) await makeCalls(target, call, 0, warmUpCalls);
});

describe('D-05 a caller cannot fill the memory', () => {
  // A compiled validator per call would take 10 to 25 KB each: 1.4 MB and more.
  it.each(kinds)(`${calls.toLocaleString('en')} calls with %s`, async (_, call) => {
    const before = heapUsed();
    await makeCalls(target, call, warmUpCalls, warmUpCalls + calls);
    expect(heapUsed() - before).toBeLessThan(mebibytes * 2 ** 20);
  });
});

/** Returns the bytes that this process uses, in which the service runs. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Makes the calls of a range of numbers, four at a time. */
async function makeCalls(target: FuzzTarget, call: DistinctCall, from: number, to: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  try {
    for (let n = from; n < to; n += 4) {
      await Promise.all([0, 1, 2, 3].map((k) => send(target, agent, call(n + k))));
    }
  } finally {
    agent.destroy();
  }
}

function send(target: FuzzTarget, agent: Agent, call: ReturnType<DistinctCall>): Promise<void> {
  const { method, path, headers, body } = call;
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target.service.baseUrl}${path}`,
      {
        agent,
        method,
        headers: {
          'x-api-key': target.apiKey,
          authorization: `Bearer ${target.idToken}`,
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        response.resume();
        response.on('end', resolve);
        if ((response.statusCode ?? 500) >= 500) {
          reject(new Error(`${method} ${path} got ${response.statusCode}`));
        }
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
