import type { Mandate, MandateStatus } from '@adx/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConnector } from '../../../packages/server/test/support/rows.js';
import { leadMandate } from '../../support/lead-mandate.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { oneIn } from '../../support/rounds.js';
import { startSignedInService } from '../../support/signed-in-service.js';

const now = new Date();
const signedIn = await startSignedInService({ settings: { DATABASE_POOL_SIZE: '20' } });
afterAll(() => signedIn.service.close());
beforeAll(async () => {
  await setConnector(signedIn.service.knex, 'KREDBEBB', 7);
});

type Kind = 'coda' | 'consent' | 'codb';

/**
 * Returns the mandate of a new customer with one link, and two other mandates that must not change.
 */
async function createMandate(kind: Kind): Promise<Mandate> {
  const customer = await signedIn.client.customers.create(
    newCustomer({
      bankAccounts: [{ iban: newIban(kind === 'consent' ? '435' : '096') }, { iban: newIban() }],
      payrollProviders: [{ code: 'sdworx' }, { code: 'acerta' }],
    }),
  );
  const { records } = await signedIn.client.mandates.search({
    customerId: customer.id,
    sortDirection: 'asc',
  });
  const mandate = records.find(({ product }) => product === (kind === 'codb' ? 'CODB' : 'CODA'));
  if (mandate === undefined) throw new Error('There is no mandate');
  return mandate;
}

async function createMandateIn(kind: Kind, status: MandateStatus): Promise<Mandate> {
  const { id } = await createMandate(kind);
  await leadMandate(signedIn.service, id, status, now);
  return signedIn.client.mandates.get(id);
}

const request = (id: string) => signedIn.client.mandates.request(id);

/** Returns the signature requests of a mandate, each with its job. */
async function requestsOf(mandateId: string) {
  const { knex } = signedIn.service;
  const { rows } = await knex.raw<{ rows: { readonly id: string }[] }>(
    `select r.id, r.delivery, r.sent_on, r.answer, m.signature_request_id = r.id as is_latest,
            (select count(*) from asked_mandates every
              where every.request_id = r.id and every.firm_id = r.firm_id) as asked
       from asked_mandates a
       join signature_requests r on r.id = a.request_id and r.firm_id = a.firm_id
       join mandates m on m.id = a.mandate_id and m.firm_id = a.firm_id
      where a.mandate_id = ? order by r.id`,
    [mandateId],
  );
  const jobs = await knex('graphile_worker.jobs').select('key', 'task_identifier');
  const taskOf = new Map(jobs.map((job) => [job.key, job.task_identifier]));
  return rows.map((row) => ({
    ...row,
    task_identifier: taskOf.get(`sendMail:${row.id}.1`) ?? null,
  }));
}

type Statuses = Readonly<Record<Kind, readonly MandateStatus[]>>;

const casesOf = ({ coda, consent, codb }: Statuses) => [
  ...coda.map((status) => ['coda', status] as const),
  ...consent.map((status) => ['consent', status] as const),
  ...codb.map((status) => ['codb', status] as const),
];

const requestable = casesOf({
  coda: ['expired', 'rejectedBySigner', 'error'],
  consent: ['expired', 'rejectedBySigner', 'renewalRequired', 'error'],
  codb: ['expired', 'rejectedBySigner', 'error'],
});

test.each(oneIn(2, requestable))(
  'D-01 request: a %s mandate in %s is created again, and its contact gets a new request',
  async (kind, status) => {
    const before = await createMandateIn(kind, status);
    expect(before.status).toBe(status);
    const after = await request(before.id);
    const { updatedOn } = after;
    const gone = { error: undefined, validUntil: undefined };
    expect(after).toEqual({ ...before, ...gone, status: 'created', updatedOn });
    expect(after).not.toHaveProperty('error');
    expect(after).not.toHaveProperty('validUntil');
    expect(after.updatedOn > before.updatedOn).toBe(true);
    expect(await signedIn.client.mandates.get(before.id)).toEqual(after);
    expect(await requestsOf(before.id)).toMatchObject([
      { is_latest: false, asked: 4 },
      {
        is_latest: true,
        asked: 1,
        delivery: 1,
        sent_on: null,
        answer: null,
        task_identifier: 'sendMail',
      },
    ]);
  },
);

const notRequestable = casesOf({
  coda: [
    ...(['created', 'waitingForSigner', 'waitingForBank', 'confirmedByBank'] as const),
    ...(['rejectedByBank', 'finished'] as const),
  ],
  consent: ['created', 'waitingForSigner', 'finished'],
  codb: [
    ...(['created', 'waitingForSigner', 'waitingForPayrollProvider'] as const),
    ...(['rejectedByPayrollProvider', 'finished'] as const),
  ],
});

test.each(oneIn(3, notRequestable))(
  'D-01 request: a %s mandate in %s is mandateNotRequestable, and does not change',
  async (kind, status) => {
    const before = await createMandateIn(kind, status);
    await expect(request(before.id)).rejects.toMatchObject({
      status: 409,
      code: 'mandateNotRequestable',
      message: expect.stringMatching(
        new RegExp(` It is ${status}; these can be requested: .*\\bexpired, rejectedBySigner\\b`),
      ),
    });
    expect(await signedIn.client.mandates.get(before.id)).toEqual(before);
    expect(await requestsOf(before.id)).toHaveLength(1);
  },
);

test('D-01 request: mandates of unsupported banks and providers cannot be requested', async () => {
  const { id: customerId } = await signedIn.client.customers.create(
    newCustomer({
      bankAccounts: [{ iban: 'NL91ABNA0417164300' }],
      payrollProviders: [{ code: '***other***' }],
    }),
  );
  const { records } = await signedIn.client.mandates.search({ customerId });
  expect(records.map(({ status }) => status).toSorted()).toEqual([
    'unsupportedBank',
    'unsupportedPayrollProvider',
  ]);
  for (const { id } of records) {
    await expect(request(id)).rejects.toMatchObject({ code: 'mandateNotRequestable' });
    expect(await requestsOf(id)).toEqual([]);
  }
});

test('D-24 request: the history names the user who requested it', async () => {
  const { service, firmId } = signedIn;
  const { id } = await createMandateIn('coda', 'expired');
  const user = await service.createUser({ firmId, access: 'user' });
  await (await service.client(user)).mandates.request(id);
  const history = service.knex('mandate_history').where({ mandate_id: id });
  expect(await history.orderBy('id', 'desc').first()).toMatchObject({
    ...{ from_status: 'expired', to_status: 'created', trigger: 'requested' },
    ...{ actor: 'user', actor_id: user.id },
  });
});

test('D-01 request: the other mandates of the customer do not change', async () => {
  const before = await createMandateIn('coda', 'error');
  const others = async () => {
    const { records } = await signedIn.client.mandates.search({ customerId: before.customerId });
    return records.filter(({ id }) => id !== before.id);
  };
  const untouched = await others();
  expect(untouched).toHaveLength(3);
  await request(before.id);
  expect(await others()).toEqual(untouched);
});

test('D-01 request: of several concurrent requests one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await createMandateIn('codb', 'expired');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => signedIn.call('requestMandate', { path: { mandateId: id } })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await requestsOf(id)).toHaveLength(2);
  }
});

test('D-12 request: an identifier is accepted in capitals', async () => {
  const { id } = await createMandateIn('coda', 'expired');
  expect(await request(id.toUpperCase())).toMatchObject({ id, status: 'created' });
});

test('§3 request: a closed mandate is notFound', async () => {
  const mandate = await createMandateIn('codb', 'error');
  await signedIn.client.customers.removePayrollProvider(mandate.customerId, 'sdworx');
  await expect(request(mandate.id)).rejects.toMatchObject({ status: 404, code: 'notFound' });
  expect(await requestsOf(mandate.id)).toHaveLength(1);
});

test('D-01 request: it waits for a concurrent change of the customer, and the other way round', async () => {
  const { client, call } = signedIn;
  for (let round = 0; round < 8; round += 1) {
    const { id, customerId } = await createMandateIn('codb', 'expired');
    const contact = { email: `nieuw${round}@klant.example` };
    const answers = await Promise.all([
      call('updateCustomer', { path: { customerId }, body: { name: `Naam ${round}`, contact } }),
      call('requestMandate', { path: { mandateId: id } }),
      call('addPayrollProvider', { path: { customerId, code: 'ucm' } }),
      call('removePayrollProvider', { path: { customerId, code: 'sdworx' } }),
    ]);
    const [updated, requested, added, removed] = answers.map(({ status }) => status);
    expect([updated, added, removed]).toEqual([200, 200, 200]);
    expect([200, 404]).toContain(requested);
    await expect(client.mandates.get(id)).rejects.toMatchObject({ status: 404 });
  }
});
