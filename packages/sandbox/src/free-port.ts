import { createServer } from 'node:net';

/** Finds a free port. If `wanted` cannot be used, an error in one sentence names the `option`. */
export function findFreePort(wanted = 0, option = '--port', host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(explainPort(error, option)));
    probe.listen(wanted, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Explains in one sentence why a port cannot be used; returns other errors as they are. */
export function explainPort(error: unknown, option: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return error;
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const reason = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`;
  return new Error(`The port ${port} ${reason}: choose another with ${option}`, { cause: error });
}
