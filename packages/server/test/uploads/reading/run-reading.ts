import { onTestFinished, vi } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { createRepeatingTasks, startRepeating } from '../../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../../src/jobs/worker.js';
import { createLogger } from '../../../src/logger.js';
import { quickHeartbeat } from '../../jobs/quick-heartbeat.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { codaFile } from '../sample-files.js';
import { type Uploads, uploadTasks } from '../set-up-uploads.js';

interface Reading {
  /** The number of places of the worker. */
  readonly concurrency?: number;
  /** How long an upload is read before it is the turn of others, in ms. */
  readonly turnMs?: number;
  readonly logger?: ReturnType<typeof createLogger>;
  readonly onUpload?: (upload: { readonly product: string; readonly outcome: string }) => void;
}

/**
 * Starts a worker that scans and reads, but does not print, and stops it at the end of the test.
 */
export async function startReading(work: Uploads, options: Reading): Promise<void> {
  const { repeating } = uploadTasks(work, { scanIntervalMs: 50 });
  const scanning = { scanUploads: repeating.scanUploads };
  onTestFinished(await startReader(work, options, scanning));
  await startRepeating(work.knex, scanning);
}

/** Reads the uploads that are due, as a worker does, until no job is due any more. */
export async function readDue(work: Uploads, options: Reading = {}): Promise<void> {
  const stop = await startReader(work, { turnMs: 600_000, ...options }, {});
  const due = () =>
    work
      .knex('graphile_worker.jobs')
      .where({ task_identifier: 'readUpload' })
      .whereRaw('(run_at <= now() or locked_at is not null)');
  await eventually(async () => (await due()).length === 0);
  await stop();
}

async function startReader(
  work: Uploads,
  { concurrency = 4, logger = createLogger('silent'), ...others }: Reading,
  repeating: Parameters<typeof startRepeating>[1],
): Promise<() => Promise<void>> {
  const { tasks } = uploadTasks(work, { ...others, logger });
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, heartbeat: quickHeartbeat, drainMs: 5_000 },
    ...{ concurrency, logger: createLogger('silent') },
    tasks: {
      readUpload: tasks.readUpload,
      ...createRepeatingTasks(work.knex, createLogger('silent'), repeating),
    },
  });
  return stop;
}

/** Stops the clock by which turns are measured. Returns a function that lets time pass, in ms. */
export function stopClock(): (ms: number) => void {
  let time = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    time += ms;
  };
}

/** A firm in the database of another one. */
export interface SecondFirm {
  readonly firmId: string;
  readonly iban: string;
  /** Uploads a file with one statement of its only account. */
  upload(name: string): Promise<string>;
}

/** Creates a second firm with a customer and upload credentials. */
export async function createSecondFirm(work: Uploads): Promise<SecondFirm> {
  const principal = await newPrincipal(work.knex);
  const iban = newIban();
  await createLinkedCustomer(work.knex, principal, { ibans: [iban] });
  const prefix = await work.grant('CODA', principal);
  return {
    firmId: principal.firmId,
    iban,
    upload: (name) => work.upload('CODA', `${prefix}/${name}`, codaFile({ iban })),
  };
}

/** Returns a CODA file with statements 1 to `count` of an account. */
export function longFile(iban: string, count: number): Uint8Array {
  return codaFile(...Array.from({ length: count }, (_, i) => ({ iban, number: i + 1 })));
}

/** Returns the names of the uploads that have an outcome, in the order of their outcomes. */
export const outcomes = async ({ knex }: Uploads) =>
  (await knex('uploads').whereNotNull('settled_on').orderBy('settled_on')).map(
    ({ object_key }: { object_key: string }) => object_key.split('/').at(-1),
  );
