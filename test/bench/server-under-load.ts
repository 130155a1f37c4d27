import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A measured server process. */
export interface ServerUnderLoad {
  readonly port: number;
  /** Returns the CPU time of the process since its start in µs, and its memory in bytes. */
  usage(): Promise<{ cpuMicros: number; rss: number }>;
  stop(): void;
}

/** Starts one of the servers of `server-process.ts` and waits until it listens. */
export async function startServer(
  kind: 'service' | 'bare' | 'prepared',
  ...parameters: string[]
): Promise<ServerUnderLoad> {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [
      '--conditions=adx-source',
      '--import=tsx',
      fileURLToPath(new URL('server-process.ts', import.meta.url)),
      kind,
      ...parameters,
    ],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}');
  const { port } = await next();
  if (typeof port !== 'number') throw new Error(`The ${kind} server did not start`);
  return {
    port,
    usage: () => {
      child.stdin.write('usage\n');
      return next();
    },
    stop: () => child.stdin.end(),
  };
}
