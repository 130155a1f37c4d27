import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { createUploadGrants } from '../../src/uploads/upload-grants.js';
import { keysOf, partnerClient } from '../storage/open-test-storage.js';
import { asAuthor } from '../support/as-author.js';
import { seededRandom } from '../support/seeded-random.js';
import { failAt } from './killed/fail-at-call.js';
import { changed, codaFile } from './sample-files.js';
import { readById, setUpUploads } from './set-up-uploads.js';

/**
 * Simulates partners that put valid and invalid objects, often under the same names, while workers
 * read the uploads. Two of the three workers are killed at a random call of the storage.
 *
 * Asserts that in the end every object that the storage accepted has an outcome under its own
 * grant, unless the same grant replaced it before it was read; that nothing is listed twice; and
 * that no object is left in the bucket.
 *
 * @returns the numbers of objects put, of objects replaced unread, and of listed statements
 */
export async function checkObjectOutcomes(seed: number, puts: number) {
  const random = seededRandom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const work = await setUpUploads();
  const { knex, storage, principal, apiKeyId } = work;
  const iban = newIban();
  await work.create({ ibans: [iban] });
  const grants = createUploadGrants({ knex, ...storage, now: () => new Date() });
  const partners = [];
  for (let i = 0; i < 2; i += 1) {
    const issued = await grants.issue('CODA', { ...asAuthor(principal), apiKeyId });
    const { prefix, ...credentials } = issued === 'notAllowed' ? expect.fail() : issued;
    partners.push({ prefix, client: partnerClient(storage, credentials) });
  }
  const names = ['CODA.txt', 'CODA.txt', 'a b/ü+é.cod', `%2e${'x'.repeat(300)}`, '\u202ecod.exe'];
  const contents = [
    () => codaFile({ iban, number: 1 + pick(60) }),
    () => codaFile({ iban, number: 1 + pick(60) }, { iban: newIban() }),
    () => changed(codaFile({ iban }), '000000012500', '000000012501'),
    () => Buffer.alloc(0),
    () => Buffer.from(`${random()}`),
  ];

  /** The accepted objects, in the order in which they were put. */
  const accepted: { readonly key: string; readonly id: string; readonly scans: number }[] = [];
  /** The number of complete scans. */
  let scans = 0;
  const Bucket = storage.buckets.codaUploads;
  for (let i = 0; i < puts; i += 1) {
    const { prefix, client } = partners[pick(partners.length)] ?? expect.fail();
    const key = `${prefix}/${names[pick(names.length)]}`;
    const bytes = contents[pick(contents.length)]?.() ?? expect.fail();
    const { ETag = '' } = await client.send(
      new PutObjectCommand({ Bucket, Key: key, Body: bytes }),
    );
    accepted.push({ key, scans, id: idOf(key, ETag.replaceAll('"', '')) });
    if (random() < 0.3) {
      const call = 1 + pick(30);
      const worker = pick(3) > 0 ? failAt(work, call, pick(2) > 0 ? 'before' : 'after') : work;
      const read = work.readAll(worker);
      if (
        await read.then(
          () => true,
          () => false,
        )
      )
        scans += 1;
    }
  }
  await work.readAll();
  // A scan removes uploads that killed workers left behind, after a minute.
  await scanUploads(work, new Date(Date.now() + 61_000));
  for (const { id } of await work.uploads()) await readById(work, id);

  const uploads = await knex('uploads as u')
    .leftJoin('upload_grants as g', { 'g.id': 'u.grant_id', 'g.firm_id': 'u.firm_id' })
    .select('u.*', 'g.prefix');
  const outcomes = new Map(uploads.map((each) => [idOf(each.object_key, each.etag), each]));
  for (const [id, { status, prefix, object_key }] of outcomes) {
    expect(['processed', 'rejected'], `seed ${seed}: ${id}`).toContain(status);
    expect(object_key.startsWith(`${prefix}/`), `seed ${seed}: ${id}`).toBe(true);
  }
  expect(await keysOf(storage, 'codaUploads'), `seed ${seed}`).toEqual([]);
  const files = await work.files();
  const hashes = files.map(({ content_hash }) => content_hash.toString('hex'));
  expect(new Set(hashes).size, `seed ${seed}: listed twice`).toBe(files.length);

  const replaced = accepted.filter(({ id }) => !outcomes.has(id));
  for (const { key, id, scans: before } of replaced) {
    const next = accepted.findIndex((each) => each.id === id && each.scans === before) + 1;
    const later = accepted.slice(next).find((each) => each.key === key);
    expect(later?.scans, `seed ${seed}: ${id} was neither read nor replaced`).toBe(before);
  }
  return { accepted: accepted.length, replaced: replaced.length, listed: files.length };
}

function idOf(key: string, etag: string): string {
  return `${key} ${etag}`;
}
