import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { newPrincipal } from '../mandates/linked-customer.js';
import { takeNodeAway } from '../support/node-away.js';
import { grantOfTenant, setUpUploads } from './set-up-uploads.js';

test('D-72 a scan records the uploads of all firms but those of a node that does not respond, and theirs once it does', async () => {
  const work = await setUpUploads();
  const other = await newPrincipal(work.knex);
  const prefix = await work.grant('CODA', other);
  await work.upload('CODA', 'ours.cod', Buffer.from('a'));
  await work.upload('CODB', 'ours.xml', Buffer.from('b'));
  await work.upload('CODA', `${prefix}/theirs.cod`, Buffer.from('c'));
  await work.upload('CODA', `${prefix}/theirs-too.cod`, Buffer.from('c'));
  await work.upload('CODA', 'uploads/nobody/nothing.cod', Buffer.from('d'));
  const names = async () => {
    const uploads = await work.uploads();
    return uploads.map(({ object_key }) => object_key.split('/').at(-1)).toSorted();
  };
  const { nodes, tries, restore } = await takeNodeAway(work, 'uploads', other.firmId);
  const scan = () => scanUploads({ ...work, nodes, maxWaiting: 1 }, work.now());
  for (let scans = 0; scans < 2; scans += 1) {
    await expect(scan()).rejects.toThrow('No response from node 2');
    expect(await names()).toEqual(['nothing.cod', 'ours.cod', 'ours.xml']);
  }
  // However many batches have some: a node that hangs would take its time for each.
  expect(await tries()).toBeLessThanOrEqual(1);
  expect(await work.knex('graphile_worker.jobs').pluck('key')).toHaveLength(3);
  await restore();
  await eventually(async () => nodes.isWhole());
  expect(await scanUploads({ ...work, nodes }, work.now())).toBe(true);
  expect(await names()).toEqual([
    ...['nothing.cod', 'ours.cod', 'ours.xml'],
    ...['theirs-too.cod', 'theirs.cod'],
  ]);
});

test('D-38 workers share a scan of many objects: each is recorded by one part', async () => {
  const work = await setUpUploads();
  const keys: string[] = [];
  for (let firm = 10; firm < 30; firm += 1) {
    const prefix = await grantOfTenant(work, `${firm}`);
    keys.push(await work.upload('CODA', `${prefix}/a.cod`, Buffer.from('a')));
  }
  const rests: (object | undefined)[] = [undefined];
  const share = async (rest: object) => rests.push(rest) > 0;
  const recorded = async () => (await work.uploads()).length;
  const ofParts: number[] = [];
  for (const rest of rests) {
    const before = await recorded();
    // A part would take all if the next one were busy.
    await scanUploads({ ...work, maxWaiting: 3 }, work.now(), { rest, share });
    ofParts.push((await recorded()) - before);
  }
  expect((await work.uploads()).map(({ object_key }) => object_key).sort()).toEqual(keys);
  expect(ofParts.length).toBeGreaterThan(3);
  expect(Math.max(...ofParts)).toBeLessThan(12);
  await scanUploads({ ...work, maxWaiting: 3 }, work.now(), {
    rest: undefined,
    share: async () => false,
  });
  expect(await recorded()).toBe(keys.length);
});
