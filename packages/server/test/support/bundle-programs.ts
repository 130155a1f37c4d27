import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

// Tests start these as processes, more than a hundred times. A bundle with its libraries needs a sixth of
// the CPU time of the sources to load, and half that of a bundle without libraries.
const sources = {
  'adx-server': 'src/cli.ts',
  'worker-process': 'test/jobs/worker-process.ts',
  adx: '../cli/src/cli.ts',
  'adx-sandbox': '../sandbox/src/cli.ts',
  'adx-statements': '../statements/src/cli.ts',
};
export type Program = keyof typeof sources;

/** Libraries that cannot be bundled, or that are never loaded. */
const external = [
  // The first two are native, the third loads its fonts by name.
  ...['@node-rs/argon2', 'fs-native-extensions', 'pdfkit'],
  // Imported by knex and pg for other databases, and not installed.
  ...['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'sqlite3', 'tedious'],
  'pg-native',
  // Loaded by graphile-worker if its configuration is in TypeScript.
  'typescript',
  // In CommonJS, and imported only where there is a proxy: a bundle would lose the names of its exports.
  'undici',
];

/** Defines what libraries in CommonJS use and ES modules do not have. */
const commonJs = `
import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the bundled programs. */
    programs: string;
  }
}

const server = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the programs for a test run. */
export default async function bundlePrograms(project: TestProject): Promise<() => Promise<void>> {
  // Here Node finds the libraries, and the path of `../../../docs` is correct as in packages/server/dist.
  const parent = join(server, '../../node_modules/.adx-test');
  await mkdir(parent, { recursive: true });
  const outdir = await mkdtemp(join(parent, 'programs-'));
  await build({
    absWorkingDir: server,
    entryPoints: Object.entries(sources).map(([out, path]) => ({ in: path, out })),
    outdir,
    bundle: true,
    splitting: true,
    conditions: ['adx-source'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'error',
    external,
    banner: { js: commonJs },
  });
  project.provide('programs', outdir);
  return () => rm(outdir, { recursive: true, force: true });
}
