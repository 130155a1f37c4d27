import { Agent, request } from 'node:http';
import { collectGarbage } from '../../support/collect-garbage.js';
import type { FuzzTarget } from '../../support/fuzz-target.js';

/** A call with a unique number. */
export type DistinctCall = (n: number) => {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Measures the heap of this process, in which the service runs, over rounds of distinct calls. */
export interface HeapGrowth {
  /**
   * Returns the growth of the heap in bytes after these calls. They must differ from those of
   * `warmUp`.
   */
  over(call: DistinctCall, from: number, to: number): Promise<number>;
}

/**
 * Makes the first calls of each kind, so that objects that are created once do not count.
 */
export async function measureHeapGrowth(
  target: FuzzTarget,
  warmUp: readonly DistinctCall[],
  warmUpCalls: number,
): Promise<HeapGrowth> {
  for (const call of warmUp) await makeCalls(target, call, 0, warmUpCalls);
  return {
    async over(call, from, to) {
      const before = heapUsed();
      await makeCalls(target, call, from, to);
      return heapUsed() - before;
    },
  };
}

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
