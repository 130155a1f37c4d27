import { expect, test } from 'vitest';
import { findFreePort } from '../../packages/sandbox/src/free-port.js';
import { isAlive, newFolder } from '../../packages/sandbox/test/postgres-folder.js';
import { copyRepository, startDev } from './support/running-dev.js';

test('dev: npm run dev leaves no process behind when it is interrupted early, or killed', async () => {
  const root = copyRepository();
  const dataDir = newFolder();
  for (const moment of [/^spec: checking$/m, /^types: checking$/m, /^sandbox: starting$/m]) {
    const dev = startDev(root, dataDir, await findFreePort());
    await dev.afterwards(() => {}, moment);
    const processes = dev.started();
    await dev.stop('SIGINT');
    await expect.poll(() => [...processes, ...dev.started()].filter(isAlive)).toEqual([]);
  }

  const killed = startDev(root, dataDir, await findFreePort());
  await killed.afterwards(() => {}, /^sandbox: running at /m);
  const processes = killed.started();
  expect(processes.length).toBeGreaterThan(4);
  await killed.stop('SIGKILL');
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
});
