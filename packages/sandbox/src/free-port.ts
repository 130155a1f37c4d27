import { createServer } from 'node:net';

/**
 * Finds a port of the loopback address that is free.
 *
 * @param wanted - 0 for any port
 * @throws Error with the code `EADDRINUSE` if the port is taken
 */
export function findFreePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
