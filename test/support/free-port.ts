import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a port of 127.0.0.1 on which nothing listens: for a program that cannot choose one by
 * itself, or a server that listens again on the same port. It is below the ephemeral ports of Linux
 * and macOS, so that no connection or `listen(0)` takes it in the meantime, and above those that
 * fetch refuses.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 32_768);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (Object(error).code !== 'EADDRINUSE') throw error;
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
