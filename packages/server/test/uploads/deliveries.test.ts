import { expect, test } from 'vitest';
import { readHistory } from '../../../src/mandates/mandate-history.js';
import { mandatesOf, newIban } from '../../mandates/linked-customer.js';
import { putIngestToWork } from './ingest-at-work.js';
import { codaFile, codbFile, enterpriseNumber } from './sample-files.js';

test.each(['waitingForBank', 'confirmedByBank'])(
  '§3 the first CODA file finishes a mandate that is %s, once',
  async (status) => {
    const work = await putIngestToWork();
    const [iban, other] = [newIban(), newIban()];
    const customerId = await work.create({ ibans: [iban, other] });
    await work.setStatus(customerId, status);
    await work.upload('CODA', 'a.cod', codaFile({ iban, number: 1 }));
    await work.upload('CODA', 'b.cod', codaFile({ iban, number: 2 }));
    await work.ingest();
    expect(await work.statuses(customerId)).toEqual(['finished', status]);
    const [mandate] = await mandatesOf(work.knex, customerId);
    const history = await readHistory(work.knex, mandate?.id ?? '');
    expect(history.filter(({ trigger }) => trigger === 'fileReceived')).toMatchObject([
      { from: status, to: 'finished', by: 'service' },
    ]);
  },
);

test.each(['created', 'waitingForSigner', 'expired', 'rejectedBySigner', 'error', 'finished'])(
  '§3 a file for a mandate that is %s is listed and leaves the mandate as it is',
  async (status) => {
    const work = await putIngestToWork();
    const iban = newIban();
    const customerId = await work.create({ ibans: [iban] });
    await work
      .knex('mandates')
      .where({ customer_id: customerId })
      .update({
        status,
        ...(status === 'error' && { error_code: 'deliveryFailed', error_message: 'x' }),
      });
    await work.upload('CODA', 'a.cod', codaFile({ iban }));
    await work.ingest();
    expect(await work.files()).toHaveLength(1);
    expect(await work.statuses(customerId)).toEqual([status]);
  },
);

test.each([
  ['SD WORX vzw', ['finished', 'waitingForPayrollProvider']],
  ['Secrétariat Social Securex', ['waitingForPayrollProvider', 'finished']],
  ['Boekhouding Janssens', ['waitingForPayrollProvider', 'waitingForPayrollProvider']],
  ['Liantis', ['waitingForPayrollProvider', 'waitingForPayrollProvider']],
])('§3 a CODB file of %s finishes the mandate of that provider', async (source, statuses) => {
  const work = await putIngestToWork();
  const number = enterpriseNumber();
  const links = { providers: ['sdworx', 'securex'] };
  const customerId = await work.create(links, { enterprise_number: number });
  await work.setStatus(customerId, 'waitingForPayrollProvider');
  await work.upload('CODB', 'a.xml', codbFile({ enterpriseNumber: number, source }));
  await work.ingest();
  expect(await work.files()).toHaveLength(1);
  expect(await work.statuses(customerId)).toEqual(statuses);
});

test('§3 a CODB file of a name that is not known finishes the only mandate there is', async () => {
  const work = await putIngestToWork();
  const number = enterpriseNumber();
  const links = { providers: ['groups'] };
  const customerId = await work.create(links, { enterprise_number: number });
  await work.setStatus(customerId, 'waitingForPayrollProvider');
  const bytes = codbFile({ enterpriseNumber: number, source: 'Groupe S' });
  await work.upload('CODB', 'a.xml', bytes);
  await work.ingest();
  expect(await work.statuses(customerId)).toEqual(['finished']);
});
