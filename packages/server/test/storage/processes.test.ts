import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { programPath } from '../support/program-path.js';
import { keysOf, newDataDir, openTestStorage, textOf, upload } from './open-test-storage.js';
import { sendSigned } from './send-signed.js';

/** Starts another process that uses the storage; resolves when it does. */
async function startUser(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [programPath('storage-user'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no output');
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the process ended early'))),
  ]);
  return { child, url };
}

async function end(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  if (signal === undefined) child.stdin?.end();
  else child.kill(signal);
  const [code] = await ended;
  return code;
}

test('storage: processes of one data folder share one storage, and its keys', async () => {
  const dataDir = newDataDir();
  const storage = await openTestStorage(dataDir);
  const { child, url } = await startUser(dataDir);
  expect(url).toBe(storage.url);
  expect(await keysOf(storage, 'adx-files')).toEqual([`of-${child.pid}`]);
  expect(await end(child)).toBe(0);
  await expect(storage.check()).resolves.toBeUndefined();
});

test.each([
  ['ends', undefined],
  ['is killed', 'SIGKILL' as const],
])(
  'storage: where the process that runs it %s, another goes on at the same address',
  async (_how, signal) => {
    const dataDir = newDataDir();
    const { child, url } = await startUser(dataDir);
    const storage = await openTestStorage(dataDir);
    expect(storage.url).toBe(url);
    const keys = await storage.issueUploadCredentials(upload, new Date());
    await end(child, signal);
    await expect
      .poll(() =>
        storage.check().then(
          () => 'there',
          () => 'gone',
        ),
      )
      .toBe('there');
    expect(await keysOf(storage, 'adx-files')).toEqual([`of-${child.pid}`]);
    const path = `/${upload.bucket}/${upload.prefix}/a.cod`;
    const answer = await sendSigned(storage, keys, { method: 'PUT', path, body: 'x' });
    expect(answer.status).toBe(200);
  },
);

test('storage: processes that start at the same time end up with one storage', async () => {
  const dataDir = newDataDir();
  const users = await Promise.all([1, 2, 3].map(() => startUser(dataDir)));
  expect(new Set(users.map(({ url }) => url)).size).toBe(1);
  const storage = await openTestStorage(dataDir);
  expect(await keysOf(storage, 'adx-files')).toHaveLength(3);
  expect(await Promise.all(users.map(({ child }) => end(child)))).toEqual([0, 0, 0]);
});

test('storage: users that open it at the same moment get one storage', async () => {
  const dataDir = newDataDir();
  const users = await Promise.all([1, 2, 3, 4].map(() => openTestStorage(dataDir)));
  expect(new Set(users.map(({ url }) => url)).size).toBe(1);
});

test('storage: what was stored is there after a restart, at the same address, for the same keys', async () => {
  const dataDir = newDataDir();
  const first = await openTestStorage(dataDir);
  await first.store.put('adx-files', 'k', Buffer.from('kept'), 'x/y');
  const url = first.presign({ key: 'k', fileName: 'k.cod' }, new Date());
  await first.close();
  await expect(fetch(url)).rejects.toThrow();
  const second = await openTestStorage(dataDir);
  expect(second.url).toBe(first.url);
  expect(await textOf(second, 'adx-files', 'k')).toBe('kept');
  expect(await (await fetch(url)).text()).toBe('kept');
});

test('storage: a port that another program has is named, and nothing is left behind', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const dataDir = newDataDir();
  await expect(openTestStorage(dataDir, { STORAGE_PORT: String(port) })).rejects.toThrow(
    `The port ${port} of the object storage is taken: set STORAGE_PORT`,
  );
  await expect((await openTestStorage(dataDir)).check()).resolves.toBeUndefined();
});
