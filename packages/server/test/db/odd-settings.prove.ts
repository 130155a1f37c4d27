import { test } from 'vitest';
import { runCommand } from '../../../../test/support/run-command.js';
import { oddSettings } from '../support/odd-settings.js';

/** Tests with a call of each operation, jobs, migrations, uploads, mandates and erasure. */
const files = [
  'test/conformance/audit-trail.test.ts',
  ...['continuity/missing', 'api/idempotent-calls', 'db/migrate', 'jobs/enqueue'],
  ...['jobs/repeating-tasks', 'mandates/answers', 'mandates/renewals', 'uploads/uploads'],
  ...['files/object-removals', 'uploads/deliveries/held-deliveries', 'usage/usage-counter'],
].map((file) => (file.startsWith('test/') ? file : `packages/server/test/${file}.test.ts`));

test('D-39 tests of every part pass on databases whose settings are all odd', async () => {
  const settings = { TEST_DATABASE_SETTINGS: JSON.stringify(oddSettings) };
  // The variable that makes vitest run proofs is removed.
  const command = `unset ADX_TEST_PROVE; exec npx vitest run --maxWorkers=1 ${files.join(' ')}`;
  await runCommand('sh', ['-c', command], { env: settings });
});
