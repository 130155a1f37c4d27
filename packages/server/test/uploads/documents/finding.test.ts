import { expect, test } from 'vitest';
import {
  addFindings,
  countOmitted,
  noFindings,
  type UploadFinding,
} from '../../../src/uploads/documents/finding.js';
import { seededRandom } from '../../support/seeded-random.js';

const codes = [
  ['error', 'balance'],
  ['warning', 'oldBalanceGap'],
  ['error', 'unknownAccount'],
  ['warning', 'alreadyListed'],
] as const;

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'D-38 findings that are added step by step are those of the whole file (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    const pick = (limit: number) => Math.floor(random() * limit);
    const count = [30, 999, 1000, 1001, 2500][pick(5)] ?? 0;
    const findings = Array.from({ length: count }, (_, index): UploadFinding => {
      const [severity, code] = codes[pick(10) === 0 ? pick(4) : seed % 4] ?? codes[0];
      return { severity, code, message: `${index}` };
    });
    let kept = noFindings;
    for (let from = 0; from < count; ) {
      const size = pick(400);
      kept = addFindings(kept, findings.slice(from, from + size), 1);
      from += size;
      kept = addFindings(kept, [], 0);
    }
    const { omittedFindings } = addFindings(noFindings, findings, 0);
    const steps = kept.omittedFindings - omittedFindings;
    expect(kept).toEqual(addFindings(noFindings, findings, steps));
  },
);

test('D-38 errors are kept before warnings, and findings on the content before those on documents', () => {
  const of = (severity: 'error' | 'warning', code: string, count: number) =>
    Array.from(
      { length: count },
      (): UploadFinding => ({ severity, code, message: 'a\0b', found: '\0' }),
    );
  const few = [...of('warning', 'alreadyListed', 1), ...of('error', 'balance', 1)];
  const kept = addFindings(noFindings, few, 0).findings;
  expect(kept.map(({ code }) => code)).toEqual(['balance', 'alreadyListed']);
  const many = [...of('warning', 'oldBalanceGap', 700), ...of('error', 'unknownAccount', 700)];
  const found = countOmitted(addFindings(noFindings, many, 5));
  expect(found).toHaveLength(1001);
  expect(found.slice(0, 700).every(({ severity }) => severity === 'error')).toBe(true);
  expect(found.at(-1)).toMatchObject({
    code: 'furtherFindings',
    message: expect.stringMatching(/: 405$/),
  });
  expect(found[0]).toMatchObject({ message: 'a\ufffdb', found: '\ufffd' });
});
