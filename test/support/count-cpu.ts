import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Loaded for every test file when `npm test -- --cpu` asks what each costs.

const report = process.env['ADX_TEST_CPU'] ?? '';
const before = secondsUsed();

afterAll(() => {
  const { testPath: file } = expect.getState();
  appendFileSync(report, `${JSON.stringify({ file, seconds: secondsUsed() - before })}\n`);
});

/** Processor time of this process and, on Linux, of those it started and that have ended. */
function secondsUsed(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  // proc_pid_stat(5): fields 14 to 17, in ticks of 10 ms; the second one may have spaces in it.
  const [, fields = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const ticks = fields.split(' ').slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
}
