import { writeCoda } from '@adx/statements';
import { expect, test } from 'vitest';
import { newIban } from '../../../../../test/support/numbers.js';
import { operatorScope } from '../../../src/identity/operator-scope.js';
import { listDeliveries } from '../../../src/uploads/deliveries/listed-deliveries.js';
import {
  codaFile,
  codbFile,
  enterpriseNumber,
  type SampleStatement,
  statementDraft,
} from '../sample-files.js';
import { setUpUploads, type Uploads } from '../set-up-uploads.js';
import { checkSenders } from './random-deliveries.js';

/**
 * Delivers a statement for a customer with a signed mandate. Returns the codes of errors, if it is
 * not listed.
 */
async function refusalsOf(
  work: Uploads,
  from: string,
  iban: string,
  sample: Partial<SampleStatement> = {},
): Promise<string[]> {
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  const outcome = await work.deliver(codaFile({ iban, ...sample }), { from });
  const errors = outcome.findings.filter(({ severity }) => severity === 'error');
  expect(outcome).toMatchObject({ listed: errors.length === 0 ? 1 : 0, held: 0 });
  return errors.map(({ code }) => code);
}

test('D-66 a bank delivers the statements of the accounts that it keeps, under each of its names and BICs', async () => {
  const work = await setUpUploads();
  for (const [from, bankCode, bic] of [
    ['GKCCBEBB', '096'],
    ['gkcc be bb xxx', '550', 'GKCCBEBBXXX'],
    ['GKCCBEBB', '096', ''],
    ['GKCCBEBB', '096', 'GKCCBEBB36A'],
    // Two BICs of one bank, and one BIC of two institutions.
    ['NICABEBB', '700', 'AXABBE22'],
    ['AXABBE22', '103', 'AXABBE22'],
    ['DEGRBEBB', '583', 'DEGRBEBB'],
    ['ABNABE2A', '509', 'ABNABE2AIPC'],
    ['CMCIBEB1BTB', '588', 'CMCIBEB1'],
    // Bank codes without a BIC.
    ['PCHQBEBB', '990', 'PCHQBEBB'],
  ] as const) {
    expect(
      await refusalsOf(work, from, newIban(bankCode), bic === undefined ? {} : { bic }),
    ).toEqual([]);
  }
  const senders = (await work.uploads()).map(({ sender }) => sender);
  expect(senders.slice(0, 2)).toEqual(['GKCCBEBB', 'GKCCBEBB']);
});

test.each([
  [
    'of an account that another bank keeps',
    'GEBABEBB',
    newIban(),
    'GEBABEBB',
    'accountOfAnotherBank',
  ],
  [
    'of the account of an institution with the same first letters',
    'CMCIBEB1BTB',
    newIban('667'),
    'CMCIBEB1BTB',
    'accountOfAnotherBank',
  ],
  [
    'of an account whose bank code is not assigned',
    'GKCCBEBB',
    newIban('112'),
    'GKCCBEBB',
    'accountOfAnotherBank',
  ],
  ['of a foreign account', 'ABNABE2A', 'NL91ABNA0417164300', 'ABNABE2A', 'accountOfAnotherBank'],
  [
    'of a foreign account with one of its bank codes',
    'GKCCBEBB',
    'LU300960000000000000',
    'GKCCBEBB',
    'accountOfAnotherBank',
  ],
  ['whose header names another bank', 'GKCCBEBB', newIban(), 'BBRUBEBB', 'namesAnotherSender'],
  [
    'whose header names a bank with the same first letters',
    'CMCIBEB1BTB',
    newIban('588'),
    'CMCIBEB1CIC',
    'namesAnotherSender',
  ],
  ['whose header names no known bank', 'GKCCBEBB', newIban(), 'DEUTDEFF', 'namesAnotherSender'],
])('D-66 a bank delivers no statement %s', async (_, from, iban, bic, code) => {
  const work = await setUpUploads();
  expect(await refusalsOf(work, from, iban, { bic })).toEqual([code]);
  expect([await work.files(), await listDeliveries(work.knex, operatorScope())]).toEqual([[], []]);
  expect(await work.uploads()).toMatchObject([
    { status: 'rejected', source: 'bank', sender: from },
  ]);
});

test('D-66 of a file with statements of several banks, each of them delivers its own', async () => {
  const work = await setUpUploads();
  const [own, other] = [newIban(), newIban('300')];
  const customerId = await work.create({ ibans: [own, other] });
  await work.setStatus(customerId, 'waitingForBank');
  const file = codaFile({ iban: own }, { iban: other });
  expect(await work.deliver(file)).toMatchObject({ isDone: false, listed: 1, held: 0 });
  expect(await work.statuses(customerId)).toEqual(['finished', 'waitingForBank']);
  expect(await work.deliver(file, { from: 'BBRUBEBB' })).toMatchObject({
    isDone: false,
    listed: 1,
  });
  expect(await work.uploads()).toMatchObject([{ sender: 'GKCCBEBB' }, { sender: 'BBRUBEBB' }]);
  const [first, second] = await work.files();
  expect(first?.upload_id).not.toBe(second?.upload_id);
});

test('D-66 an account number without IBAN is that of the bank of its code', async () => {
  const work = await setUpUploads();
  const iban = newIban('300');
  await work.setStatus(await work.create({ ibans: [iban] }), 'finished');
  const account = { structure: 0, number: iban.slice(4), currency: 'EUR' } as const;
  const draft = { ...statementDraft({ iban }), account };
  expect(await work.deliver(writeCoda([draft]), { from: 'GKCCBEBB' })).toMatchObject({ listed: 0 });
  expect(await work.deliver(writeCoda([draft]), { from: 'BBRUBEBB' })).toMatchObject({ listed: 1 });
});

test('D-66 each sender delivers only its product, and a provider nothing that names another one', async () => {
  const work = await setUpUploads();
  const [iban, number] = [newIban(), enterpriseNumber()];
  const links = { ibans: [iban], providers: ['sdworx', 'securex'] };
  await work.setStatus(await work.create(links, { enterprise_number: number }), 'finished');
  const booking = (source: string) => codbFile({ enterpriseNumber: number, source });
  for (const [from, bytes, code] of [
    ['sdworx', codaFile({ iban }), 'otherProduct'],
    ['GKCCBEBB', booking('SD Worx'), 'otherProduct'],
    ['securex', booking('SD WORX vzw'), 'namesAnotherSender'],
    ['groups', booking('Securex'), 'namesAnotherSender'],
  ] as const) {
    expect(await work.deliver(bytes, { from }), from).toMatchObject({
      ...{ isDone: false, listed: 0, held: 0 },
      findings: expect.arrayContaining([expect.objectContaining({ code, severity: 'error' })]),
    });
  }
  expect([await work.files(), await listDeliveries(work.knex, operatorScope())]).toEqual([[], []]);
});

test('D-66 nothing is listed or held for an account or employer that its sender does not serve', async () => {
  const tally = await checkSenders(7, 60);
  expect(Math.min(tally.listed, tally.held, tally.refused)).toBeGreaterThan(10);
});
