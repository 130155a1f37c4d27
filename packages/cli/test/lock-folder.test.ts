import { expect, test } from 'vitest';
import { lockFailure } from '../src/folder/lock-folder.js';

test.each([
  ['ENOTSUP', 2],
  ['ENOSYS', 2],
  ['EIO', 1],
  ['ENOLCK', 1],
] as const)('D-51 a lock that fails with %s has the exit code %i', (code, exitCode) => {
  const failure = lockFailure('folder', Object.assign(new Error('no lock'), { code }));
  expect(failure).toMatchObject({ exitCode, message: expect.stringContaining('folder cannot be') });
});
