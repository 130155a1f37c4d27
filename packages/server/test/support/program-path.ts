import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { inject } from 'vitest';
// For the type of the provided values.
import './run-folder.js';

// Tests start these as processes, more than a hundred times. A bundle with its libraries needs a
// sixth of the CPU time of the sources to load, and half that of a bundle without libraries.
const sources = {
  'adx-server': 'src/cli.ts',
  'worker-process': 'test/jobs/worker-process.ts',
  adx: '../cli/src/cli.ts',
  'adx-sandbox': '../sandbox/src/cli.ts',
  'adx-statements': '../statements/src/cli.ts',
};
type Program = keyof typeof sources;

/** Libraries that cannot be bundled, or that are never loaded. */
const external = [
  // The first two are native, the third loads its fonts by name.
  ...['@node-rs/argon2', 'fs-native-extensions', 'pdfkit'],
  // Imported by knex and pg for other databases, and not installed.
  ...['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'sqlite3', 'tedious'],
  'pg-native',
  // graphile-worker loads it if its configuration is in TypeScript.
  'typescript',
  // This is CommonJS, and imported only where there is a proxy: a bundle would lose its export
  // names.
  'undici',
];

/** Defines what libraries in CommonJS use and ES modules do not have. */
const commonJs = `
import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;`;

const server = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the path of a program that a test starts with Node as a separate process. */
export function programPath(program: Program): string {
  const folder = join(inject('runFolder'), 'programs');
  if (!existsSync(folder)) bundlePrograms(folder);
  return join(folder, `${program}.js`);
}

function bundlePrograms(folder: string): void {
  // Another process may do the same at the same time.
  const outdir = mkdtempSync(`${folder}-`);
  buildSync({
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
    // Less to parse at each start. Names are kept: the service checks those of its middleware.
    minifyWhitespace: true,
    logLevel: 'error',
    external,
    banner: { js: commonJs },
  });
  try {
    renameSync(outdir, folder);
  } catch (error) {
    rmSync(outdir, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
