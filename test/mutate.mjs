// Changes the pure parts at one place after the other, and reports the changes that no test notices.
// `npm run mutate -- coda` changes one area. The reports are in `reports/mutate`. A change that makes a module
// fail while it is loaded counts as survived, because Stryker's vitest runner does not notice it.
import { Stryker } from '@stryker-mutator/core';

const statements = 'packages/statements';
const server = 'packages/server';

/**
 * The files to change in each area, and the tests that should notice: quick ones, which need no
 * database. Those with random, huge or hostile files take too long to be run for each change.
 */
const areas = {
  coda: {
    mutate: [`${statements}/src/*.ts`, `${statements}/src/coda/**/*.ts`],
    tests: [`${statements}/test/coda/**/!(hostile|round-trip).test.ts`],
  },
  codb: {
    mutate: [`${statements}/src/codb/**/*.ts`],
    tests: [`${statements}/test/codb/!(hostile-xml|codb-properties).test.ts`],
  },
  pdf: {
    mutate: [`${statements}/src/pdf/*.ts`],
    tests: [`${statements}/test/pdf/!(any-statement).test.ts`],
  },
  codegen: {
    mutate: ['codegen/src/{rules,openapi}/*.ts'],
    tests: ['codegen/test/{rules,openapi-objects}.test.ts'],
  },
  server: {
    mutate: [
      `${server}/src/{dates,identifiers}/*.ts`,
      `${server}/src/identity/principal.ts`,
      `${server}/src/mandates/lifecycle.ts`,
    ],
    tests: [
      `${server}/test/{dates,identifiers}/*.test.ts`,
      `${server}/test/identity/principal.test.ts`,
      `${server}/test/mandates/lifecycle.test.ts`,
    ],
  },
};

const named = process.argv.slice(2);
const unknown = named.filter((argument) => !Object.hasOwn(areas, argument));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no area ${unknown.join(', ')}: name some of ${Object.keys(areas).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const area of named.length > 0 ? named : Object.keys(areas)) {
  const { mutate, tests } = areas[area];
  process.env['ADX_MUTATE_TESTS'] = tests.join(' ');
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutate.vitest.config.ts' },
    concurrency: 1,
    // A busy machine is not to look like an endless loop.
    timeoutMS: 30_000,
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { logTests: false, reportTests: false },
    htmlReporter: { fileName: `reports/mutate/${area}.html` },
    thresholds: { high: 95, low: 85, break: 85 },
  });
  await stryker.runMutationTest();
}
