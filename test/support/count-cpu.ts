import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Loaded for every test file by `npm test -- --cpu`, to record its CPU time.

const report = process.env['ADX_TEST_CPU'] ?? '';
const before = secondsUsed();

afterAll(() => {
  const { testPath: file } = expect.getState();
  appendFileSync(report, `${JSON.stringify({ file, seconds: secondsUsed() - before })}\n`);
});

/** Returns the CPU time of this process and, on Linux, of its child processes that have ended. */
function secondsUsed(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  // proc_pid_stat(5): fields 14 to 17, in ticks of 10 ms; the second field may contain spaces.
  const [, fields = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const ticks = fields.split(' ').slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
}
