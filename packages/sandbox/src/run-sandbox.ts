import { stopRequested } from '@adx/server/stop-requested';
import type { Demo } from './demo/open-demo.js';
import { createOutput } from './output.js';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './start-sandbox.js';

export interface RunOptions extends SandboxOptions {
  /** True to start without demo firms. */
  readonly isEmpty: boolean;
}

/** Runs a sandbox until the process is asked to stop. */
export async function runSandbox(options: RunOptions): Promise<void> {
  const stopping = new AbortController();
  const stopped = stopRequested().then(() => stopping.abort());
  const { report, ready } = createOutput(process.stdout);
  report('Starting PostgreSQL, the object storage and the service …');
  const sandbox = await startSandbox(options);
  try {
    const demo = options.isEmpty ? undefined : await loadDemo(sandbox, options.dataDir);
    const worker = await sandbox.startWorker();
    ready(sandbox.url, demo?.facts);
    const simulation = demo?.simulate(report, stopping.signal);
    const ends = [stopped, sandbox.failed, worker.failed];
    await Promise.race(simulation === undefined ? ends : [...ends, simulation]);
    report('Stopping: waiting for running requests and jobs …');
    await simulation?.catch(() => {});
  } finally {
    stopping.abort();
    await sandbox.close();
    report('Stopped');
    if (process.stdout.isTTY) process.stdout.write('\n');
  }
}

async function loadDemo(sandbox: RunningSandbox, dataDir: string): Promise<Demo> {
  // Loaded here, because it takes half a second, and not every sandbox has demo firms.
  const { openDemo } = await import('./demo/open-demo.js');
  return openDemo(sandbox, dataDir);
}
