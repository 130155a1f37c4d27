import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchSources } from '../src/dev/watch-sources.js';

/** Watches a new folder with one file, `src/a.ts`, but not what is in `mine`. */
function watchNewFolder() {
  const root = mkdtempSync(join(tmpdir(), 'adx-watch-'));
  const interrupt = new AbortController();
  onTestFinished(() => {
    interrupt.abort();
    rmSync(root, { recursive: true });
  });
  const write = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'text');
  };
  write('src/a.ts');
  const changes: string[] = [];
  watchSources(root, join(root, 'mine'), interrupt.signal, (path) => changes.push(path));
  return {
    root,
    write,
    changes,
    /** Expects that a path is reported after an action. */
    async reports(path: string, action: () => void) {
      changes.length = 0;
      action();
      await expect.poll(() => changes).toContain(path);
    },
  };
}

test('sandbox: npm run dev sees each save, also by editors that replace the file', async () => {
  const { root, write, reports } = watchNewFolder();
  await reports('src/a.ts', () => write('src/a.ts'));
  for (let save = 0; save < 3; save += 1) {
    await reports('src/a.ts', () => {
      write('src/.a.ts.swp');
      renameSync(join(root, 'src/.a.ts.swp'), join(root, 'src/a.ts'));
    });
  }
  await reports('src/a.ts', () => rmSync(join(root, 'src/a.ts')));
});

test('sandbox: npm run dev sees files in new folders, and in folders that have been replaced', async () => {
  const { root, write, reports } = watchNewFolder();
  await reports('src/new/below/b.ts', () => write('src/new/below/b.ts'));
  await reports('src/new/below/b.ts', () => write('src/new/below/b.ts'));
  await reports('src/new', () => rmSync(join(root, 'src/new'), { recursive: true }));
  await reports('src/new/c.ts', () => write('src/new/c.ts'));
  write('other/c.ts');
  await reports('src/new/c.ts', () => {
    rmSync(join(root, 'src/new'), { recursive: true });
    renameSync(join(root, 'other'), join(root, 'src/new'));
  });
  await reports('src/new/c.ts', () => write('src/new/c.ts'));
});

test('sandbox: npm run dev ignores libraries, builds, hidden folders and the data of the sandbox', async () => {
  const { write, changes, reports } = watchNewFolder();
  await reports('src/a.ts', () => {
    for (const folder of ['node_modules', 'src/dist', '.git', 'mine/log']) write(`${folder}/a.ts`);
    write('src/a.ts');
  });
  expect(changes.filter((path) => !/^src(\/a\.ts)?$/.test(path))).toEqual([]);
});
