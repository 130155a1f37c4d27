import { createServer } from 'node:net';

/** A port of the loopback address on which nothing listens; that can change before it is used. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      probe.close(() => resolve(port ?? 0));
    });
  });
}
