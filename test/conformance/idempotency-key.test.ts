import { type OperationId, operations } from '@adx/contract';
import { describe, expect, test } from 'vitest';
import { deleteOldAnswers } from '../../packages/server/src/api/idempotent-calls.js';
import { waitUntilBlocked } from '../../packages/server/test/mandates/wait-until-blocked.js';
import { callOperation, type OperationCall } from '../support/call-operation.js';
import { answerOf, errorOf, newKey, withKey } from '../support/keyed-calls.js';
import { leadMandate } from '../support/lead-mandate.js';
import { newCustomer } from '../support/new-customer.js';
import { newIban } from '../support/numbers.js';
import { useSignedInService } from '../support/use-service.js';

const signedIn = useSignedInService();

/** A call with an effect, and what it has done. */
interface Effective {
  readonly call: OperationCall;
  readonly effects: () => Promise<number>;
  /** Makes every attempt wait until the returned function is called. */
  readonly hold: () => Promise<() => Promise<void>>;
}

const newCalls: Readonly<Partial<Record<OperationId, () => Promise<Effective>>>> = {
  async createCustomer() {
    const { knex } = signedIn.service;
    const body = newCustomer({ bankAccounts: [{ iban: newIban() }] });
    const enterprise_number = body.enterpriseNumber.replaceAll('.', '');
    return {
      call: { body },
      effects: async () => (await knex('customers').where({ enterprise_number })).length,
      async hold() {
        const trx = await knex.transaction();
        await trx.raw('select from firms where id = ? for update', [signedIn.firmId]);
        return async () => void (await trx.rollback());
      },
    };
  },

  async requestMandate() {
    const { service, client } = signedIn;
    const { knex } = service;
    const customer = await client.customers.create(
      newCustomer({ bankAccounts: [{ iban: newIban() }] }),
    );
    const { records } = await client.mandates.search({ customerId: customer.id });
    const mandateId = records[0]?.id ?? '';
    await leadMandate(service, mandateId, 'expired');
    return {
      call: { path: { mandateId } },
      effects: async () =>
        (await knex('mandate_history').where({ mandate_id: mandateId, trigger: 'requested' }))
          .length,
      async hold() {
        const trx = await knex.transaction();
        await trx('mandates').where({ id: mandateId, firm_id: signedIn.firmId }).forUpdate();
        return async () => void (await trx.rollback());
      },
    };
  },
};

const operationIds = Object.keys(operations) as OperationId[];
const repeatable = operationIds.filter((id) =>
  (operations[id].headerParameters as readonly string[]).includes('Idempotency-Key'),
);

test('D-43 every operation with a key is tested', () => {
  expect(Object.keys(newCalls).sort()).toEqual(repeatable.toSorted());
});

describe.each(repeatable)('D-43 %s', (operationId) => {
  const newCall = () => newCalls[operationId]?.() ?? expect.fail(`${operationId} has no call`);
  const send = (call: OperationCall, key: string) =>
    signedIn.call(operationId, { ...call, ...withKey(key) });

  test('D-43 the same call with the same key gets the first answer again, and has one effect', async () => {
    const { call, effects } = await newCall();
    const key = newKey();
    const first = await send(call, key);
    expect(first.status).toBe(200);
    for (let repetition = 0; repetition < 3; repetition += 1) {
      const again = await send(call, key);
      expect(answerOf(again)).toEqual(answerOf(first));
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await effects()).toBe(1);
  });

  test('D-43 of 20 calls with the same key at once, one has an effect, and the others get its answer or 409', async () => {
    const { call, effects } = await newCall();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(call, key)));
    const [first] = answers.filter(({ status }) => status === 200).map(answerOf);
    expect(first).toBeDefined();
    for (const answer of answers) {
      if (answer.status === 200) expect(answerOf(answer)).toEqual(first);
      else expect(errorOf(answer)).toEqual([409, 'idempotencyKeyInUse']);
    }
    expect(await effects()).toBe(1);
    expect(answerOf(await send(call, key))).toEqual(first);
  });

  test('D-43 while the first call is not finished, a repetition is refused at once and says when to return', async () => {
    const { call, effects, hold } = await newCall();
    const key = newKey();
    const release = await hold();
    const first = send(call, key);
    await waitUntilBlocked(signedIn.service.knex);
    const meanwhile = await send(call, key);
    expect(errorOf(meanwhile)).toEqual([409, 'idempotencyKeyInUse']);
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    await release();
    const answer = await first;
    expect(answer.status).toBe(200);
    expect(answerOf(await send(call, key))).toEqual(answerOf(answer));
    expect(await effects()).toBe(1);
  });

  test('D-43 the key of another call is refused, and nothing is done', async () => {
    const key = newKey();
    const { call } = await newCall();
    await send(call, key);
    const other = await newCall();
    expect(errorOf(await send(other.call, key))).toEqual([422, 'idempotencyKeyReused']);
    expect(await other.effects()).toBe(0);
    for (const id of repeatable.filter((each) => each !== operationId)) {
      const different = await newCalls[id]?.();
      const answer = await signedIn.call(id, { ...different?.call, ...withKey(key) });
      expect(errorOf(answer)).toEqual([422, 'idempotencyKeyReused']);
      expect(await different?.effects()).toBe(0);
    }
  });

  test('D-43 after 24 hours a key is new, even before its answer is deleted', async () => {
    const { knex } = signedIn.service;
    const key = newKey();
    await send((await newCall()).call, key);
    const age = (seconds: number) =>
      knex('idempotent_answers').update({
        created_on: knex.raw(`now() - interval '24 hours' + ? * interval '1 s'`, [seconds]),
      });
    await age(60);
    const other = await newCall();
    expect(errorOf(await send(other.call, key))).toEqual([422, 'idempotencyKeyReused']);
    await age(-1);
    const answer = await send(other.call, key);
    expect(answer.status).toBe(200);
    expect(answerOf(await send(other.call, key))).toEqual(answerOf(answer));
    expect(await other.effects()).toBe(1);
  });

  test('D-43 the same key of another user or another API key is another key', async () => {
    const { service, firmId, apiKey, idToken } = signedIn;
    const { key: otherApiKey } = await service.issueApiKey();
    const colleague = await service.idToken(await service.createUser({ firmId }));
    const key = newKey();
    for (const credentials of [
      { apiKey, idToken },
      { apiKey: otherApiKey, idToken },
      { apiKey, idToken: colleague },
    ]) {
      const { call, effects } = await newCall();
      const sent = { ...credentials, ...call, ...withKey(key) };
      expect((await callOperation(service, operationId, sent)).status).toBe(200);
      expect(await effects()).toBe(1);
    }
  });

  test.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['has a space', 'a b'],
    ['is not ASCII', 'clé'],
  ])('D-43 a key that %s is refused', async (_, key) => {
    const { call, effects } = await newCall();
    const answer = await send(call, key);
    expect(errorOf(answer)).toEqual([400, 'validationFailed']);
    expect(answer.body).toMatchObject({ details: [{ path: 'Idempotency-Key' }] });
    expect(await effects()).toBe(0);
  });

  test.each([
    ['255 characters', 'k'.repeat(255)],
    ['quotes, as in the draft of the header', '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ])('D-43 a key may have %s', async (_, key) => {
    const { call, effects } = await newCall();
    await signedIn.service.knex('idempotent_answers').delete();
    const first = await send(call, key);
    expect(first.status).toBe(200);
    expect(answerOf(await send(call, key))).toEqual(answerOf(first));
    expect(await effects()).toBe(1);
  });

  test('D-43 without a key nothing is stored', async () => {
    const { knex } = signedIn.service;
    const { call } = await newCall();
    await knex('idempotent_answers').delete();
    expect((await signedIn.call(operationId, call)).status).toBe(200);
    expect(await knex('idempotent_answers')).toEqual([]);
  });
});

test('D-43 the order of the members of a body does not matter', async () => {
  const body = newCustomer();
  const reversed = Object.fromEntries(
    Object.entries({
      ...body,
      address: Object.fromEntries(Object.entries(body.address).reverse()),
    }).reverse(),
  );
  const sent = withKey(newKey());
  const first = await signedIn.call('createCustomer', { body, ...sent });
  const again = await signedIn.call('createCustomer', { body: reversed, ...sent });
  expect([first.status, answerOf(again)]).toEqual([200, answerOf(first)]);
});

test('D-43 a call that failed is tried anew, with the same or another body', async () => {
  const body = newCustomer();
  const { id } = await signedIn.client.customers.create(body);
  const sent = withKey(newKey());
  const failed = await signedIn.call('createCustomer', { body, ...sent });
  expect(errorOf(failed)).toEqual([409, 'customerExists']);
  expect(failed.headers.has('retry-after')).toBe(false);
  const misspelt = { ...body, enterpriseNumber: '0000.000.000' };
  expect(errorOf(await signedIn.call('createCustomer', { body: misspelt, ...sent }))[0]).toBe(400);
  await signedIn.client.customers.archive(id);
  expect((await signedIn.call('createCustomer', { body, ...sent })).status).toBe(200);
});

test('D-43 operations without a key ignore one', async () => {
  const { status } = await signedIn.call('listBanks', { body: {}, ...withKey('not valid\t') });
  expect(status).toBe(200);
});

test('D-43 answers are deleted after 24 hours, and the key itself is never stored', async () => {
  const { knex } = signedIn.service;
  await knex('idempotent_answers').delete();
  const [old, recent] = [newKey(), newKey()];
  await signedIn.call('createCustomer', { body: newCustomer(), ...withKey(old) });
  await knex('idempotent_answers').update({
    created_on: knex.raw(`now() - interval '24 hours'`),
  });
  const { text } = await signedIn.call('createCustomer', {
    body: newCustomer(),
    ...withKey(recent),
  });
  expect(await deleteOldAnswers(knex).run()).toBe('done');
  const rows = await knex('idempotent_answers');
  expect(rows.map(({ answer }) => answer)).toEqual([text]);
  expect(JSON.stringify(rows)).not.toContain(recent);
});
