// Mutates the pure code, one place at a time, and reports the mutations that no test notices. `npm
// run mutate -- coda` changes one area. The reports are in `reports/mutate`.
import { Stryker } from '@stryker-mutator/core';

const statements = 'packages/statements';
const server = 'packages/server';

/**
 * The files to mutate in each area, and the tests that should notice: fast ones that need no
 * database. Tests with random, huge or hostile files and those in a browser are left out, because
 * they take too long for each mutation, and so are files that no other test is about.
 */
const areas = {
  coda: {
    mutate: [
      `${statements}/src/!(cli|bytes).ts`,
      `${statements}/src/coda/**/!(*-names|finding-texts-*|split-statements).ts`,
    ],
    tests: [
      `${statements}/test/!(package).test.ts`,
      `${statements}/test/convert/*.test.ts`,
      `${statements}/test/coda/**/!(hostile|round-trip|browser|split-statements).test.ts`,
    ],
  },
  codb: {
    mutate: [`${statements}/src/codb/**/*.ts`],
    tests: [`${statements}/test/codb/!(hostile-xml|codb-properties).test.ts`],
  },
  pdf: {
    mutate: [`${statements}/src/pdf/**/!(optional-packages).ts`],
    tests: [`${statements}/test/pdf/!(any-statement).test.ts`],
  },
  codegen: {
    mutate: ['codegen/src/{rules,openapi}/*.ts'],
    tests: [
      'codegen/test/{corpus,openapi-objects,mistakes,exponential-pattern,legal,write-out}.test.ts',
      'codegen/test/{nested-bodies,read-*,another-spec,discriminators,ordinary,samples,join-files}.test.ts',
      'codegen/test/{split,unusual-requests,client-methods,upgrade,reserved-names}.test.ts',
    ],
  },
  diff: {
    mutate: ['codegen/src/diff/compare/*.ts', 'codegen/src/diff/{report,usage}.ts'],
    tests: ['codegen/test/{compare-specs,diff-command,usage,weigh,weigh-!(random)}.test.ts'],
    withLongTests: true,
  },
  server: {
    mutate: [
      `${server}/src/dates/*.ts`,
      `${server}/src/identifiers/!(belgian-bank-codes).ts`,
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
    `Unknown area: ${unknown.join(', ')}. The areas are ${Object.keys(areas).join(', ')}.\n`,
  );
  process.exit(2);
}
for (const area of named.length > 0 ? named : Object.keys(areas)) {
  const { mutate, tests, withLongTests } = areas[area];
  process.env['ADX_MUTATE_TESTS'] = tests.join(' ');
  if (withLongTests) process.env['ADX_TEST_ALL'] = 'yes';
  else delete process.env['ADX_TEST_ALL'];
  const stryker = new Stryker({
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutate.vitest.config.ts' },
    concurrency: 1,
    // Long, so that a busy machine is not taken for an endless loop.
    timeoutMS: 30_000,
    reporters: ['progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { logTests: false, reportTests: false },
    htmlReporter: { fileName: `reports/mutate/${area}.html` },
    thresholds: { high: 95, low: 85, break: 85 },
  });
  await stryker.runMutationTest();
}
