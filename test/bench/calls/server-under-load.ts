import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type ServerKind = 'service' | 'fastify' | 'usual' | 'bare';

export interface ServerUnderLoad {
  readonly kind: ServerKind;
  readonly port: number;
  /** Returns the CPU time of the process since its start in µs, and its memory in bytes. */
  usage(): Promise<{ cpuMicros: number; rss: number }>;
  stop(): void;
}

/** Settings of the service. No storage listens here: URLs are signed, but never used. */
const defaults = {
  ...{ PORT: '0', PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'error' },
  RATE_LIMIT_PER_MINUTE: '1000000000',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'a-secret-of-the-benchmark',
  S3_BUCKET_FILES: 'adx-files',
  S3_BUCKET_CODA_UPLOADS: 'adx-coda-uploads',
  S3_BUCKET_CODB_UPLOADS: 'adx-codb-uploads',
  STS_ROLE_ARN: 'arn:aws:iam::000000000000:role/upload',
  SIGNING_KEY_SECRET: 'a secret of at least thirty-two characters',
};

/**
 * Starts a server. One that is not the service gets the ids of the firm and the user for whom
 * `bare` answers, and the address of the keys of ID tokens.
 */
export async function startServer(
  kind: ServerKind,
  settings: Readonly<Record<string, string>>,
  ...parameters: readonly string[]
): Promise<ServerUnderLoad> {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [
      // Without the sources of the packages, so that they run as they are shipped.
      '--import=tsx',
      fileURLToPath(new URL('server-process.ts', import.meta.url)),
      ...[kind, ...parameters],
    ],
    { env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...defaults, ...settings } },
  );
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? '{}');
  const { port } = await next();
  if (typeof port !== 'number') throw new Error(`The ${kind} server did not start`);
  return {
    kind,
    port,
    usage: () => {
      child.stdin.write('usage\n');
      return next();
    },
    stop: () => child.stdin.end(),
  };
}

/** Does some work, and returns the highest resident memory of a server meanwhile, in bytes. */
export async function whileWatched<Result>(
  server: ServerUnderLoad,
  work: () => Promise<Result>,
): Promise<{ result: Result; highest: number }> {
  let highest = 0;
  let isDone = false;
  const watching = (async () => {
    do {
      highest = Math.max(highest, (await server.usage()).rss);
      await wait(20);
    } while (!isDone);
  })();
  const result = await work().finally(() => {
    isDone = true;
  });
  await watching;
  return { result, highest };
}
