import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codaFile } from '../../packages/server/test/uploads/sample-files.js';
import { eventually } from '../support/eventually.js';
import { leadMandate } from '../support/lead-mandate.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { repository } from '../support/run-command.js';
import { useSignedInService } from '../support/use-service.js';

const started = useSignedInService({
  settings: { METRICS_PORT: '0', JOBS_CONCURRENCY: '1', MAILS_PER_FIRM_PER_DAY: '1' },
});

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

const scrape = async () =>
  (await fetch(`http://127.0.0.1:${started.service.metricsPort}/metrics`)).text();

const amountOf = (metrics: string, series: string) =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length) ?? 0,
  );

const has = (series: string) => eventually(async () => amountOf(await scrape(), series) >= 1);

test('D-55 metrics count requests by operation, status, outcome and partner, and errors by code', async () => {
  const { call, service } = started;
  await call('helloWorld');
  await call('createCustomer', { body: {} });
  await service.raw('/nothing', { headers: { 'x-api-key': started.apiKey } });
  await service.raw('/customers', { headers: { 'x-api-key': 'adx_live_unknown' } });
  const password = Buffer.from('wrong').toString('base64');
  await call('getToken', { body: { username: 'nobody', password } });
  await has(
    'adx_requests_total{operation="getToken",status="500",outcome="refused",partner="Tests"}',
  );
  const metrics = await scrape();
  const counted = (labels: string) => amountOf(metrics, `adx_requests_total{${labels}}`);
  expect([
    counted('operation="helloWorld",status="200",outcome="ok",partner="Tests"'),
    counted('operation="createCustomer",status="400",outcome="refused",partner="Tests"'),
    counted('operation="none",status="404",outcome="refused",partner="Tests"'),
    counted('operation="none",status="403",outcome="refused",partner="none"'),
    amountOf(
      metrics,
      'adx_errors_total{operation="createCustomer",code="validationFailed",partner="Tests"}',
    ),
    amountOf(
      metrics,
      'adx_errors_total{operation="getToken",code="signInRefused",partner="Tests"}',
    ),
    amountOf(metrics, 'adx_request_duration_seconds_count{operation="helloWorld"}'),
    amountOf(metrics, 'adx_dependency_up{dependency="database"}'),
    amountOf(metrics, 'adx_dependency_up{dependency="storage"}'),
    amountOf(metrics, 'adx_database_connections{state="max"}'),
  ]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 10]);
  expect(metrics).not.toContain('nobody');
});

test('D-55 metrics show jobs, uploads, mail and what stands in the database', async () => {
  const { client, service } = started;
  await service.knex.raw(
    `select graphile_worker.add_job('noSuchTask', run_at => now() - interval '1 hour')`,
  );
  await service.knex.raw(
    `select graphile_worker.permanently_fail_jobs(array[id], 'It was given up.')
       from graphile_worker.add_job('noSuchTask', run_at => now() - interval '1 day')`,
  );
  // The budget is one message.
  for (const iban of [newIban(), newIban()]) {
    await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  }
  // A job that waits because its firm is disabled is not stuck.
  const other = await started.anotherFirm();
  await other.customers.create(newCustomer({ bankAccounts: [{ iban: newIban() }] }));
  const disabled_on = new Date();
  await service.knex('firms').whereNot({ id: started.firmId }).update({ disabled_on });
  const upload = await client.codaFiles.upload(Buffer.from('no statement'), 'bad.cod');
  await upload.outcome();
  await has('adx_uploads_total{product="CODA",outcome="rejected"}');
  // There is no mail server.
  await has('adx_mails_total{outcome="failed"}');
  await has('adx_job_runs_total{task="sendMail",outcome="failed"}');
  await service.knex('mandates').update({ updated_on: new Date('2020-01-01') });
  await has('adx_mandates_stuck{status="created"}');
  const metrics = await scrape();
  expect([
    amountOf(metrics, 'adx_database_read'),
    amountOf(metrics, 'adx_mandates_stuck{status="error"}'),
    amountOf(metrics, 'adx_jobs{task="noSuchTask",state="due"}'),
    amountOf(metrics, 'adx_jobs{task="noSuchTask",state="givenUp"}'),
    amountOf(metrics, 'adx_mandates_stuck{status="created"}'),
    amountOf(metrics, 'adx_requests_waiting_for_budget{owner="firm"}'),
    amountOf(metrics, 'adx_unsigned_links{of="all"}'),
    amountOf(metrics, 'adx_unsigned_links{of="largestFirm"}'),
  ]).toEqual([1, 0, 1, 1, 2, 1, 2, 2]);
  const age = amountOf(metrics, 'adx_oldest_job_age_seconds{task="noSuchTask"}');
  expect(age).toBeGreaterThan(3599);
  expect(age).toBeLessThan(4000);
  expect(amountOf(metrics, 'adx_job_runs_total{task="removeOldData",outcome="givenUp"}')).toBe(0);
  expect(amountOf(metrics, 'adx_job_slots')).toBe(5);
  expect(
    amountOf(metrics, 'adx_job_runs_total{task="scanUploads",outcome="done"}'),
  ).toBeGreaterThan(0);
});

test('D-55 metrics count uploads that were processed, missing statements and held deliveries, and show the pool', {
  tags: 'long',
}, async () => {
  const { client, service } = started;
  const iban = newIban();
  const customer = await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
  const mandate = await service.knex('mandates').where({ customer_id: customer.id }).first('id');
  await leadMandate(service, mandate.id, 'finished');
  const file = codaFile({ iban, number: 1 }, { iban, number: 3 });
  const upload = await client.codaFiles.upload(Buffer.from(file), 'good.cod');
  const { id: upload_id, status } = await upload.outcome();
  expect(status).toBe('processed');
  await service.knex('held_deliveries').insert({
    ...{ id: '0'.repeat(24), upload_id, product: 'CODA', iban: newIban() },
    ...{ statement_number: 1, statement_date: '2026-02-03', content_hash: Buffer.alloc(32) },
    ...{ object_key: 'held', held_on: new Date() },
  });
  await has('adx_uploads_total{product="CODA",outcome="processed"}');
  await has('adx_missing_statements{kind="gap"}');
  await has('adx_held_deliveries{product="CODA"}');
  const metrics = await scrape();
  expect(amountOf(metrics, 'adx_missing_statements{kind="gap"}')).toBe(1);
  const states = ['used', 'free', 'waiting', 'max'].map((state) =>
    amountOf(metrics, `adx_database_connections{state="${state}"}`),
  );
  const [used = 0, free = 0, waiting, max] = states;
  expect(used + free).toBeGreaterThan(0);
  expect([waiting, max]).toEqual([0, 10]);
});

test('D-55 the guide has every metric and alert, and rules and dashboard name no other metrics', async () => {
  const metrics = await scrape();
  const existing = [...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  const own = existing.filter((name) => name.startsWith('adx_'));
  // Only a distributed database has these.
  const ofCluster = ['adx_database_node_up'];
  expect(own.length).toBeGreaterThan(15);
  const guide = read('docs/guides/observing.md');
  const described = [...guide.matchAll(/^- `(adx_\w+)`/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual([...own, ...ofCluster].sort());
  const rules = read('packages/server/deploy/prometheus/adx-alerts.yml');
  const dashboard = read('packages/server/deploy/grafana/adx-dashboard.json');
  const named = `${rules} ${dashboard}`.match(/\b(adx|nodejs|process)_[a-z0-9_]+/g) ?? [];
  const withoutSuffix = named.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  expect(new Set(withoutSuffix).size).toBeGreaterThan(15);
  for (const name of withoutSuffix) expect([...existing, ...ofCluster]).toContain(name);
  const alerts = [...rules.matchAll(/^ +- alert: (\w+)/gm)].map(([, name]) => name);
  const explained = [...guide.matchAll(/^- `(Adx\w+)`/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(alerts.sort());
  JSON.parse(dashboard);
});
