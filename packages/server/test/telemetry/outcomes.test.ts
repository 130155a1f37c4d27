import { expect, test } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.js';

test.each([
  [200, undefined, true, 'ok'],
  [200, undefined, false, 'aborted'],
  // A list that failed after its status was sent.
  [200, 'internalError', false, 'failed'],
  [400, 'validationFailed', true, 'refused'],
  [429, 'tooManyRequests', false, 'aborted'],
  [500, 'Authentication failed', true, 'refused'],
  [500, 'the words of a provider', true, 'refused'],
  [500, 'internalError', true, 'failed'],
  // The errors of the signing page have no code.
  [500, undefined, true, 'failed'],
  [503, 'unavailable', true, 'failed'],
])(
  'D-55 a request with status %i, code %s and complete %s counts as %s',
  async (status, code, isComplete, outcome) => {
    const { registry, countRequest } = createMetrics();
    countRequest({ operation: 'x', status, code, isComplete, partner: 'P', seconds: 1 });
    const text = await registry.metrics();
    expect(text).toContain(`{operation="x",status="${status}",outcome="${outcome}",partner="P"} 1`);
    expect(text).not.toContain('words of a provider');
  },
);
