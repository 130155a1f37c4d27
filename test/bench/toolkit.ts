import { runCommand } from '../support/run-command.js';
import { median } from './statistics.js';

/** Measures the wall time of `npm run generate`, and of codegen alone. */
export async function benchCodegen(): Promise<string> {
  const npm = await timeRuns(() => runCommand('npm', ['run', '--silent', 'generate']));
  const alone = await timeRuns(() => runCommand('node', ['codegen/bin/adx-codegen.mjs']));
  return [
    `npm run generate    ${npm.toFixed(0)} ms (median of 9)`,
    `codegen by itself   ${alone.toFixed(0)} ms (median of 9)`,
  ].join('\n');
}

/** Measures the size of the client with its transport, minified and gzipped. */
export async function benchClientSize(): Promise<string> {
  const output = await runCommand('npm', ['run', '--silent', 'size', '-w', '@adx/client']);
  return output.trim();
}

async function timeRuns(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return median(times);
}
