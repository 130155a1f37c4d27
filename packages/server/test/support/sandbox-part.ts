import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Started by its path, because the server must not depend on the sandbox.
const sandbox = fileURLToPath(new URL('../../../sandbox/src/cli.ts', import.meta.url));
const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** A part of the sandbox as a separate process. */
export interface SandboxPart {
  /** The settings of the service that lead to it. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a part of the sandbox. Its data is deleted when it stops. */
export function startSandboxPart(
  name: 'database' | 'storage',
  ...parameters: readonly string[]
): Promise<SandboxPart> {
  return start(name, '--temporary', ...parameters);
}

/** Starts a PostgreSQL server that keeps its data in a folder. */
export function startKeptDatabase(folder: string): Promise<SandboxPart> {
  return start('database', '--data', folder);
}

async function start(name: string, ...parameters: readonly string[]): Promise<SandboxPart> {
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=adx-source', '--import', typescript, sandbox],
      ...[name, '--json', ...parameters],
    ],
    {
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
      // If the tests are killed, the pipe to its standard input is closed, and it ends too.
      stdio: ['pipe', 'pipe', 'inherit'],
      // It has its own process group, so that Ctrl+C stops the tests first.
      detached: true,
    },
  );
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error(`adx-sandbox ${name} has ended`))),
  ]);
  return { settings: JSON.parse(line), stop: () => stop(child, ended) };
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}
