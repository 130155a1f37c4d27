#!/usr/bin/env node
// Bundles the sources and runs them, so that there is no build step and no stale build.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { build } from 'esbuild';

// The program runs for half a second, or for some seconds on specs of megabytes. It takes a quarter
// less if the compiler optimizes only functions that ran for longer than usual.
setFlagsFromString('--interrupt-budget=500000');

const codegen = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(codegen, 'dist');

const bundling = build({
  absWorkingDir: codegen,
  entryPoints: ['src/cli.ts', 'src/libraries/libraries-worker.ts'],
  entryNames: '[name]',
  outdir: dist,
  write: false,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'error',
});

// The bundle's imports, loaded while esbuild works.
await import('yaml');
await import('ajv/dist/2020.js');
await import('@apidevtools/swagger-parser');

mkdirSync(dist, { recursive: true });
for (const { path, text } of (await bundling).outputFiles) {
  if (textOf(path) === text) continue;
  // Another process may be importing the file; it gets the old or the new one.
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

await import(pathToFileURL(join(dist, 'cli.js')).href);

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
