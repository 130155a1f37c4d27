import { createServer } from 'node:net';

/** The port asked for where nothing listens on it on the loopback address, else any free one. */
export async function freePort(preferred: number | undefined): Promise<number> {
  return (await tryPort(preferred ?? 0)) ?? (await tryPort(0)) ?? 0;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      const taken = typeof address === 'object' ? address?.port : undefined;
      probe.close(() => resolve(taken));
    });
  });
}
