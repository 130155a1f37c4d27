import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandboxPart } from '../../../packages/server/test/support/sandbox-part.js';

export async function startCountedStorage() {
  const storage = await startSandboxPart('storage', '--port', '0');
  const proxy = await startStorageProxy(storage.settings['S3_ENDPOINT'] ?? '');
  return {
    settings: { ...storage.settings, S3_ENDPOINT: proxy.url },
    /** The settings of the storage, whose requests do not count. */
    directSettings: storage.settings,
    count: proxy.count,
    async stop(): Promise<void> {
      proxy.close();
      await storage.stop();
    },
  };
}

/** Starts a proxy. It passes the header `Host` on as it is, because it is signed. */
async function startStorageProxy(target: string) {
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
