// Bundles the sources of the workspace that a sandbox needs, so that its package stands by itself: only
// libraries are installed with it.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/cli.ts', 'src/service-process.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  conditions: ['adx-source'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
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
cpSync('src/demo/let-time-pass.sql', 'dist/demo/let-time-pass.sql');
if (existsSync('../../docs/dist')) cpSync('../../docs/dist', 'dist/docs', { recursive: true });
