import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// `npm run prove` runs the long proofs in place of the tests.
const proving = process.env['ADX_TEST_PROVE'] !== undefined;

// As Node resolves, and first of all the source of the workspace's packages. Not Vite's `module`:
// under it the AWS SDK has files that only bundlers can read.
const conditions = ['adx-source', 'node', 'development|production'];

function project(
  name: string,
  root: string,
  testTimeout: number,
  setupFiles: string[] = [],
): TestProjectInlineConfiguration {
  return {
    root,
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: [proving ? '**/*.prove.ts' : '**/*.test.ts'],
      testTimeout: proving ? 3_600_000 : testTimeout,
      hookTimeout: proving ? 3_600_000 : 60_000,
      // Files share no state: each process loads the service, the compiler and the linter once.
      isolate: false,
      setupFiles,
    },
  };
}

export default defineConfig({
  test: {
    // One more than cores: many tests wait for processes, deadlines and the database.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['packages/server/test/support/database-server.ts'],
    projects: [
      project('codegen', 'codegen', 20_000),
      project('client', 'packages/client', 20_000),
      project('server', 'packages/server', 20_000),
      project('statements', 'packages/statements', 20_000),
      // Its tests run whole commands, such as the compiler on each package.
      project('test', 'test', 180_000, ['support/expect-documented-answers.ts']),
    ],
  },
});
