import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleClient } from '../../packages/client/test/support/bundle.js';
import { runCommand } from '../support/run-command.js';
import { median } from './statistics.js';
import type { Table } from './table.js';

const runs = 9;

/** Measures the wall time of `npm run generate` and of codegen alone, and of generators of less. */
export async function benchCodegen(): Promise<Table> {
  return inTemporaryFolder(async (folder) => {
    const bin = 'node_modules/.bin/';
    const commands: Readonly<Record<string, readonly string[]>> = {
      'npm run generate': ['npm', 'run', '--silent', 'generate'],
      'codegen by itself': ['node', 'codegen/bin/adx-codegen.mjs'],
      'openapi-typescript: types': [
        ...[`${bin}openapi-typescript`, 'openapi.yaml', '--output', join(folder, 'types.ts')],
      ],
      'redocly generate-client: a client': generateWithRedocly(folder),
    };
    const rows: string[][] = [];
    for (const [name, [program = '', ...parameters]] of Object.entries(commands)) {
      const ms = await timeRuns(() => runCommand(program, parameters));
      rows.push([name, ms.toFixed(0)]);
    }
    return { head: [`median of ${runs}`, 'ms'], rows };
  });
}

/** Measures the size of the client with its transport, minified and gzipped, and of a client of another generator. */
export async function benchClientSize(): Promise<Table> {
  const { main, download, pending, upload } = await bundleClient();
  const other = await inTemporaryFolder(async (folder) => {
    const [program = '', ...parameters] = generateWithRedocly(folder);
    await runCommand(program, parameters);
    return gzippedSizeOf(join(folder, 'client.ts'));
  });
  return {
    head: ['client', 'bytes'],
    rows: [
      ['all operations, with openapi-fetch', String(main.gzippedSize)],
      ['more with the first download', String(download.gzippedSize)],
      ['more with the first pending file', String(pending.gzippedSize)],
      ['more with the first upload, with aws4fetch', String(upload.gzippedSize)],
      ['all operations, by redocly generate-client', String(other)],
    ],
  };
}

/** Returns the command with which Redocly writes `client.ts` to a folder. */
function generateWithRedocly(folder: string): string[] {
  const client = join(folder, 'client.ts');
  return ['node_modules/.bin/redocly', 'generate-client', 'openapi.yaml', '--output', client];
}

async function gzippedSizeOf(entryPoint: string): Promise<number> {
  const { outputFiles } = await build({
    ...{ entryPoints: [entryPoint], bundle: true, minify: true, write: false },
    ...{ format: 'esm', platform: 'browser', target: 'es2022' },
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function timeRuns(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return median(times);
}
