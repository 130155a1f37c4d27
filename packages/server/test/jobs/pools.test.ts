import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { newIban } from '../../../../test/support/numbers.js';
import { loadConfig } from '../../src/config.js';
import { oneServer } from '../../src/db/nodes.js';
import { enqueue } from '../../src/jobs/job.js';
import { createLogger } from '../../src/logger.js';
import { signingPeriodJob } from '../../src/mandates/mandate-jobs.js';
import { createMetrics } from '../../src/telemetry/metrics.js';
import { startJobs } from '../../src/worker.js';
import { startRawServer } from '../mail/mail-server.js';
import { processSettings } from '../support/process-settings.js';
import { codaFile } from '../uploads/sample-files.js';
import { setUpUploads, withStore } from '../uploads/set-up-uploads.js';
import { signal } from './jobs-database.js';

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
    database: { knex: work.knex, url: work.url, nodes: oneServer, close: async () => {} },
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
