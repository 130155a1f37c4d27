import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

// Tests start these as processes, more than a hundred times: loading them bundled takes a third of
// the processor time that loading their sources takes.
const sources = {
  'adx-server': 'src/cli.ts',
  'worker-process': 'test/jobs/worker-process.ts',
};
export type Program = keyof typeof sources;

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the bundled programs. */
    programs: string;
  }
}

const server = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the programs for a test run: the sources of the workspace, and no library. */
export default async function bundlePrograms(project: TestProject): Promise<() => Promise<void>> {
  // Node finds the libraries from here, and `../../../docs` is the same folder as from packages/server/dist.
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
    plugins: [
      {
        name: 'libraries',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@adx/') ? undefined : { external: true },
          ),
      },
    ],
  });
  project.provide('programs', outdir);
  return () => rm(outdir, { recursive: true, force: true });
}
