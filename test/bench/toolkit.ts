import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { specYaml } from '@adx/contract/spec';
import { build } from 'esbuild';
import { bundleClient } from '../../packages/client/test/support/bundle.js';
import { repository, runCommand } from '../support/run-command.js';
import type { Table } from './table.js';
import { inTurns, medianOf } from './turns.js';

const runs = 9;

export async function benchCodegen(): Promise<Table> {
  return inPartnersFolder(async (folder) => {
    const commands: Readonly<Record<string, () => Promise<unknown>>> = {
      'npm run generate': () => runCommand('npm', ['run', '--silent', 'generate']),
      'codegen by itself': () => runCommand('node', ['codegen/bin/adx-codegen.mjs']),
      'openapi-typescript: types': () =>
        runCommand(programOf('openapi-typescript'), ['openapi.yaml', '--output', 'types.ts'], {
          cwd: folder,
        }),
      'redocly generate-client: a client': () => generateWithRedocly(folder),
    };
    const turns = await inTurns(Object.values(commands), { rounds: runs }, async (run) => {
      const started = performance.now();
      await run();
      return performance.now() - started;
    });
    const rows = Object.keys(commands).map((name, index) => [
      name,
      medianOf(turns, (turn) => turn[index]).toFixed(0),
    ]);
    return { head: [`median of ${runs}`, 'ms'], rows };
  });
}

/** Measures the client, minified and gzipped, beside that of another generator. */
export async function benchClientSize(): Promise<Table> {
  const { main, listing, download, pending, upload, logging } = await bundleClient();
  const other = await inPartnersFolder(async (folder) => {
    await generateWithRedocly(folder);
    return gzippedSizeOf(join(folder, 'client.ts'));
  });
  return {
    head: ['client', 'bytes'],
    rows: [
      ['all operations, with openapi-fetch', String(main.gzippedSize)],
      ['more with the first list of files', String(listing.gzippedSize)],
      ['more with the first download', String(download.gzippedSize)],
      ['more with the first pending file', String(pending.gzippedSize)],
      ['more with the first upload, with aws4fetch', String(upload.gzippedSize)],
      ['more with a logger', String(logging.gzippedSize)],
      ['all operations, by redocly generate-client', String(other)],
    ],
  };
}

function generateWithRedocly(folder: string): Promise<string> {
  const parameters = ['generate-client', 'openapi.yaml', '--output', 'client.ts'];
  return runCommand(programOf('redocly'), parameters, { cwd: folder });
}

function programOf(name: string): string {
  return join(repository, 'node_modules/.bin', name);
}

async function gzippedSizeOf(entryPoint: string): Promise<number> {
  const { outputFiles } = await build({
    ...{ entryPoints: [entryPoint], bundle: true, minify: true, write: false },
    ...{ format: 'esm', platform: 'browser', target: 'es2022' },
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

async function inPartnersFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'adx-bench-'));
  try {
    await writeFile(join(folder, 'openapi.yaml'), specYaml);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
