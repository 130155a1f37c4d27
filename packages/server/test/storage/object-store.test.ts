import { expect, test } from 'vitest';
import { keysOf, openTestStorage, textOf } from './open-test-storage.js';

/** Keys that are easily confused or hard to list, in the order of their bytes. */
const awkwardKeys = [
  'A.cod',
  'a b+c&d<e>"f"%2F=?#.cod',
  "a!'()*~,;:@$.cod",
  'a-b',
  'a.cod',
  'a/b',
  'a/b/c',
  `a/${'Lang'.repeat(60)}.cod`,
  // Common prefixes sort between keys.
  'l'.repeat(200),
  `${'l'.repeat(200)}!`,
  `${'l'.repeat(200)}/x`,
  `${'l'.repeat(200)}0/y`,
  'a0',
  'é/relevé 2026 €.pdf',
  '\u{ffee}',
  '\u{1f4c4}.pdf',
].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));

async function openBucket() {
  const storage = await openTestStorage();
  return { storage, store: storage.store, bucket: storage.buckets.files };
}

test('storage: objects with any key are stored, read, listed, copied and removed', async () => {
  const { storage, store, bucket } = await openBucket();
  for (const key of awkwardKeys) {
    await store.put(bucket, key, Buffer.from(`bytes of ${key}`), 'text/plain');
  }
  expect(await keysOf(storage, 'files')).toEqual(awkwardKeys);
  for (const prefix of awkwardKeys) {
    const alike = awkwardKeys.filter((key) => key.startsWith(prefix));
    expect(await keysOf(storage, 'files', prefix)).toEqual(alike);
  }
  for (const key of awkwardKeys) {
    expect(await textOf(storage, 'files', key)).toBe(`bytes of ${key}`);
    const copy = { bucket: storage.buckets.codaUploads, key: `copy/${key}` };
    const etag = (await store.find(bucket, key))?.etag ?? '';
    await store.copy({ bucket, key, etag: 'another' }, copy);
    expect(await store.get(copy.bucket, copy.key)).toBeUndefined();
    await store.copy({ bucket, key, etag }, copy);
    expect(await textOf(storage, 'codaUploads', `copy/${key}`)).toBe(`bytes of ${key}`);
    await store.remove(bucket, key);
    await store.remove(bucket, key);
    expect(await store.get(bucket, key)).toBeUndefined();
    // The copy of an object that was removed does nothing.
    await store.copy({ bucket, key, etag }, copy);
  }
  expect(await keysOf(storage, 'files')).toEqual([]);
});

test('storage: a list has all objects of a prefix by key, across pages', {
  tags: 'long',
}, async () => {
  const { storage, store, bucket } = await openBucket();
  await store.put(bucket, 'pq', Buffer.from('other'), 'x/y');
  const keys = Array.from({ length: 1_100 }, (_, i) => (i % 2 === 1 ? `p/${i}-x/y` : `p/${i}`));
  for (let from = 0; from < keys.length; from += 50) {
    const some = keys.slice(from, from + 50);
    await Promise.all(some.map((key) => store.put(bucket, key, Buffer.from('x'), 'x/y')));
  }
  const sorted = keys.sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  expect(await keysOf(storage, 'files', 'p/')).toEqual(sorted);
});

test('storage: a list starts after any key, whether it exists or not', async () => {
  const { store, buckets } = await openTestStorage();
  for (const key of awkwardKeys) await store.put(buckets.files, key, Buffer.from('x'), 'x/y');
  for (const startAfter of [...awkwardKeys, 'a/', 'zz']) {
    const keys: string[] = [];
    for await (const { key } of store.list(buckets.files, '', startAfter)) keys.push(key);
    const later = (key: string) => Buffer.compare(Buffer.from(key), Buffer.from(startAfter)) > 0;
    expect(keys).toEqual(awkwardKeys.filter(later));
  }
});

test('storage: an object is found by its whole key', async () => {
  const { store, bucket } = await openBucket();
  for (const key of ['a/b c', 'a/b cd', 'a/b d'])
    await store.put(bucket, key, Buffer.from(key), 'x/y');
  expect(await store.find(bucket, 'a/b')).toBeUndefined();
  expect(await store.find(bucket, 'a/b c')).toMatchObject({ key: 'a/b c', size: 5 });
  expect(await store.find(bucket, 'a/b d')).toMatchObject({ key: 'a/b d' });
  expect(await store.find(bucket, 'a/b e')).toBeUndefined();
});

test('storage: a removal with an ETag leaves an object with another ETag', async () => {
  const { storage, store, bucket } = await openBucket();
  await store.put(bucket, 'k', Buffer.from('abc'), 'x/y');
  const abc = await store.find(bucket, 'k');
  expect(abc).toMatchObject({ key: 'k', size: 3 });
  await store.put(bucket, 'k', Buffer.from('abcd'), 'x/y');
  await store.remove(bucket, 'k', { ifMatch: abc?.etag ?? '' });
  expect(await textOf(storage, 'files', 'k')).toBe('abcd');
  const abcd = await store.find(bucket, 'k');
  await store.remove(bucket, 'k', { ifMatch: abcd?.etag ?? '' });
  await store.remove(bucket, 'k', { ifMatch: abcd?.etag ?? '' });
  expect(await store.find(bucket, 'k')).toBeUndefined();
});

test('storage: an object that replaces another during its removal stays', async () => {
  const { storage, store, bucket } = await openBucket();
  for (let round = 0; round < 20; round += 1) {
    await store.put(bucket, 'k', Buffer.from('first'), 'x/y');
    const ifMatch = (await store.find(bucket, 'k'))?.etag ?? '';
    await Promise.all([
      store.remove(bucket, 'k', { ifMatch }),
      store.put(bucket, 'k', Buffer.from('second'), 'x/y'),
    ]);
    expect(await textOf(storage, 'files', 'k')).toBe('second');
  }
});

test('storage: an object has its size, an ETag that may be no MD5, and its time', async () => {
  const { storage, store, bucket } = await openBucket();
  const before = Date.now();
  await store.put(bucket, 'empty', new Uint8Array(), 'x/y');
  await store.put(bucket, 'abc', Buffer.from('abc'), 'x/y');
  const listed = [];
  for await (const object of store.list(bucket, '')) listed.push(object);
  const [abc, empty] = listed;
  expect(abc).toMatchObject({ key: 'abc', size: 3 });
  expect(empty).toMatchObject({ key: 'empty', size: 0 });
  expect(abc?.etag).toMatch(/^[^"]+$/);
  expect(abc?.etag).not.toBe(empty?.etag);
  expect(abc?.lastModified.getTime()).toBeGreaterThan(before - 2_000);
  expect(await textOf(storage, 'files', 'empty')).toBe('');
  expect(await store.get(bucket, 'abc')).toMatchObject({ size: 3, etag: abc?.etag });
});

test('storage: a reader gets one version of an object, also while it is replaced', async () => {
  const { storage, store, bucket } = await openBucket();
  const versions = ['a', 'b'].map((letter) => letter.repeat(3_000_000));
  await store.put(bucket, 'k', Buffer.from(versions[0] ?? ''), 'x/y');
  const reads = Promise.all(Array.from({ length: 12 }, async () => textOf(storage, 'files', 'k')));
  for (let i = 0; i < 6; i += 1) {
    await store.put(bucket, 'k', Buffer.from(versions[i % 2] ?? ''), 'x/y');
  }
  for (const text of await reads) expect(versions.includes(text ?? '')).toBe(true);
});
