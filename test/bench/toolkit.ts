import { bundleClient } from '../../packages/client/test/support/bundle.js';
import { runCommand } from '../support/run-command.js';
import { median } from './statistics.js';
import type { Table } from './table.js';

/** Measures the wall time of `npm run generate`, and of codegen alone. */
export async function benchCodegen(): Promise<Table> {
  const npm = await timeRuns(() => runCommand('npm', ['run', '--silent', 'generate']));
  const alone = await timeRuns(() => runCommand('node', ['codegen/bin/adx-codegen.mjs']));
  return {
    head: ['median of 9', 'ms'],
    rows: [
      ['npm run generate', npm.toFixed(0)],
      ['codegen by itself', alone.toFixed(0)],
    ],
  };
}

/** Measures the size of the client with its transport, minified and gzipped. */
export async function benchClientSize(): Promise<Table> {
  const { main, download, pending, upload } = await bundleClient();
  return {
    head: ['client', 'bytes'],
    rows: [
      ['all operations, with openapi-fetch', String(main.gzippedSize)],
      ['more with the first download', String(download.gzippedSize)],
      ['more with the first pending file', String(pending.gzippedSize)],
      ['more with the first upload, with aws4fetch', String(upload.gzippedSize)],
    ],
  };
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
