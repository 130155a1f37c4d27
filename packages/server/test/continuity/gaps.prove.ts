import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { newIban } from '../../../../test/support/numbers.js';
import { listMissingOf } from '../../src/continuity/missing-store.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { keysOf } from '../storage/open-test-storage.js';
import { processSettings } from '../support/process-settings.js';
import { end, startWorkerProcess } from '../uploads/killed/kill-workers.js';
import { codaFile } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads } from '../uploads/set-up-uploads.js';

const ACCOUNTS = 30;
/** The number of statements of an account that arrive in turn. Before most, some are missing. */
const ARRIVING = 11;
const TOGETHER = 6;
const MINUTE = 60_000;

type Statement = readonly [iban: string, day: number];

/** Returns a file with statements whose numbers are not the day of the year. */
function fileOf(statements: readonly Statement[]): Uint8Array {
  return codaFile(
    ...statements.map(([iban, day]) => {
      const date = new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10);
      return { iban, number: 100 + day, date };
    }),
  );
}

const holeOf = (iban: string, from: number, to: number) => `${iban} ${100 + from}-${100 + to}`;

async function listHoles(work: Uploads): Promise<string[]> {
  const paging = { limit: 1000, offset: 0 };
  const { records } = await listMissingOf(work.knex, work.principal, {}, paging, work.now());
  return records.map(({ kind, iban, fromNumber, toNumber }) =>
    kind === 'gap' ? `${iban} ${fromNumber}-${toNumber}` : `${iban} ${kind}`,
  );
}

/**
 * Uploads statements, kills the worker at a random moment, and waits until another has read them.
 */
async function bring(
  work: Uploads,
  statements: readonly Statement[],
  worker: ChildProcess,
  start: () => ChildProcess,
): Promise<ChildProcess> {
  for (let from = 0; from < statements.length; from += TOGETHER) {
    const part = statements.slice(from, from + TOGETHER);
    await work.upload('CODA', `${newObjectId()}.cod`, fileOf(part));
  }
  await wait(Math.random() * 4_000);
  await end(worker, 'SIGKILL');
  const next = start();
  await eventually(
    () => keysOf(work.storage, 'codaUploads'),
    (keys) => keys.length === 0,
  );
  return next;
}

test('§9 D-30 each of 300 gaps is listed within a minute of the next statement while the worker is killed 16 times, and late arrivals close it', async () => {
  const work = await setUpUploads();
  const settings = { ...(await processSettings(work.url)), ...work.storage.settings };
  const start = () => startWorkerProcess(settings);
  const ibans = Array.from({ length: ACCOUNTS }, () => newIban());
  for (const iban of ibans) await work.create({ ibans: [iban] });

  /** When the statement after each gap arrived, and when the gap was first listed. */
  const arrived = new Map<string, number>();
  const listed = new Map<string, number>();
  const missing: Statement[] = [];
  const latest = new Map<string, number>();
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const holes = await listHoles(work);
      for (const hole of holes) if (!listed.has(hole)) listed.set(hole, performance.now());
      await wait(500);
    }
  })();

  let worker = start();
  for (let turn = 0; turn < ARRIVING; turn += 1) {
    const statements: Statement[] = [];
    for (const iban of ibans) {
      const previous = latest.get(iban);
      const day = (previous ?? 0) + 1 + (previous === undefined ? 0 : Math.ceil(Math.random() * 3));
      statements.push([iban, day]);
      latest.set(iban, day);
      if (previous === undefined) continue;
      // Measured from before the statement arrives.
      arrived.set(holeOf(iban, previous + 1, day - 1), performance.now());
      for (let each = previous + 1; each < day; each += 1) missing.push([iban, each]);
    }
    worker = await bring(work, statements, worker, start);
  }
  const expected = [...arrived.keys()].sort();
  expect(expected).toHaveLength(300);
  await eventually(async () => expected.every((hole) => listed.has(hole)));
  watching.abort();
  await watch;
  const delays = expected.map((hole) => (listed.get(hole) ?? 0) - (arrived.get(hole) ?? 0));
  expect(Math.max(...delays)).toBeLessThan(MINUTE);
  expect((await listHoles(work)).sort()).toEqual(expected);

  missing.sort(() => Math.random() - 0.5);
  const share = Math.ceil(missing.length / 5);
  for (let from = 0; from < missing.length; from += share) {
    worker = await bring(work, missing.slice(from, from + share), worker, start);
  }
  await eventually(
    () => listHoles(work),
    (holes) => holes.length === 0,
  );
  await end(worker, 'SIGTERM');
  const days = [...latest.values()].reduce((sum, day) => sum + day, 0);
  expect(await work.files()).toHaveLength(days);
});
