// @module-tag long
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { printResult } from '../proofs/print-result.js';
import { rounds } from '../support/rounds.js';
import { createDeployment } from './support/deployment.js';

const kills = rounds({ short: 1, proof: 50 });
const pauseMs = rounds({ short: 40, proof: 0 });
test(`D-58 in ${kills} kills a service loses the entries of the last second of reads at most, and none when it is stopped`, async () => {
  const report = await killDuringReads(kills, pauseMs);
  printResult(report);
  expect(report.reads).toBeGreaterThan(report.lost);
  // Otherwise no kill came before the entries of some reads were stored.
  if (kills > 1) expect(report.lost).toBeGreaterThan(0);
});

interface ReadReport {
  readonly reads: number;
  readonly lost: number;
}

/** A killed process may lose the entries of the reads of this time, in ms. */
const LOST_MS = 1_000;

/** Kills the service during reads. The last time it is stopped, and loses nothing. */
async function killDuringReads(kills: number, pauseMs: number): Promise<ReadReport> {
  const deployment = await createDeployment();
  const report = { reads: 0, lost: 0 };
  try {
    for (let round = 0; round <= kills; round += 1) {
      const isStop = round === kills;
      const process = await deployment.start();
      const { idToken } = await deployment.signIn(process);
      const answered = new Map<string, number>();
      let isEnding = false;
      const reader = async () => {
        while (!isEnding) {
          const answer = await deployment
            .call(process, '/customers', { idToken })
            .catch(() => undefined);
          const id = answer?.headers.get('x-request-id');
          if (id) answered.set(id, performance.now());
          await wait(pauseMs);
        }
      };
      const readers = Array.from({ length: 4 }, reader);
      await wait(isStop ? 300 : 1_500 + ((round * 97) % 500));
      const end = performance.now();
      if (!isStop) process.kill('SIGKILL');
      isEnding = true;
      await Promise.all(readers);
      if (isStop) process.kill('SIGTERM');
      await process.exited;
      const stored: { request_id: string }[] = await deployment
        .knex('audit_entries')
        .whereIn('request_id', [...answered.keys()])
        .select('request_id');
      const present = new Set(stored.map(({ request_id }) => request_id));
      const lost = [...answered].filter(([id]) => !present.has(id));
      const tooOld = lost.filter(([, instant]) => isStop || instant < end - LOST_MS);
      expect(tooOld).toEqual([]);
      report.reads += answered.size;
      report.lost += lost.length;
    }
    return report;
  } finally {
    await deployment.close();
  }
}
