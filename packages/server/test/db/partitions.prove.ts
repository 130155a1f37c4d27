import { test } from 'vitest';
import { runCommand } from '../../../../test/support/run-command.js';

test('D-68 all tests pass with the large tables in 16 partitions', async () => {
  // Without the variable that makes vitest run proofs.
  const command = 'unset ADX_TEST_PROVE; exec node test/run.mjs --all';
  await runCommand('sh', ['-c', command], { env: { TEST_DATABASE_PARTITIONS: '16' } });
});
