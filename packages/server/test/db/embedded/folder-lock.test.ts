import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withFolderLock } from '../../../src/db/embedded/folder-lock.js';
import { isRunning, ownMark } from '../../../src/db/embedded/process-mark.js';
import { newFolder } from './embedded-folder.js';

function leaveLock(folder: string, mark: { pid: number; startMark: string } | ''): void {
  writeFileSync(join(folder, 'embedded-postgres.lock.1'), mark && JSON.stringify(mark));
}

test('embedded PostgreSQL: work under the lock of a folder never overlaps', async () => {
  const folder = newFolder();
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, () =>
      withFolderLock(folder, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(1);
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('embedded PostgreSQL: a lock is free again after work that failed', async () => {
  const folder = newFolder();
  const failing = withFolderLock(folder, () => Promise.reject(new Error('on purpose')));
  await expect(failing).rejects.toThrow('on purpose');
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
});

test('embedded PostgreSQL: the lock of a process that ended is taken over, by one at a time', async () => {
  const folder = newFolder();
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  const { pid = 0 } = ended;
  await once(ended, 'exit');
  leaveLock(folder, { pid, startMark: '1' });
  const order: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      withFolderLock(folder, async () => {
        order.push(name);
        await sleep(5);
        order.push(name);
      }),
    ),
  );
  expect(order.filter((name, i) => name === order[i + 1]).length).toBe(3);
});

test('embedded PostgreSQL: a lock is not held by a later process with the same number', async () => {
  const folder = newFolder();
  leaveLock(folder, { pid: process.pid, startMark: 'earlier' });
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
});

test('embedded PostgreSQL: a lock that is being written is respected', async () => {
  const folder = newFolder();
  leaveLock(folder, '');
  const waiting = withFolderLock(folder, async () => existsSync(join(folder, 'released')));
  await sleep(100);
  writeFileSync(join(folder, 'released'), '');
  writeFileSync(join(folder, 'embedded-postgres.lock.1'), 'released');
  expect(await waiting).toBe(true);
});

test('embedded PostgreSQL: a process is told from an earlier one with the same number', () => {
  expect(isRunning(ownMark())).toBe(true);
  expect(isRunning({ ...ownMark(), startMark: 'earlier' })).toBe(false);
});
