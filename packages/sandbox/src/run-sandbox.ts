import { stopRequested } from '@adx/server/stop-requested';
import { createOutput } from './output.js';
import type { StartOptions } from './start-options.js';
import { type RunningSandbox, startSandbox } from './start-sandbox.js';

export async function runSandbox(options: StartOptions): Promise<void> {
  if (!options.empty && process.env['SMTP_URL']) {
    throw new Error(
      'The demo reads its messages from a folder: unset SMTP_URL, or start with --empty',
    );
  }
  const { report, ready } = createOutput(process.stdout);
  const stopping = new AbortController();
  const { signal } = stopping;
  let unfinished = 'until the sandbox has started';
  const stopped = stopRequested().then(() => {
    report(`Stopping: waiting ${unfinished} …`);
    stopping.abort();
  });
  let sandbox: RunningSandbox | undefined;
  try {
    report('Starting PostgreSQL, the object storage and the service …');
    sandbox = await startSandbox(options);
    if (signal.aborted) return;
    // This is loaded here, because it takes half a second, and not every sandbox has demo firms.
    const { openDemo } = options.empty ? {} : await import('./demo/open-demo.js');
    const demo = await openDemo?.(sandbox, options.data, options.shell);
    const worker = await sandbox.startWorker();
    if (signal.aborted) return;
    ready(sandbox, demo?.facts);
    const run = async () => {
      unfinished = 'until the demo is complete';
      await demo?.complete(report, signal);
      unfinished = 'for running requests and jobs';
      await demo?.simulate(report, signal);
      await stopped;
    };
    const running = run();
    await Promise.race([stopped, running, sandbox.failed, worker.failed]);
    await running.catch(() => {});
  } finally {
    stopping.abort();
    if (sandbox !== undefined) {
      await sandbox.close();
      report('Stopped');
    }
    // An event on a terminal does not end its line.
    if (process.stdout.isTTY) process.stdout.write('\n');
  }
}
