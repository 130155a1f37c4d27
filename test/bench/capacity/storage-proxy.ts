import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A proxy in front of a storage, which counts requests. */
export interface StorageProxy {
  readonly url: string;
  /** The number of requests so far. */
  count(): number;
  close(): void;
}

/**
 * Starts a proxy. It passes the header `Host` on as it is, because it is signed.
 *
 * @param delayMs - how much longer each request takes, as to a storage that is further away
 */
export async function startStorageProxy(target: string, delayMs = 0): Promise<StorageProxy> {
  const { hostname, port } = new URL(target);
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, method, path, headers }, async (answer) => {
      if (delayMs > 0) await wait(delayMs);
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
