import { expect, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { DAY } from '../../src/dates/brussels-day.js';
import type { Principal } from '../../src/identity/principal.js';
import { createUploadGrants, deleteUnusedGrants } from '../../src/uploads/upload-grants.js';
import { asAuthor } from '../support/as-author.js';
import { insertUser } from '../support/rows.js';
import { checkObjectOutcomes } from './object-outcomes.js';
import { codaFile, codbFile, enterpriseNumber } from './sample-files.js';
import {
  setUpAccount,
  setUpUploads,
  type Uploads,
  uploadTasks,
  withStore,
} from './set-up-uploads.js';

/** Creates a user of the firm who is not an administrator. */
async function newUser(
  { knex, principal: { firmId } }: Uploads,
  seesCustomers: 'all' | 'assigned',
): Promise<Principal> {
  const userId = await insertUser(knex, firmId, { sees_customers: seesCustomers });
  return { firmId, userId, accessLevel: 'user', seesCustomers };
}

test.each([
  ['confidential', 'all'],
  ['not assigned to the user', 'assigned'],
] as const)(
  '§5 rule 5, D-31 an upload for a customer that is %s is refused like one for an unknown account',
  async (kind, sees) => {
    const work = await setUpUploads();
    const user = await newUser(work, sees);
    const [seen, unseen, unknown] = [newIban(), newIban(), newIban()];
    const number = enterpriseNumber();
    const own = await work.create({ ibans: [seen] });
    const others = await work.create({ ibans: [unseen] }, { enterprise_number: number });
    if (kind === 'confidential') {
      await work.knex('customers').where({ id: others }).update({ is_confidential: true });
    } else {
      const { userId: user_id, firmId: firm_id } = user;
      await work.knex('user_customers').insert({ user_id, firm_id, customer_id: own });
    }
    const prefix = await work.grant('CODA', user);
    const codbPrefix = await work.grant('CODB', user);
    await work.upload('CODA', `${prefix}/seen.cod`, codaFile({ iban: seen }));
    await work.upload('CODA', `${prefix}/unseen.cod`, codaFile({ iban: unseen }));
    await work.upload('CODA', `${prefix}/unknown.cod`, codaFile({ iban: unknown }));
    await work.upload('CODB', `${codbPrefix}/unseen.xml`, codbFile({ enterpriseNumber: number }));
    await work.readAll();
    expect((await work.files()).map(({ customer_id }) => customer_id)).toEqual([own]);
    const uploads = await work.uploads();
    const findingsOf = (name: string) =>
      uploads.find(({ object_key }) => object_key.endsWith(name))?.findings;
    const refused = JSON.stringify(findingsOf('/unseen.cod'));
    expect(refused).toBe(JSON.stringify(findingsOf('/unknown.cod')).replaceAll(unknown, unseen));
    expect(findingsOf('/unseen.xml')).toMatchObject([{ code: 'unknownEnterprise' }]);

    // The same statements, uploaded by a user who sees the customer.
    await work.upload('CODA', 'unseen.cod', codaFile({ iban: unseen }));
    await work.readAll();
    expect(await work.files()).toHaveLength(2);
  },
);

test('D-31 if two partners put a file of the same name between two scans, both files are read', async () => {
  const work = await setUpUploads();
  const [iban, other] = [newIban(), newIban()];
  await work.create({ ibans: [iban, other] });
  const [one, two] = [await work.grant('CODA'), await work.grant('CODA')];
  await work.upload('CODA', `${one}/CODA.txt`, codaFile({ iban }));
  await work.upload('CODA', `${two}/CODA.txt`, codaFile({ iban: other }));
  await work.readAll();
  expect(await work.files()).toHaveLength(2);
  const grants = await work
    .knex('uploads as u')
    .join('upload_grants as g', { 'g.id': 'u.grant_id', 'g.firm_id': 'u.firm_id' });
  expect(grants.map(({ prefix }) => prefix).sort()).toEqual([one, two].sort());
});

test('D-31 an upload is read with the access level at the issue of its grant, and with the current assignments', async () => {
  const work = await setUpUploads();
  const { knex } = work;
  const user = await newUser(work, 'assigned');
  const { firmId: firm_id, userId: user_id } = user;
  const [iban, confidential] = [newIban(), newIban()];
  const customer_id = await work.create({ ibans: [iban] });
  const hidden = await work.create({ ibans: [confidential] });
  await knex('customers').where({ id: hidden }).update({ is_confidential: true });
  const prefix = await work.grant('CODA', user);
  await knex('users').where({ id: user_id }).update({ access_level: 'administrator' });
  for (const id of [customer_id, hidden]) {
    await knex('user_customers').insert({ user_id, firm_id, customer_id: id });
  }
  const bytes = codaFile({ iban }, { iban: confidential });
  await work.upload('CODA', `${prefix}/a.cod`, bytes);
  await work.readAll();
  expect(await work.files()).toMatchObject([{ customer_id }]);
});

test('D-63 no upload credentials are issued once the firm is disabled, also by a call that was running', async () => {
  const { knex, storage, principal, apiKeyId, now } = await setUpUploads();
  const issued = await knex('upload_grants').orderBy('id');
  const grants = createUploadGrants({
    ...{ knex, buckets: storage.buckets, now },
    async issueUploadCredentials(target) {
      await knex('firms').where({ id: principal.firmId }).update({ disabled_on: new Date() });
      return storage.issueUploadCredentials(target);
    },
  });
  await expect(grants.issue('CODA', { ...asAuthor(principal), apiKeyId })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await knex('upload_grants').orderBy('id')).toEqual(issued);
});

test('D-31 an unused grant is deleted a day after it expires; a used one stays', async () => {
  const { work, iban } = await setUpAccount();
  await work.upload('CODA', 'a.cod', codaFile({ iban }));
  await work.readAll();
  const issued = await work.knex('upload_grants').orderBy('id');
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await deleteUnusedGrants(work.knex, later(24.9));
  expect(await work.knex('upload_grants')).toHaveLength(issued.length);
  await deleteUnusedGrants(work.knex, later(25.1));
  expect(await work.knex('upload_grants')).toMatchObject([{ product: 'CODA' }]);
});

test('D-31 no grant is deleted while the buckets cannot be scanned, since its upload may not be recorded yet', async () => {
  const work = await setUpUploads();
  await work.knex('upload_grants').update({ issued_on: new Date(Date.now() - 7 * DAY) });
  const issued = await work.knex('upload_grants');
  const cleanUp = (dependencies: Uploads) => uploadTasks(dependencies).cleanUp.run();
  const changed = withStore(work, {
    list() {
      throw new Error('away');
    },
  });
  await expect(cleanUp(changed)).rejects.toThrow('unused grants');
  expect(await work.knex('upload_grants')).toEqual(issued);
  await cleanUp(work);
  expect(await work.knex('upload_grants')).toEqual([]);
});

test('D-31 no grant is deleted while a scan passes over uploads of a firm', async () => {
  const work = await setUpUploads();
  for (const name of ['a.cod', 'b.cod']) await work.upload('CODA', name, Buffer.from('x'));
  await work.knex('upload_grants').update({ issued_on: new Date(Date.now() - 7 * DAY) });
  const issued = await work.knex('upload_grants').orderBy('id').pluck('id');
  const cleanUp = (maxWaiting: number) => uploadTasks(work, { maxWaiting }).cleanUp.run();
  await cleanUp(1);
  expect(await work.knex('upload_grants').orderBy('id').pluck('id')).toEqual(issued);
  await cleanUp(3);
  expect(await work.knex('upload_grants')).toHaveLength(1);
});

test('D-31 every object that the storage accepted has an outcome, unless an object of the same grant replaced it', async () => {
  const { listed, replaced } = await checkObjectOutcomes(3, 40);
  expect(listed).toBeGreaterThan(5);
  expect(replaced).toBeGreaterThan(0);
});
