import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that counts requests. */
export interface CountingProxy {
  readonly url: string;
  /** The number of requests so far. */
  count(): number;
  close(): void;
}

/** Starts a proxy in front of an HTTP server. It passes the header `Host` on as it is, because it is signed. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const { method, url: path, headers } = incoming;
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
    count: () => count,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
