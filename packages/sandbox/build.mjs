// Bundles the packages of the workspace into the sandbox, so that its package depends only on
// libraries.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const [outdir = 'dist'] = process.argv.slice(2);
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['src/cli.ts', 'src/run-adx-server.ts'],
  outdir,
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
          kind === 'entry-point' || /^(@adx\/|#)/.test(path) ? undefined : { external: true },
        ),
    },
  ],
});
cpSync('src/demo/let-time-pass.sql', `${outdir}/demo/let-time-pass.sql`);
if (existsSync('../../docs/dist')) {
  // On one machine, compressed copies would only make the package three times as large.
  const isCopy = (path) => /\.(?:br|gz)$/.test(path);
  cpSync('../../docs/dist', `${outdir}/docs`, { recursive: true, filter: (path) => !isCopy(path) });
}
