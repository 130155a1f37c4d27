import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FuzzTarget } from './fuzz-target.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** A call, given a number that no other call has. */
export type DistinctCall = (n: number) => {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/**
 * By how many bytes the heap of this process, in which the service runs, grows over so many
 * distinct calls; a tenth of them is made before, so that what is made once does not count.
 */
export async function heapGrowth(target: FuzzTarget, calls: number, call: DistinctCall) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const make = async (from: number, to: number) => {
    for (let n = from; n < to; n += 4) {
      await Promise.all([0, 1, 2, 3].map((k) => send(target, agent, call(n + k))));
    }
  };
  try {
    const before = Math.floor(calls / 10);
    await make(0, before);
    const heap = heapUsed();
    await make(before, before + calls);
    return heapUsed() - heap;
  } finally {
    agent.destroy();
  }
}

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
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
          reject(new Error(`${method} ${path} was answered ${response.statusCode}`));
        }
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
