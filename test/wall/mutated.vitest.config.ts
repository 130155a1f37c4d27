import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.js';
import type { Mutation } from './visibility-mutations.js';

/** The file with one mutation, as JSON. */
const file = process.env['ADX_MUTATION'] ?? '';
const { path, from, to, occurrence }: Mutation = JSON.parse(readFileSync(file, 'utf8'));

/**
 * The configuration with which `mutations.prove.ts` runs tests: one text of the service is
 * replaced.
 */
const config = mergeConfig(base, {
  plugins: [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(code: string, id: string) {
        if (!id.endsWith(path)) return undefined;
        const parts = code.split(from);
        if (parts.length <= occurrence + 1) throw new Error(`${path} has no ${from}`);
        const head = parts.slice(0, occurrence + 1).join(from);
        return `${head}${to}${parts.slice(occurrence + 1).join(from)}`;
      },
    },
  ],
});
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: [
      'test/isolation/*.test.ts',
      'test/wall/partitions.test.ts',
      // Otherwise an account of the own firm that the user may not see has the same answer.
      'packages/server/test/customers/conflict-limit.test.ts',
    ],
  },
});
