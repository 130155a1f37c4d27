import { expect, test } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { version } from '../../src/version.js';

test('D-55 counters of mails, uploads and jobs are 0 before their first event, so that increase() counts it', async () => {
  const metrics = createMetrics();
  metrics.startJobCounters('sendMail');
  const lines = (await metrics.registry.metrics()).split('\n');
  const counted = lines.filter((line) => /^adx_(mails|uploads|job)\w*\{/.test(line));
  expect(counted.sort()).toEqual([
    'adx_job_runs_total{task="sendMail",outcome="done"} 0',
    'adx_job_runs_total{task="sendMail",outcome="failed"} 0',
    'adx_job_runs_total{task="sendMail",outcome="givenUp"} 0',
    'adx_job_seconds_total{task="sendMail"} 0',
    'adx_mails_total{outcome="failed"} 0',
    'adx_mails_total{outcome="rejected"} 0',
    'adx_mails_total{outcome="sent"} 0',
    'adx_uploads_total{product="CODA",outcome="failed"} 0',
    'adx_uploads_total{product="CODA",outcome="processed"} 0',
    'adx_uploads_total{product="CODA",outcome="rejected"} 0',
    'adx_uploads_total{product="CODB",outcome="failed"} 0',
    'adx_uploads_total{product="CODB",outcome="processed"} 0',
    'adx_uploads_total{product="CODB",outcome="rejected"} 0',
  ]);
});

test('D-55 adx_build_info has the versions of the service and of Node', async () => {
  const lines = await createMetrics().registry.getSingleMetricAsString('adx_build_info');
  expect(lines).toContain(`adx_build_info{version="${version}",node="${process.version}"} 1`);
});

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
