import { beforeEach, expect, test } from 'vitest';
import { createAnswerOnce, deleteOldAnswers } from '../../src/api/idempotent-calls.js';
import { planOf } from '../db/query-plan.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { knexForFile } from '../support/knex-for-file.js';
import { insertApiKey, insertFirm, insertUser } from '../support/rows.js';

const knex = await knexForFile();
const answerOnce = createAnswerOnce(knex);
const apiKeyId = await insertApiKey(knex);
const firmId = await insertFirm(knex);
const userId = await insertUser(knex, firmId);
const caller = { apiKey: { id: apiKeyId }, principal: { userId, firmId }, record: async () => {} };
const creation = { id: 'createCustomer', customerOf: () => 'customer' } as const;
const request = {
  path: {},
  query: {},
  headers: { 'Idempotency-Key': 'a' },
  body: { name: 'An effect' },
};
const answers = () => knex('idempotent_answers').pluck('answer');
const effects = () => knex('effects').pluck('name');

await knex.raw('create table effects (name text unique deferrable initially deferred)');
beforeEach(async () => {
  await knex('effects').delete();
  await knex('idempotent_answers').delete();
});

test('D-43 a call that fails after its effect leaves neither effect nor answer, and frees its key', async () => {
  const failing = answerOnce(creation, request, caller, async (run) => {
    await run('effects').insert({ name: 'first' });
    throw new Error('The process fails');
  });
  await expect(failing).rejects.toThrow('The process fails');
  expect(await effects()).toEqual([]);
  const answer = await answerOnce(creation, request, caller, async (run) => {
    await run('effects').insert({ name: 'second' });
    return { stored: true };
  });
  expect(answer).toEqual({ stored: true });
  expect(await effects()).toEqual(['second']);
});

test('D-43 a call that cannot be committed leaves neither effect nor answer', async () => {
  const failing = answerOnce(creation, request, caller, async (run) => {
    await run('effects').insert([{ name: 'twice' }, { name: 'twice' }]);
    return {};
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await knex('idempotent_answers')).toEqual([]);
});

test('D-43 if the answer cannot be stored, there is no effect', async () => {
  const unknown = { ...caller, principal: { userId: 'f'.repeat(24), firmId } };
  const call = answerOnce(creation, request, unknown, async (run) => {
    await run('effects').insert({ name: 'first' });
    return {};
  });
  await expect(call).rejects.toMatchObject({ code: '23503' });
  expect(await effects()).toEqual([]);
});

test('D-43 a key is in use until its transaction ends, also if its connection is lost', async () => {
  let connection = 0;
  const lost = answerOnce(creation, request, caller, async (run) => {
    const { rows } = await run.raw('select pg_backend_pid() as pid');
    connection = rows[0].pid;
    const second = answerOnce(creation, request, caller, async () => ({}));
    await expect(second).rejects.toMatchObject({ code: 'idempotencyKeyInUse' });
    await knex.raw('select pg_terminate_backend(?, 60000)', [connection]);
    await run('effects').insert({ name: 'lost' });
    return {};
  });
  // The error is that of the insert, or of the rollback if the driver knows of the loss before it.
  await expect(lost).rejects.toThrow(/connection (error|terminated)/i);
  const answer = await answerOnce(creation, request, caller, async () => ({ again: true }));
  expect([answer, await effects()]).toEqual([{ again: true }, []]);
});

test.each([
  ['operation', 'requestMandate', request],
  ['path', 'createCustomer', { ...request, path: { id: '1' } }],
  ['query', 'createCustomer', { ...request, query: { dryRun: true } }],
  ['body', 'createCustomer', { ...request, body: { name: 'Another effect' } }],
] as const)('D-43 a call with another %s is another call', async (_, operation, other) => {
  await answerOnce(creation, request, caller, async () => ({}));
  const reused = answerOnce({ ...creation, id: operation }, other, caller, async () => ({}));
  await expect(reused).rejects.toMatchObject({ code: 'idempotencyKeyReused' });
});

/** Stores answers of this age. */
const insert = (count: number, age: string) =>
  knex.raw(
    `insert into idempotent_answers
     select ?, ?, ?, sha256((n || ?)::bytea), sha256('x'), '{}', clock_timestamp() - ?::interval
       from generate_series(1, ?) n`,
    [firmId, apiKeyId, userId, age, age, count],
  );

test('D-43 old answers are deleted some at a time, until none are left', async () => {
  await insert(12_000, '25 hours');
  await insert(5, '23 hours');
  const work = deleteOldAnswers(knex);
  expect([await work.run(), await work.run()]).toEqual(['moreLeft', 'done']);
  expect(await answers()).toHaveLength(5);
});

test('D-43 old answers are found without reading the others', async () => {
  await insert(12_000, '23 hours');
  await knex.raw('analyze idempotent_answers');
  const plan = await planOf(knex, () => deleteOldAnswers(knex).run());
  expect(JSON.stringify(plan)).toContain('"Index Name":"idempotent_answers_by_age"');
});

test('D-43 the answer of a key that is used again while its old answer is deleted stays', async () => {
  await answerOnce(creation, request, caller, async () => ({ old: true }));
  await knex('idempotent_answers').update({
    created_on: knex.raw(`clock_timestamp() - interval '25 hours'`),
  });
  const trx = await knex.transaction();
  await createAnswerOnce(trx)(creation, request, caller, async () => ({ recent: true }));
  const deletion = deleteOldAnswers(knex).run();
  await waitUntilBlocked(knex);
  await trx.commit();
  await deletion;
  expect(await answers()).toEqual(['{"recent":true}']);
});
