import { beforeEach, expect, test } from 'vitest';
import { createAnswerOnce, deleteOldAnswers } from '../../src/db/idempotent-calls.js';
import { createApiKeyStore } from '../../src/identity/api-keys.js';
import { createFirmStore } from '../../src/identity/firms.js';
import { createUserStore } from '../../src/identity/users.js';
import { knexForFile } from '../support/knex-for-file.js';
import { createdUser } from '../support/users.js';

const knex = await knexForFile();
const answerOnce = createAnswerOnce(knex);
const firms = createFirmStore(knex);
const { id: apiKeyId } = await createApiKeyStore(knex).issue({ partner: 'Tests', scopes: [] });
const { id: firmId } = await firms.create({ name: 'Kantoor', codbUpload: false });
const { id: userId } = createdUser(
  await createUserStore(knex).create({
    ...{ firmId, username: 'els@kantoor.example', passwordHash: 'x' },
    ...{ accessLevel: 'administrator', customers: 'all' },
  }),
);
const caller = { apiKey: { id: apiKeyId }, principal: { userId } };
const request = { path: {}, headers: { 'Idempotency-Key': 'a' }, body: { name: 'An effect' } };
const effects = () => knex('effects').pluck('name');

await knex.raw('create table effects (name text unique deferrable initially deferred)');
beforeEach(async () => {
  await knex('effects').delete();
  await knex('idempotent_answers').delete();
});

test('D-43 a call that fails after its effect leaves neither effect nor answer, and frees its key', async () => {
  const failing = answerOnce('createCustomer', request, caller, async (run) => {
    await run('effects').insert({ name: 'first' });
    throw new Error('The process fails');
  });
  await expect(failing).rejects.toThrow('The process fails');
  expect(await effects()).toEqual([]);
  const answer = await answerOnce('createCustomer', request, caller, async (run) => {
    await run('effects').insert({ name: 'second' });
    return { stored: true };
  });
  expect(answer).toEqual({ stored: true });
  expect(await effects()).toEqual(['second']);
});

test('D-43 a call that cannot be committed leaves neither effect nor answer', async () => {
  const failing = answerOnce('createCustomer', request, caller, async (run) => {
    await run('effects').insert([{ name: 'twice' }, { name: 'twice' }]);
    return {};
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await knex('idempotent_answers')).toEqual([]);
});

test('D-43 if the answer cannot be stored, there is no effect', async () => {
  const unknown = { ...caller, principal: { userId: 'f'.repeat(24) } };
  const call = answerOnce('createCustomer', request, unknown, async (run) => {
    await run('effects').insert({ name: 'first' });
    return {};
  });
  await expect(call).rejects.toMatchObject({ code: '23503' });
  expect(await effects()).toEqual([]);
});

test('D-43 a key is in use until its transaction ends, also if its connection is lost', async () => {
  let connection = 0;
  const lost = answerOnce('createCustomer', request, caller, async (run) => {
    const { rows } = await run.raw('select pg_backend_pid() as pid');
    connection = rows[0].pid;
    const second = answerOnce('createCustomer', request, caller, async () => ({}));
    await expect(second).rejects.toMatchObject({ code: 'idempotencyKeyInUse' });
    await knex.raw('select pg_terminate_backend(?, 60000)', [connection]);
    await run('effects').insert({ name: 'lost' });
    return {};
  });
  await expect(lost).rejects.toThrow('connection error');
  const answer = await answerOnce('createCustomer', request, caller, async () => ({ again: true }));
  expect([answer, await effects()]).toEqual([{ again: true }, []]);
});

test('D-43 old answers are deleted some at a time, until none are left', async () => {
  const insert = (count: number, age: string) =>
    knex.raw(
      `insert into idempotent_answers
       select ?, ?, sha256((n || ?)::bytea), sha256('x'), '{}', clock_timestamp() - ?::interval
         from generate_series(1, ?) n`,
      [apiKeyId, userId, age, age, count],
    );
  await insert(12_000, '25 hours');
  await insert(5, '23 hours');
  const work = deleteOldAnswers(knex);
  expect([await work.run(), await work.run()]).toEqual([true, false]);
  expect(await knex('idempotent_answers')).toHaveLength(5);
});
