import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The requests that passed, by method. */
export interface CountingProxy {
  readonly url: string;
  readonly counts: ReadonlyMap<string, number>;
  close(): void;
}

/** Starts a proxy in front of an HTTP server, which counts the requests. The host they name stays, because it is signed. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const counts = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path, headers } = incoming;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
