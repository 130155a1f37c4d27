import { test } from 'vitest';
import { runCommand } from '../../../../test/support/run-command.js';

test('D-68 the short suite passes with the large tables in 16 partitions by firm', async () => {
  // The variables that make vitest run proofs and long tests are removed.
  const command =
    "unset ADX_TEST_PROVE ADX_TEST_ALL; exec npx vitest run '--tags-filter=!long' packages/server test/";
  await runCommand('sh', ['-c', command], { env: { TEST_DATABASE_PARTITIONS: '16' } });
});
