import type { RunningService } from './release-processes.js';

/** Gives each call to the next service, and does not retry any. */
export interface Balancer {
  readonly fetch: typeof fetch;
  add(name: string, service: RunningService): void;
  /** Gives a service no further calls, waits for those that run, and stops it. */
  remove(service: RunningService): Promise<void>;
  /** The number of calls that succeeded, by the name of the service. */
  readonly calls: ReadonlyMap<string, number>;
  /** Calls without an answer, or with one that a caller would have to retry. */
  readonly failures: readonly string[];
}

interface Member {
  readonly name: string;
  readonly service: RunningService;
  readonly running: Set<Promise<unknown>>;
}

/** @param publicUrl - the address in place of which calls go to a service; others are passed on */
export function createBalancer(publicUrl: string): Balancer {
  let members: Member[] = [];
  const calls = new Map<string, number>();
  const failures: string[] = [];
  let turn = 0;

  async function call({ name, service }: Member, path: string, init?: RequestInit) {
    const method = init?.method ?? 'GET';
    try {
      const response = await fetch(service.url + path, init);
      // Read whole, so that no call runs any more when the service is stopped.
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      if (status === 429 || status >= 500) {
        failures.push(`${name}: ${method} ${path}: ${status} ${Buffer.from(body)}`);
      } else calls.set(name, (calls.get(name) ?? 0) + 1);
      return new Response(status === 204 ? null : body, { status, headers });
    } catch (error) {
      failures.push(`${name}: ${method} ${path}: ${error}`);
      throw error;
    }
  }

  return {
    calls,
    failures,
    fetch(input, init) {
      const url = String(input);
      if (!url.startsWith(publicUrl)) return fetch(url, init);
      turn += 1;
      const member = members[turn % members.length];
      if (member === undefined) throw new Error('There is no service');
      const running = call(member, url.slice(publicUrl.length), init);
      member.running.add(running);
      const ended = () => member.running.delete(running);
      running.then(ended, ended);
      return running;
    },
    add(name, service) {
      members.push({ name, service, running: new Set() });
    },
    async remove(service) {
      const leaving = members.filter((member) => member.service === service);
      members = members.filter((member) => member.service !== service);
      await Promise.allSettled(leaving.flatMap(({ running }) => [...running]));
      const exitCode = await service.stop();
      if (exitCode !== 0) failures.push(`A service ended with ${exitCode}`);
    },
  };
}
