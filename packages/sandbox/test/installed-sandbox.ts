import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { cachedBuild } from '../../../test/support/cached-build.js';

const libraries = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A running `adx-sandbox` process. */
export interface RunningSandbox {
  readonly pid: number;
  /** Returns what it has printed to standard output so far. */
  printed(): string;
  /** Returns what it has printed to standard error so far. */
  errors(): string;
  closeInput(): void;
  /** Stops reading its standard output. */
  closeOutput(): void;
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number | null>;
  /** Sends a signal and waits until the process has ended; returns the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** The package as partners install it, in a folder with a space in its name. */
export interface InstalledSandbox {
  readonly folder: string;
  /**
   * Starts `adx-sandbox` and waits until its output matches.
   *
   * @param onEnd - is given a function that stops it; by default it is killed after the test
   * @throws Error with its standard error if it ends before
   */
  start(
    parameters: readonly string[],
    until: RegExp,
    environment?: Readonly<Record<string, string>>,
    onEnd?: (stop: () => Promise<unknown>) => void,
  ): Promise<RunningSandbox>;
  /** Runs `adx-sandbox` to its end. */
  run(
    ...parameters: string[]
  ): Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
  remove(): void;
}

/** Builds, packs and unpacks the sandbox; returns the folder of the package. */
function packSandbox(): Promise<string> {
  const packages = ['client', 'command', 'contract', 'sandbox', 'server', 'statements'];
  return cachedBuild({
    name: 'sandbox',
    inputs: [
      'tsconfig.json',
      ...packages.flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
      ...['bin', 'build.mjs', 'README.md', 'LICENSE'].map((path) => `packages/sandbox/${path}`),
      'CHANGELOG.md',
    ],
    commands: `
      cd packages/sandbox
      npm run --silent prepack
      npm pack --silent --ignore-scripts
      mkdir unpacked
      tar -xzf ./*.tgz --strip-components=1 -C unpacked`,
    output: 'packages/sandbox/unpacked',
  });
}

/** Installs the packed sandbox with only the libraries that its package names. */
export async function installSandbox(): Promise<InstalledSandbox> {
  const packed = await packSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'adx installed-'));
  chmodSync(folder, 0o711);
  const place = join(folder, 'node_modules/@adx/sandbox');
  cpSync(packed, place, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(libraries, name), link);
  }

  const spawnSandbox = (parameters: readonly string[], environment = {}): ChildProcess =>
    spawn(process.execPath, [join(place, 'bin/adx-sandbox.mjs'), ...parameters], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    });
  return {
    folder,
    async start(parameters, until, environment, onEnd) {
      const child = spawnSandbox(parameters, environment);
      if (onEnd === undefined) onTestFinished(() => void child.kill('SIGKILL'));
      let [printed, errors] = ['', ''];
      child.stderr?.on('data', (chunk) => {
        errors += chunk;
      });
      const closed = once(child, 'close');
      onEnd?.(() => {
        child.kill('SIGTERM');
        return closed;
      });
      await new Promise<void>((resolve, reject) => {
        child.stdout?.on('data', (chunk) => {
          printed += chunk;
          if (until.test(printed)) resolve();
        });
        closed.then(() => reject(new Error(errors)));
      });
      const ended = closed.then(() => child.exitCode);
      return {
        pid: child.pid ?? 0,
        printed: () => printed,
        errors: () => errors,
        closeInput: () => child.stdin?.end(),
        closeOutput: () => child.stdout?.destroy(),
        ended,
        stop(signal) {
          child.kill(signal);
          // Ctrl+C under npm reaches the process twice.
          if (signal === 'SIGINT') setTimeout(() => child.kill(signal), 10);
          return ended;
        },
      };
    },
    async run(...parameters) {
      const child = spawnSandbox(parameters);
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('No pipes');
      const ended = once(child, 'close');
      const [output, errors] = await Promise.all([text(stdout), text(stderr), ended]);
      return { exitCode: child.exitCode, stdout: output, stderr: errors };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
