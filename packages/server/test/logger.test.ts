import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Logs an error with these properties in a separate process, and returns the log entry. */
function logged(assigned: object): Record<string, unknown> {
  const script = `
    import { createLogger } from ${JSON.stringify(new URL('../src/logger.ts', import.meta.url).href)};
    const cause = Object.assign(new Error('cause'), ${JSON.stringify(assigned)});
    createLogger('info').error({ err: Object.assign(new AggregateError([cause], 'failed', { cause }), ${JSON.stringify(assigned)}) });`;
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  return JSON.parse(output);
}

test('log: an error is logged with its code, without the values that libraries add to it', () => {
  const secrets = {
    bindings: ['private.person@secret.example'],
    sql: 'select 1 /* BE71096123456769 */',
    detail: 'Key (iban)=(BE71096123456769) already exists.',
    where: 'BE71096123456769',
  };
  const line = logged({ ...secrets, code: '23505', constraint: 'bank_accounts_active_iban' });
  expect(line['err']).toMatchObject({
    type: 'AggregateError',
    message: 'failed',
    code: '23505',
    constraint: 'bank_accounts_active_iban',
    cause: { message: 'cause', code: '23505' },
    errors: [{ message: 'cause', code: '23505' }],
  });
  expect(JSON.stringify(line)).not.toMatch(/secret\.example|BE71096123456769/);
});
