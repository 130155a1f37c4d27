import { join } from 'node:path';
import { createOutput, demoFacts } from './demo/output.js';
import {
  clientsOf,
  createCustomers,
  createFirms,
  type Demo,
  demoAdministrator,
  demoFile,
  readDemo,
  takeToBeginning,
  writeDemo,
} from './demo/seed-demo.js';
import {
  beginningOfDeliveries,
  deliverDays,
  deliverFirstFiles,
  moveMandates,
} from './demo/simulate.js';
import { createOperator, type Operator } from './operator.js';
import { type SandboxOptions, startSandbox } from './start-sandbox.js';

export interface DemoOptions extends SandboxOptions {
  /** True to start without demo firms. */
  readonly isEmpty: boolean;
}

/** Runs a sandbox until the process is asked to stop. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { dataDir, isEmpty } = options;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort());
  }
  const output = createOutput(process.stdout);
  const { report } = output;
  report('Starting PostgreSQL, the object storage and the service …');
  const sandbox = await startSandbox(options);
  try {
    const operator = createOperator(sandbox.settings);
    if (isEmpty) {
      const worker = await sandbox.startWorker();
      output.ready(sandbox.url);
      await Promise.race([aborted(stopping.signal), sandbox.failed, worker.failed]);
      return;
    }
    const known = await readDemo(dataDir);
    const demo = known ?? (await seed(operator, dataDir, sandbox.url));
    const clients = clientsOf(sandbox.url, demo);
    const worker = await sandbox.startWorker();
    output.ready(
      sandbox.url,
      demoFacts(sandbox.url, demo, {
        ...{ credentials: demoFile(dataDir), mail: sandbox.mailFolder, log: sandbox.logFile },
      }),
    );
    const simulation = {
      ...{ operator, clients, mailFolder: sandbox.mailFolder, report, signal: stopping.signal },
    };
    const living = (async () => {
      if (!demo.isComplete) {
        const upTo = demo.deliveredUpTo;
        const deliver = (mandates: Parameters<typeof deliverFirstFiles>[1]) =>
          deliverFirstFiles(simulation, mandates, upTo);
        await takeToBeginning({ ...simulation, deliver });
        await writeDemo(dataDir, { ...demo, isComplete: true });
        report('Every mandate is where the demo begins');
      }
      const save = (deliveredUpTo: string) =>
        writeDemo(dataDir, { ...demo, isComplete: true, deliveredUpTo });
      await Promise.all([moveMandates(simulation), deliverDays(simulation, demo, save)]);
    })();
    await Promise.race([aborted(stopping.signal), sandbox.failed, worker.failed, living]);
    report('Stopping: waiting for running requests and jobs …');
    await living.catch(() => {});
  } finally {
    stopping.abort();
    await sandbox.close();
    report('Stopped');
    if (process.stdout.isTTY) process.stdout.write('\n');
  }
}

async function seed(operator: Operator, dataDir: string, url: string): Promise<Demo> {
  const firms = await operator.run<unknown[]>(['firm', 'list']);
  if (firms.length > 0) {
    throw new Error(
      `The database in ${join(dataDir)} has firms of your own: start with --empty, or choose another folder by --data`,
    );
  }
  const credentials = await createFirms(operator);
  const demo = { ...credentials, isComplete: false, deliveredUpTo: beginningOfDeliveries() };
  await createCustomers(operator, clientsOf(url, demo));
  await writeDemo(dataDir, demo);
  return demo;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export { demoAdministrator };
