import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { untilReady } from '../operations/support/running-program.js';
import { runCommand } from '../support/run-command.js';

const run = promisify(execFile);

/** A server from its packages, in an empty folder, without this repository. */
export interface InstalledServer {
  readonly folder: string;
  readonly tarballs: readonly string[];
  run(parameters: readonly string[], settings: Settings): Promise<string>;
  /** Starts `adx-server` and waits until its output matches. */
  start(parameters: readonly string[], settings: Settings, until: RegExp): Promise<StartedServer>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

export interface StartedServer {
  output(): string;
  /** Asks it to stop, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Builds and packs the server with the commands of the guide, into a folder of its own. */
export async function packServer(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-installed-'));
  await runCommand('npm', ['run', '--silent', 'build']);
  const packages = ['command', 'contract', 'statements', 'server'].flatMap((name) => [
    '-w',
    `@adx/${name}`,
  ]);
  await runCommand('npm', ['pack', ...packages, '--pack-destination', folder]);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Installs the packed server in an empty folder. Needs the registry. */
export async function installServer(): Promise<InstalledServer> {
  const { folder, remove } = await packServer();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const tarballs = names.map((name) => join(folder, name));
  await runCommand('npm', ['install', '--omit=dev', ...tarballs], { cwd: folder });
  const program = join(folder, 'node_modules/.bin/adx-server');
  const optionsWith = (settings: Settings) => ({
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...settings },
  });
  const started: ChildProcess[] = [];
  return {
    folder,
    tarballs,
    async run(parameters, settings) {
      return (await run(program, [...parameters], optionsWith(settings))).stdout;
    },
    async start(parameters, settings, until) {
      const child = spawn(program, [...parameters], optionsWith(settings));
      started.push(child);
      const running = await untilReady(child, until);
      return {
        output: running.output,
        async stop() {
          running.kill('SIGTERM');
          return (await running.exited).code;
        },
      };
    },
    async close() {
      for (const child of started) child.kill('SIGKILL');
      await remove();
    },
  };
}
