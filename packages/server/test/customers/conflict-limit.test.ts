import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../src/api/api-error.js';
import { createConflictLimit } from '../../src/customers/conflict-limit.js';

const conflict = async () => {
  throw new ApiError('ibanInUse');
};
const succeed = async () => 'created';
const tooMany = { code: 'tooManyRequests' };

test('D-23 changes without a conflict, and other errors, do not count', async () => {
  const limit = createConflictLimit({ conflicts: 1 });
  for (let n = 0; n < 20; n += 1) expect(await limit('firm', succeed)).toBe('created');
  for (const code of ['customerExists', 'unknownPayrollProvider'] as const) {
    const fail = limit('firm', async () => {
      throw new ApiError(code);
    });
    await expect(fail).rejects.toMatchObject({ code });
  }
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
  expect(await limit('other firm', succeed)).toBe('created');
});

test('D-23 changes between two conflicts do not reset the count', async () => {
  const limit = createConflictLimit({ conflicts: 2 });
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await limit('firm', succeed);
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
});

test('D-23 when the hour has ended the firm may try again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const limit = createConflictLimit({ conflicts: 1 });
  await expect(limit('firm', conflict)).rejects.toMatchObject({ code: 'ibanInUse' });
  vi.advanceTimersByTime(3_599_000);
  await expect(limit('firm', succeed)).rejects.toMatchObject(tooMany);
  vi.advanceTimersByTime(1_000);
  expect(await limit('firm', succeed)).toBe('created');
});
