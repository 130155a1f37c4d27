import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a partner's application may grow by, gzipped, openapi-fetch included: 6 kB. */
export const sizeBudget = 6144;

/** Bundles the client with everything it depends on, as a partner's bundler does. */
export async function bundleClient(): Promise<{ code: string; gzippedSize: number }> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/index.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const code = outputFiles.map((file) => file.text).join('');
  return { code, gzippedSize: gzipSync(code, { level: 9 }).length };
}
