import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// `npm run prove` runs the long proofs in place of the tests.
const proving = process.env['ADX_TEST_PROVE'] !== undefined;

// Node's own conditions, after that for the sources of the workspace's packages. Vite's `module` is left
// out, because it leads to files of the AWS SDK that only bundlers can read.
const conditions = ['adx-source', 'node', 'development|production'];

// `npm test -- --cpu` prints the CPU time of each test file.
const counting = process.env['ADX_TEST_CPU'] !== undefined;
const cpuCounter = fileURLToPath(new URL('test/support/count-cpu.ts', import.meta.url));

// Timeouts for tests that hang: many times the duration of the slowest test on a busy machine.
const longest = proving ? 3_600_000 : 600_000;

function project(
  name: string,
  root: string,
  setupFiles: string[] = [],
): TestProjectInlineConfiguration {
  return {
    root,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: [proving ? '**/*.prove.ts' : '**/*.test.ts'],
      testTimeout: longest,
      hookTimeout: longest,
      expect: { poll: { timeout: 120_000 } },
      // Test files share no state, so each process loads the service, the compiler and the linter once.
      isolate: false,
      setupFiles: [...setupFiles, ...(counting ? [cpuCounter] : [])],
    },
  };
}

export default defineConfig({
  test: {
    // One more than the number of cores, because many tests wait for processes, deadlines and the database.
    maxWorkers: availableParallelism() + 1,
    globalSetup: [
      'packages/server/test/support/sandbox-parts.ts',
      'packages/server/test/support/bundle-programs.ts',
    ],
    projects: [
      project('codegen', 'codegen'),
      project('client', 'packages/client'),
      project('sandbox', 'packages/sandbox'),
      project('server', 'packages/server'),
      project('statements', 'packages/statements'),
      project('test', 'test', ['support/expect-documented-answers.ts']),
    ],
  },
});
