import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../../../../test/support/eventually.js';
import { newIban } from '../../../../../test/support/numbers.js';
import { type Settings, startAdxServer } from '../../operator/adx-server.js';
import { keysOf, textOf } from '../../storage/open-test-storage.js';
import { listedFiles } from '../../support/files.js';
import { processSettings } from '../../support/process-settings.js';
import { longFile } from '../reading/run-reading.js';
import { codaFile } from '../sample-files.js';
import { setUpUploads, type Uploads } from '../set-up-uploads.js';

interface Killing {
  readonly uploads: number;
  readonly kills: number;
  /** The number of customers that the uploads are for. */
  readonly customers: number;
  /**
   * The number of statements of the first upload. With more than 50 it is read in several steps.
   */
  readonly longCount: number;
}

/** One upload in 20 has a second statement, of an unknown account. */
const refusedEvery = 20;

/**
 * Puts uploads while worker processes are killed at random. Asserts that in the end every statement
 * is listed once with its bytes, and no upload is left in its bucket.
 *
 * @returns the number of files that were being printed at three kills, so that they were given up
 *   (D-38)
 */
export async function killWorkers(killing: Killing): Promise<number> {
  const { uploads, kills, customers, longCount } = killing;
  const work = await setUpUploads();
  const settings = { ...(await processSettings(work.url)), ...work.storage.settings };
  const ibans = Array.from({ length: customers }, () => newIban());
  for (const iban of ibans) await work.create({ ibans: [iban] });

  const start = () => startWorkerProcess(settings);
  const sent = new Map<string, string>();
  const longIban = newIban();
  await work.create({ ibans: [longIban] });
  const long = Buffer.from(longFile(longIban, longCount));
  for (let index = 0; index < longCount; index += 1) {
    const size = long.length / longCount;
    const text = long.subarray(index * size, (index + 1) * size).toString();
    sent.set(`${longIban} ${index + 1}`, text);
  }
  await work.upload('CODA', 'long.cod', long);
  let next = 0;
  async function put(count: number): Promise<void> {
    for (const end = Math.min(next + count, uploads); next < end; next += 1) {
      const iban = ibans[next % customers] ?? '';
      const number = 1 + Math.floor(next / customers);
      const good = { iban, number };
      const isRefused = next % refusedEvery === 0;
      const bytes = isRefused ? codaFile(good, { iban: newIban(), number }) : codaFile(good);
      const length = codaFile(good).length;
      sent.set(`${iban} ${number}`, Buffer.from(bytes).subarray(0, length).toString());
      await work.upload('CODA', `${next}.cod`, bytes);
    }
  }

  const countOutcomes = async () => {
    const [row] = await work.knex('uploads').whereNotNull('settled_on').count();
    return Number(row?.['count']);
  };
  const share = Math.ceil(uploads / kills);
  let process = start();
  for (let kill = 0; kill < kills; kill += 1) {
    await put(share);
    const before = await countOutcomes();
    const wanted = before + Math.floor(Math.random() * share * 0.8);
    await eventually(countOutcomes, (count) => count >= Math.min(wanted, uploads));
    await wait(Math.random() * 200);
    await end(process, 'SIGKILL');
    await letHeartbeatsEnd(work);
    process = start();
  }
  await put(uploads);
  await eventually(countOutcomes, (count) => count === uploads + 1);
  await eventually(
    () => keysOf(work.storage, 'codaUploads'),
    (keys) => keys.length === 0,
  );
  await end(process, 'SIGTERM');
  await work.printAll();
  const givenUp = await listedFiles(work.knex).where({ pdf_status: 'failed' });
  for (const { id, print_failure } of givenUp) {
    expect(print_failure).toBe('The process ended during 3 attempts');
    // `adx-server file print` does the same.
    await work.printer.printAgain(id);
  }
  await check(work, sent, killing);
  return givenUp.length;
}

/** Makes the time pass after which workers that were killed count as dead. */
async function letHeartbeatsEnd({ knex }: Uploads): Promise<void> {
  await knex('job_workers').update({ beat_on: new Date(0) });
}

async function check(
  work: Uploads,
  sent: ReadonlyMap<string, string>,
  { uploads, longCount }: Killing,
): Promise<void> {
  const files = await listedFiles(work.knex);
  const listed = new Map<string, string | undefined>();
  for (const { iban, statement_number, object_key, pdf_key } of files) {
    listed.set(`${iban} ${statement_number}`, await textOf(work.storage, 'files', object_key));
    expect((await textOf(work.storage, 'files', pdf_key))?.slice(0, 5)).toBe('%PDF-');
  }
  expect(files).toHaveLength(uploads + longCount);
  expect(listed).toEqual(sent);
  const statuses = (await work.uploads()).map(({ status }) => status);
  expect(statuses).toHaveLength(uploads + 1);
  const rejected = statuses.filter((status) => status === 'rejected');
  expect(rejected).toHaveLength(Math.ceil(uploads / refusedEvery));
  expect(await keysOf(work.storage, 'files', 'rejected/')).toHaveLength(2 * rejected.length);
}

/** Starts a worker that is killed when the test is finished. */
export function startWorkerProcess(settings: Settings): ChildProcess {
  const child = startAdxServer(['worker'], settings);
  child.stdout?.resume();
  child.stderr?.resume();
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Sends a signal to a process, and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
