import { onTestFinished, vi } from 'vitest';
import { createRepeatingPool, startRepeating } from '../../../src/jobs/repeating-tasks.js';
import { startWorker } from '../../../src/jobs/worker.js';
import { createLogger } from '../../../src/logger.js';
import { createUploadReader } from '../../../src/uploads/reading/read-turn.js';
import { createUploadTasks } from '../../../src/uploads/tasks.js';
import { quickHeartbeat } from '../../jobs/quick-heartbeat.js';
import { createLinkedCustomer, newPrincipal } from '../../mandates/linked-customer.js';
import { newIban } from '../../support/belgian-iban.js';
import { codaFile } from '../sample-files.js';
import type { Uploads } from '../set-up-uploads.js';

const settings = { heldDeliveryDays: 90, rejectedUploadDays: 90 };

/** Starts a worker that scans and reads, but does not print, and stops it at the end of the test. */
export async function startReading(
  work: Uploads,
  options: { readonly concurrency: number; readonly turnMs?: number },
): Promise<void> {
  const { concurrency, ...turn } = options;
  const logger = createLogger('silent');
  const { repeating, reading } = createUploadTasks({
    ...{ ...work, ...settings, ...turn, logger, scanIntervalMs: 50 },
  });
  const scanning = { scanUploads: repeating.scanUploads };
  const { stop } = await startWorker({
    ...{ databaseUrl: work.url, logger, heartbeat: quickHeartbeat, drainMs: 5_000 },
    pools: [{ tasks: reading, concurrency }, createRepeatingPool(work.knex, logger, scanning)],
  });
  await startRepeating(work.knex, scanning);
  onTestFinished(stop);
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

/** Reads the uploads of a firm for one turn, by default until none is due. */
export const readTurn = (work: Uploads, firmId: string | null, turnMs = 600_000) =>
  createUploadReader({ ...work, logger: createLogger('silent'), turnMs }).readTurn(firmId);
