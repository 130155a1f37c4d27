import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathOfKey } from '../../src/storage/embedded/object-path.js';
import { keysOf, newDataDir, openTestStorage, textOf } from './open-test-storage.js';

const bucket = 'adx-files';

/** Keys that are easily taken for others, or break lists, in the order of their bytes. */
const awkwardKeys = [
  'A.cod',
  'a b+c&d<e>"f"%2F=?#.cod',
  "a!'()*~,;:@$.cod",
  'a-b',
  'a.cod',
  'a/b',
  'a/b/c',
  `a/${'Lang'.repeat(60)}.cod`,
  // Names that are folded up into folders stand between others.
  'l'.repeat(200),
  `${'l'.repeat(200)}!`,
  `${'l'.repeat(200)}/x`,
  `${'l'.repeat(200)}0/y`,
  'a0',
  'é/relevé 2026 €.pdf',
  '\u{ffee}',
  '\u{1f4c4}.pdf',
].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));

test('storage: what is put is got, listed, copied and removed, whatever its key', async () => {
  const storage = await openTestStorage();
  for (const key of awkwardKeys) {
    await storage.store.put(bucket, key, Buffer.from(`bytes of ${key}`), 'text/plain');
  }
  expect(await keysOf(storage, bucket)).toEqual(awkwardKeys);
  for (const prefix of awkwardKeys) {
    const alike = awkwardKeys.filter((key) => key.startsWith(prefix));
    expect(await keysOf(storage, bucket, prefix)).toEqual(alike);
  }
  for (const key of awkwardKeys) {
    expect(await textOf(storage, bucket, key)).toBe(`bytes of ${key}`);
    await storage.store.copy({ bucket, key }, { bucket: 'adx-coda-uploads', key: `copy/${key}` });
    expect(await textOf(storage, 'adx-coda-uploads', `copy/${key}`)).toBe(`bytes of ${key}`);
    await storage.store.remove(bucket, key);
    await storage.store.remove(bucket, key);
    expect(await storage.store.get(bucket, key)).toBeUndefined();
  }
  expect(await keysOf(storage, bucket)).toEqual([]);
});

test('storage: a list has every object of a prefix, page after page, in the order of keys', async () => {
  const dataDir = newDataDir();
  const storage = await openTestStorage(dataDir);
  await storage.store.put(bucket, 'p/0', Buffer.from('x'), 'x/y');
  await storage.store.put(bucket, 'pq', Buffer.from('other'), 'x/y');
  // Thousands of files are copied sooner than put.
  const folder = join(dataDir, 'storage/objects/buckets', bucket, 'd-p');
  const keys = ['p/0'];
  for (let i = 1; i < 2_100; i += 1) {
    const isDeeper = i % 2 === 1;
    keys.push(isDeeper ? `p/${i}-x/y` : `p/${i}`);
    if (isDeeper) mkdirSync(join(folder, `d-${i}-x`));
    const name = isDeeper ? `d-${i}-x/o-y` : `o-${i}`;
    copyFileSync(join(folder, 'o-0'), join(folder, name));
  }
  const sorted = keys.sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  expect(await keysOf(storage, bucket, 'p/')).toEqual(sorted);
});

test('storage: an object is removed on condition of its ETag; another one stays', async () => {
  const storage = await openTestStorage();
  const { store } = storage;
  await store.put(bucket, 'k', Buffer.from('abc'), 'x/y');
  const abc = await store.head(bucket, 'k');
  expect(abc).toMatchObject({ key: 'k', size: 3, etag: '900150983cd24fb0d6963f7d28e17f72' });
  await store.put(bucket, 'k', Buffer.from('abcd'), 'x/y');
  await store.remove(bucket, 'k', { ifMatch: abc?.etag ?? '' });
  expect(await textOf(storage, bucket, 'k')).toBe('abcd');
  const abcd = await store.head(bucket, 'k');
  await store.remove(bucket, 'k', { ifMatch: abcd?.etag ?? '' });
  await store.remove(bucket, 'k', { ifMatch: abcd?.etag ?? '' });
  expect(await store.head(bucket, 'k')).toBeUndefined();
});

test('storage: what takes the place of an object while that is removed stays', async () => {
  const storage = await openTestStorage();
  const { store } = storage;
  for (let round = 0; round < 20; round += 1) {
    await store.put(bucket, 'k', Buffer.from('first'), 'x/y');
    const ifMatch = (await store.head(bucket, 'k'))?.etag ?? '';
    await Promise.all([
      store.remove(bucket, 'k', { ifMatch }),
      store.put(bucket, 'k', Buffer.from('second'), 'x/y'),
    ]);
    expect(await textOf(storage, bucket, 'k')).toBe('second');
  }
});

test('storage: keys that differ have files that differ, also where file systems take letters for one', () => {
  const keys = [
    'a',
    'A',
    '%41',
    '%61',
    'é',
    'e\u0301',
    'a/b',
    'a%2fb',
    'x'.repeat(200),
    'x'.repeat(201),
  ];
  const paths = keys.map((key) => pathOfKey(key).join('/'));
  expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(keys.length);
  for (const path of paths) expect(path).toMatch(/^[a-z0-9%._/-]+$/);
});

test('storage: an object has its size, its MD5 as ETag and its time', async () => {
  const storage = await openTestStorage();
  const before = Date.now();
  await storage.store.put(bucket, 'empty', new Uint8Array(), 'x/y');
  await storage.store.put(bucket, 'abc', Buffer.from('abc'), 'x/y');
  const listed = [];
  for await (const object of storage.store.list(bucket, '')) listed.push(object);
  const [abc, empty] = listed;
  expect(abc).toMatchObject({ key: 'abc', size: 3, etag: '900150983cd24fb0d6963f7d28e17f72' });
  expect(empty).toMatchObject({ key: 'empty', size: 0, etag: 'd41d8cd98f00b204e9800998ecf8427e' });
  expect(abc?.lastModified.getTime()).toBeGreaterThan(before - 2_000);
  expect(await textOf(storage, bucket, 'empty')).toBe('');
  expect(await storage.store.get(bucket, 'abc')).toMatchObject({ size: 3, etag: abc?.etag });
});

test('storage: who reads an object gets one version of it, also while it is replaced', async () => {
  const storage = await openTestStorage();
  const versions = ['a', 'b'].map((letter) => letter.repeat(3_000_000));
  await storage.store.put(bucket, 'k', Buffer.from(versions[0] ?? ''), 'x/y');
  const reads = Promise.all(Array.from({ length: 12 }, async () => textOf(storage, bucket, 'k')));
  for (let i = 0; i < 6; i += 1) {
    await storage.store.put(bucket, 'k', Buffer.from(versions[i % 2] ?? ''), 'x/y');
  }
  for (const text of await reads) expect(versions.includes(text ?? '')).toBe(true);
});

test('storage: objects and secrets lie in the data folder, closed to others', async () => {
  const dataDir = newDataDir();
  const storage = await openTestStorage(dataDir);
  await storage.store.put(bucket, 'k', Buffer.from('x'), 'x/y');
  const folder = join(dataDir, 'storage');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names).toContain('storage-secret');
  for (const name of ['.', ...names.filter((name) => !name.startsWith('storage.lock.'))]) {
    expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  }
});

test('storage: what a killed process left unfinished is never listed, and cleared at the next start', async () => {
  const dataDir = newDataDir();
  await (await openTestStorage(dataDir)).close();
  const unfinished = join(dataDir, 'storage/objects/unfinished');
  writeFileSync(join(unfinished, 'left'), 'half of a fi');
  const storage = await openTestStorage(dataDir);
  expect(readdirSync(unfinished)).toEqual([]);
  expect(await keysOf(storage, bucket)).toEqual([]);
});

test('storage: the check passes where every bucket is there', async () => {
  const storage = await openTestStorage();
  await expect(storage.check()).resolves.toBeUndefined();
});
