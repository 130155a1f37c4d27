import { test } from 'vitest';
import { runCommand } from '../../../../test/support/run-command.js';

/** The folders whose tests call the service or its stores; browsers and clients add nothing. */
const folders = [
  ...['packages/server', 'packages/sandbox', 'packages/cli', 'test/conformance', 'test/fuzz'],
  ...['test/isolation', 'test/mandates', 'test/operations', 'test/wall'],
];

test('D-68 the short tests pass with the large tables in 16 partitions by firm', async () => {
  // The variables that make vitest run proofs and long tests are removed.
  const command = `unset ADX_TEST_PROVE ADX_TEST_ALL; exec npx vitest run '--tags-filter=!long' ${folders.join(' ')}`;
  await runCommand('sh', ['-c', command], { env: { TEST_DATABASE_PARTITIONS: '16' } });
});
