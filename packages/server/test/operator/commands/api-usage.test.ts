import { expect, test } from 'vitest';
import { createApiKeyStore } from '../../../src/identity/api-keys.js';
import { addUsage } from '../../../src/usage/usage-store.js';
import { operatorForFile } from '../operator-for-file.js';

const { knex, run, json } = await operatorForFile();

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/**
 * Issues an API key that has called `searchMandates` twice today and once yesterday, twice with a
 * sort order, and `listBanks` 90 days ago.
 */
async function newUsedKey(partner: string): Promise<string> {
  const { id: apiKeyId } = await createApiKeyStore(knex).issue({ partner, scopes: [] });
  const search = { day: day(0), apiKeyId, operation: 'searchMandates', field: '', value: '' };
  const sort = { ...search, day: day(1), field: 'body.sort' };
  await addUsage(knex, [
    { ...search, calls: 2 },
    { ...search, day: day(1), calls: 1 },
    { ...sort, calls: 2 },
    { ...sort, value: '"status"', calls: 1 },
    { ...sort, value: '""', calls: 1 },
    { ...search, day: day(89), operation: 'helloWorld', calls: 1 },
    { ...search, day: day(90), operation: 'listBanks', calls: 3 },
  ]);
  return apiKeyId;
}

test('D-41 before the first call, usage prints today and no use', async () => {
  expect(await json('usage')).toEqual({ from: day(0), to: day(0), uses: [] });
});

test('D-41 usage prints who used what in the last 90 days, as JSON and as a table', async () => {
  const apiKey = await newUsedKey('Pakket');
  const of = { partner: 'Pakket', apiKey };
  const sort = { ...of, operation: 'searchMandates', field: 'body.sort', lastUsed: day(1) };
  expect(await json('usage')).toEqual({
    ...{ from: day(89), to: day(0) },
    uses: [
      { ...of, operation: 'helloWorld', calls: 1, lastUsed: day(89) },
      { ...of, operation: 'searchMandates', calls: 3, lastUsed: day(0) },
      { ...sort, calls: 2 },
      { ...sort, value: '', calls: 1 },
      { ...sort, value: 'status', calls: 1 },
    ],
  });
  const { exitCode, stdout, stderr } = await run('usage');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const cells = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(cells).toEqual([
    ['PARTNER', 'API KEY', 'OPERATION', 'FIELD', 'VALUE', 'CALLS', 'LAST USED'],
    ['Pakket', apiKey, 'helloWorld', '1', day(89)],
    ['Pakket', apiKey, 'searchMandates', '3', day(0)],
    ['Pakket', apiKey, 'searchMandates', 'body.sort', '2', day(1)],
    ['Pakket', apiKey, 'searchMandates', 'body.sort', '""', '1', day(1)],
    ['Pakket', apiKey, 'searchMandates', 'body.sort', 'status', '1', day(1)],
    [`Calls from ${day(89)} to ${day(0)}, in UTC.`],
    [''],
  ]);
});

test('D-41 usage --operation and --days restrict what is printed, and nothing is said plainly', async () => {
  const [apiKey] = [await newUsedKey('Boekhouding'), await newUsedKey('Aboss')];
  const partners = (await json('usage')).uses.map((each: { partner: string }) => each.partner);
  expect(partners).toEqual(partners.toSorted());
  const own = async (...options: string[]) =>
    (await json('usage', ...options)).uses.filter(
      (each: { apiKey: string }) => each.apiKey === apiKey,
    );
  expect(await own('--operation', 'listBanks')).toEqual([]);
  expect(await own('--operation', 'listBanks', '--days', '91')).toEqual([
    { partner: 'Boekhouding', apiKey, operation: 'listBanks', calls: 3, lastUsed: day(90) },
  ]);
  expect(await own('--days', '1')).toMatchObject([{ operation: 'searchMandates', calls: 2 }]);
  expect(await json('usage', '--operation', 'archiveCustomer')).toEqual({
    ...{ from: day(89), to: day(0), operation: 'archiveCustomer', uses: [] },
  });
  // The counts begin later than the period that is asked for.
  expect(await json('usage', '--days', '400')).toMatchObject({ from: day(90), to: day(0) });
  const { stdout } = await run('usage', '--operation', 'archiveCustomer');
  expect(stdout).toBe(`None.\nCalls from ${day(89)} to ${day(0)}, in UTC.\n`);
});

test('D-41 the use of an API key that got a new secret stays its own', async () => {
  const apiKey = await newUsedKey('Gewisseld');
  const own = async () =>
    (await json('usage')).uses.filter((each: { partner: string }) => each.partner === 'Gewisseld');
  const before = await own();
  await json('api-key', 'rotate', apiKey);
  expect(await own()).toEqual(before);
  expect(before.length).toBe(5);
  await json('api-key', 'revoke', apiKey);
  expect(await own()).toEqual(before);
});
