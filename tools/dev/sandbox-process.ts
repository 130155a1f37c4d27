import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DemoFacts } from '../../packages/sandbox/src/demo/facts.js';
import { reasonIn } from '../../packages/sandbox/src/start-adx-server.js';

/** The facts of a sandbox; without demo firms there are only address and log. */
export type Facts = { readonly url: string; readonly log: string } & Partial<DemoFacts>;

/** A sandbox that runs as a process of its own. */
export interface SandboxProcess {
  /** Rejects with the reason if the process ends first. */
  readonly ready: Promise<Facts>;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  /** Stops the sandbox, once it has started. */
  stop(): Promise<void>;
}

/** @param parameters those of `adx-sandbox start` */
export function startSandboxProcess(parameters: readonly string[]): SandboxProcess {
  const program = fileURLToPath(new URL('./run-built-sandbox.mjs', import.meta.url));
  const child = fork(program, ['start', ...parameters], {
    execArgv: [],
    // Ctrl+C in a terminal is for `npm run dev` to handle.
    detached: true,
    silent: true,
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000);
  });
  const ended = once(child, 'close').then(
    () => reasonIn(errors) ?? `ended (${child.signalCode ?? child.exitCode})`,
  );
  const started = new Promise<Facts>((resolve) => {
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"event":"ready"')) resolve(JSON.parse(line));
    });
  });
  const ready = Promise.race([
    started,
    ended.then((reason) => {
      throw new Error(reason);
    }),
  ]);
  ready.catch(() => {});
  return {
    ready,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
