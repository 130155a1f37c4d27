import { expect } from 'vitest';
import { codaFindings } from '../../../src/index.js';
import { readAll } from '../coda-file.js';
import { chanceOf, mutatedFile } from './mutated-file.js';

/** The limit of CPU time for one file. Most files take some milliseconds. */
const MOST_MS = 5_000;

/** Asserts that randomly changed files are read to their end, with consistent results. */
export async function checkMutations(from: number, to: number): Promise<void> {
  for (let seed = from; seed < to; seed += 1) {
    const file = mutatedFile(chanceOf(seed));
    const before = process.cpuUsage();
    const results = await readAll(file);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, `seed ${seed}`).toBeLessThan(MOST_MS);
    expect(results.length, `seed ${seed}`).toBeGreaterThan(0);
    let end = 0;
    for (const { statement, findings, bytes, range } of results) {
      const refused = findings.some(({ severity }) => severity === 'error');
      const holds =
        (statement === undefined) === refused &&
        findings.length <= 100 &&
        findings.every(({ code, record }) => code in codaFindings && record >= 1) &&
        range.start >= end &&
        Buffer.compare(bytes, file.subarray(range.start, range.end)) === 0;
      if (!holds) expect.fail(`seed ${seed}`);
      end = range.end;
    }
  }
}
