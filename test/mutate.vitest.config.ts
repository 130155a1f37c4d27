import { defineConfig } from 'vitest/config';

const conditions = ['adx-source', 'node', 'development|production'];

/** The configuration with which `test/mutate.mjs` runs its tests: without a database. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // `vitest.config.ts` gives the reason.
  json: { namedExports: false, stringify: true },
  test: {
    include: process.env['ADX_MUTATE_TESTS']?.split(' ') ?? [],
    runner: 'test/mutate-runner.ts',
    testTimeout: 300_000,
    tags: [{ name: 'long' }],
  },
});
