import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type RunningProgram, untilReady } from './support/running-program.js';

const run = promisify(execFile);
const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

type Settings = Readonly<Record<string, string>>;

/** The programs of a checkout, with the same settings. */
export interface Release {
  /** The command line of `adx-server`. */
  readonly program: readonly string[];
  /** Runs a command of the operator with `--json`, and returns its result. */
  command(...parameters: string[]): Promise<Record<string, string>>;
  /** Starts `adx-server serve` and waits until it listens. */
  serve(): Promise<RunningService>;
  /** Starts `adx-server worker` and waits until it runs. */
  work(): Promise<RunningProcess>;
  /** Returns all that its services and workers have printed. */
  output(): string;
  /** Kills what still runs. */
  close(): void;
}

interface RunningProcess {
  readonly pid: number;
  /** Asks it to stop, and returns its exit code. */
  stop(): Promise<number | null>;
}

interface RunningService extends RunningProcess {
  /** Without a path. */
  readonly url: string;
}

/** Runs the sources of the checkout in this folder. */
export function releaseIn(folder: string, settings: Settings): Release {
  const source = join(folder, 'packages/server/src/cli.ts');
  const program = ['--conditions=adx-source', '--import', typescript, source];
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
  const children: ChildProcess[] = [];
  const started: RunningProgram[] = [];

  async function start(command: string, until: RegExp): Promise<RunningService> {
    const child = spawn(process.execPath, [...program, command], { cwd: folder, env });
    children.push(child);
    const running = await untilReady(child, until);
    started.push(running);
    return {
      pid: running.pid,
      url: running.found,
      async stop() {
        running.kill('SIGTERM');
        return (await running.exited).code;
      },
    };
  }

  return {
    program,
    async command(...parameters) {
      const line = [...program, ...parameters, '--json'];
      return JSON.parse((await run(process.execPath, line, { cwd: folder, env })).stdout);
    },
    serve: () => start('serve', /listens on (\S+)\/v1"/),
    work: () => start('worker', /worker .* is running/),
    output: () => started.map((each) => each.output()).join(''),
    close() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
