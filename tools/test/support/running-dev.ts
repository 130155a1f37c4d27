import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isAlive, serversBelow } from '../../../packages/sandbox/test/postgres-folder.js';
import { repository } from '../../../test/support/run-command.js';

/**
 * @param compiled the only files that the compiler checks; by default all, which takes it seconds
 */
export function copyRepository(
  compiled?: readonly string[],
  cleanUp: (remove: () => void) => void = onTestFinished,
): string {
  const root = mkdtempSync(join(tmpdir(), 'adx-dev-'));
  cleanUp(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }));
  const files = ['openapi.yaml', 'redocly.yaml', 'package.json', 'tsconfig.json'];
  for (const path of [...files, 'codegen', 'packages', 'tools', 'node_modules/@adx']) {
    cpSync(join(repository, path), join(root, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/^(dist|test|node_modules|\.data)$/.test(basename(source)),
    });
  }
  const configPath = join(root, 'tsconfig.json');
  const { include, ...config } = JSON.parse(readFileSync(configPath, 'utf8'));
  writeFileSync(configPath, JSON.stringify({ ...config, include: compiled ?? include }));
  const libraries = join(repository, 'node_modules');
  for (const name of readdirSync(libraries).filter((each) => !/^(\.|@adx$)/.test(each))) {
    symlinkSync(join(libraries, name), join(root, 'node_modules', name));
  }
  return root;
}

/** Returns the processes that a process has started, and those that they have started. */
function descendantsOf(pid: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  const below = (parent: number): number[] =>
    processes.flatMap(([child = 0, its]) => (its === parent ? [child, ...below(child)] : []));
  return below(pid);
}

/** Starts it as a terminal does, in a process group of its own, on a sandbox without demo firms. */
export function startDev(root: string, dataDir: string, port: number) {
  const options = ['--empty', '--data', dataDir, '--port', `${port}`, '--storage-port', '0'];
  const child = spawn('npm', ['run', '--silent', 'dev', '--', ...options], {
    cwd: root,
    detached: true,
  });
  const { pid = expect.fail('It has not been started') } = child;
  const started = () => [...descendantsOf(pid), ...serversBelow(dataDir)];
  onTestFinished(() => {
    for (const each of [pid, ...started()]) if (isAlive(each)) process.kill(each, 'SIGKILL');
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const ended = once(child, 'close');
  return {
    started,
    /** Waits until it has printed all of this since the action began. */
    async afterwards(action: () => unknown, ...expected: RegExp[]) {
      const before = printed.length;
      await action();
      for (const each of expected) {
        await expect.poll(() => printed.slice(before), { timeout: 300_000 }).toMatch(each);
      }
    },
    count: (text: string) => printed.split(text).length - 1,
    /** Returns true if the service is up, and its spec has this field. */
    async serves(field: string) {
      const response = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined);
      return (await response?.text())?.includes(`"${field}"`);
    },
    /** Stops it, and returns everything that it has printed. */
    async stop(signal: NodeJS.Signals) {
      process.kill(-pid, signal);
      await ended;
      return printed;
    },
  };
}
