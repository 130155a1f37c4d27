import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

function spawnSandbox(parameters: readonly string[]): ChildProcess {
  const node = ['--conditions=adx-source', '--import', typescript, cli];
  return spawn(process.execPath, [...node, ...parameters], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  });
}

/** `adx-sandbox` as a process that runs until it is stopped. */
export interface Sandbox {
  /** What it has printed to standard output. */
  printed(): string;
  /** Sends a signal and waits for the end; returns the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `adx-sandbox` and waits until its output has something.
 *
 * @throws Error with its standard error where it ends before
 */
export async function startSandbox(parameters: readonly string[], until: RegExp): Promise<Sandbox> {
  const child = spawnSandbox(parameters);
  onTestFinished(() => void child.kill('SIGKILL'));
  let [printed, errors] = ['', ''];
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const closed = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (until.test(printed)) resolve();
    });
    closed.then(() => reject(new Error(errors)));
  });
  return {
    printed: () => printed,
    async stop(signal) {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}

/** Runs `adx-sandbox` to its end. */
export async function runSandbox(...parameters: string[]) {
  const child = spawnSandbox(parameters);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('No pipes');
  const [output, errors] = await Promise.all([text(stdout), text(stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, stdout: output, stderr: errors };
}
