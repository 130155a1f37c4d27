import { defineConfig } from 'vitest/config';

const conditions = ['adx-source', 'node', 'development|production'];

/** How `test/mutate.mjs` runs the tests it names: without a database. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: process.env['ADX_MUTATE_TESTS']?.split(' ') ?? [],
    testTimeout: 300_000,
  },
});
