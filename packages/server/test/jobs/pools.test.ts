import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { newIban } from '../../../../test/support/numbers.js';
import { loadConfig } from '../../src/config.js';
import { oneServer } from '../../src/db/nodes.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { enqueue } from '../../src/jobs/job.js';
import { createLogger } from '../../src/logger.js';
import { signingPeriodJob } from '../../src/mandates/mandate-jobs.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { startJobs } from '../../src/worker.js';
import { startRawServer } from '../mail/mail-server.js';
import { takeNodeAway } from '../support/node-away.js';
import { processSettings } from '../support/process-settings.js';
import { codaFile } from '../uploads/sample-files.js';
import { setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { signal } from './jobs-database.js';

test('D-72 a job whose firm is on a node that does not respond waits, which is no attempt, and is done once the node responds', async () => {
  const work = await setUpUploads();
  const { nodes, restore } = await takeNodeAway(work, 'files', work.principal.firmId);
  await eventually(async () => !nodes.isWhole());
  const jobs = await startJobs({
    applicationName: 'adx-server worker',
    config: loadConfig(
      { ...(await processSettings(work.url)), ...work.storage.settings },
      'worker',
    ),
    database: { knex: work.knex, url: work.url, isDistributed: true, close: async () => {} },
    ...{ nodes, storage: work.storage, printer: work.printer, metrics: createMetrics() },
    ...{ logger: createLogger('silent'), now: work.now },
  });
  onTestFinished(() => jobs.stop());
  const payload = { uploadId: newObjectId(), firmId: work.principal.firmId };
  await enqueue(work.knex, { task: 'readUpload', payload, key: 'lost' });
  const waiting = () => work.knex('graphile_worker._private_jobs').where({ key: 'lost' });
  const lost = waiting().first('last_error', 'attempts', 'run_at');
  const job = await eventually(
    () => lost.clone(),
    (found) => found?.last_error,
  );
  expect(job).toMatchObject({
    ...{ attempts: 0, last_error: expect.stringContaining('No response from node 2') },
  });
  expect(job.run_at.getTime()).toBeGreaterThan(Date.now() + 40_000);
  await restore();
  await waiting().update({ run_at: work.knex.fn.now() });
  await eventually(async () => (await lost.clone()) === undefined);
});

test('D-38 messages do not wait for uploads, nor do deadlines for either', async () => {
  const work = await setUpUploads();
  const [isReading, goOn] = [signal(), signal()];
  const { storage } = withStore(work, {
    async get(...parameters) {
      isReading.give();
      await goOn.given;
      return work.storage.store.get(...parameters);
    },
  });
  let mails = 0;
  // It sends no greeting.
  const mailServer = await startRawServer(() => {
    mails += 1;
  });
  const settings = {
    ...(await processSettings(work.url)),
    ...work.storage.settings,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    JOBS_CONCURRENCY: '1',
  };
  const { stop } = await startJobs({
    applicationName: 'adx-server worker',
    config: loadConfig(settings, 'worker'),
    database: { knex: work.knex, url: work.url, isDistributed: false, close: async () => {} },
    nodes: oneServer,
    ...{ storage, printer: work.printer, metrics: createMetrics() },
    ...{ logger: createLogger('silent'), now: work.now },
  });
  onTestFinished(async () => {
    await mailServer.close();
    await stop();
  });
  onTestFinished(goOn.give);
  await work.upload('CODA', 'long.cod', codaFile({ iban: newIban() }));
  await isReading.given;
  for (let customer = 0; customer < 3; customer += 1) await work.create({ ibans: [newIban()] });
  await eventually(async () => mails >= 2);

  const expiring = await work.create({ ibans: [newIban()] });
  const mandates = () => work.knex('mandates').where({ customer_id: expiring });
  const [{ signature_request_id: id }] = await mandates();
  const [sent_on, expires_on] = [new Date(0), new Date(1)];
  await work.knex('signature_requests').where({ id }).update({ sent_on, expires_on });
  await mandates().update({ status: 'waitingForSigner' });
  await work.knex.transaction((trx) =>
    enqueue(trx, signingPeriodJob({ firmId: work.principal.firmId, requestId: id }, expires_on)),
  );
  await eventually(async () => (await mandates())[0].status === 'expired');
  expect(await work.knex('uploads')).toMatchObject([{ status: 'received' }]);
});
