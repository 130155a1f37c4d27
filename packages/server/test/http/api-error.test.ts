import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/api-error.js';

test('D-03 a response names 100 unknown fields and 100 findings at most', () => {
  const fields = Array.from({ length: 80_000 }, (_, index) => `field${index}`);
  const details = fields.map((path) => ({ path, message: 'is wrong' }));
  expect(new ApiError('unknownField', { fields }).toBody('1')).toMatchObject({
    fields: fields.slice(0, 100),
  });
  expect(new ApiError('validationFailed', { details }).toBody('1')).toMatchObject({
    details: details.slice(0, 100),
  });
});
