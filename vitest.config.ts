import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { waitLimitMs } from './test/support/wait-limit.js';

// `npm run prove` runs the long proofs in place of the tests.
const proving = process.env['ADX_TEST_PROVE'] !== undefined;

// The condition for the sources of the workspace's packages comes first, then Node's own. Vite's
// `module` is left out, because it leads to files of the AWS SDK that only bundlers can read.
const conditions = ['adx-source', 'node', 'development|production'];

// `npm test -- --cpu` prints the CPU time of each test file.
const counting = process.env['ADX_TEST_CPU'] !== undefined;
const cpuCounter = fileURLToPath(new URL('test/support/count-cpu.ts', import.meta.url));

// Timeouts for tests that hang: many times the duration of the slowest test on a busy machine.
const longest = proving ? 3_600_000 : 600_000;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Node parses modules of JSON. An object literal would take `__proto__` for the prototype.
  json: { namedExports: false, stringify: true },
  test: {
    include: [`{codegen,packages/*,test,tools}/**/*.${proving ? 'prove' : 'test'}.ts`],
    testTimeout: longest,
    hookTimeout: longest,
    // `npm test` leaves them out, unless it is given `--all`.
    tags: [{ name: 'long', description: 'takes seconds of CPU time for what rarely breaks' }],
    expect: { poll: { timeout: waitLimitMs } },
    // Test files share no state, so each process loads the service, the compiler and the linter
    // once.
    isolate: false,
    // One more than cores: a test that waits for the database or a process leaves its core to
    // another. Proofs measure, and put a load on the service, so they run one by one.
    maxWorkers: proving ? 1 : availableParallelism() + 1,
    // Collecting garbage of calls less often saves 5 % of CPU time.
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: [
      'packages/server/test/support/sandbox-parts.ts',
      'packages/server/test/support/run-folder.ts',
    ],
    setupFiles: [
      'test/support/fixed-seed.ts',
      'test/support/expect-documented-answers.ts',
      ...(counting ? [cpuCounter] : []),
    ],
  },
});
