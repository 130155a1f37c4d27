import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { watchFiles } from '../src/watch.js';
import { things } from './support/corpus.js';
import { startCodegen } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const eventually = { timeout: 120_000, interval: 20 };

describe('codegen: --watch', () => {
  it('generates on each save, reports mistakes and continues', async () => {
    const { root, pathOf, write } = temporaryRepository(things);
    const models = () =>
      readFileSync(pathOf('packages/contract/src/generated/models.gen.ts'), 'utf8');
    const { output, ended, interrupt } = startCodegen(root, '--watch');
    await vi.waitFor(() => expect(output.stdout).toContain('12 written.'), eventually);

    write('openapi.yaml', things.replaceAll('ThingPage', 'PageOfThings'));
    await vi.waitFor(() => expect(models()).toContain('PageOfThings'), eventually);

    write('openapi.yaml', things.replace('summary: Get thing', 'sumary: Get thing'));
    await vi.waitFor(() => expect(output.stderr).toContain('76:7 openapi sumary'), eventually);
    expect(models()).toContain('PageOfThings');

    // Editors write the new text to another file, and then rename it.
    writeFileSync(pathOf('.openapi.yaml.swp'), things.replaceAll('ThingPage', 'ThingList'));
    renameSync(pathOf('.openapi.yaml.swp'), pathOf('openapi.yaml'));
    await vi.waitFor(() => expect(models()).toContain('ThingList'), eventually);

    // A save in two parts counts as one.
    write('openapi.yaml', things.slice(0, 2000));
    write('openapi.yaml', things.replaceAll('ThingPage', 'ManyThings'));
    await vi.waitFor(() => expect(models()).toContain('ManyThings'), eventually);

    // The configuration is watched too.
    write('codegen/adx.yaml', 'rules: { pagnation: D-06 }');
    await vi.waitFor(() => expect(output.stderr).toContain('did you mean pagination?'), eventually);

    interrupt();
    expect(await ended).toBe(0);
  });

  it('continues after an error that is not in the spec', { tags: 'long' }, async () => {
    const { root, pathOf, write } = temporaryRepository(things);
    write('packages/client/src/generated', 'a file where the folder should be');
    const { output } = startCodegen(root, '--watch');
    await vi.waitFor(() => expect(output.stderr).toContain('not a directory'), eventually);

    rmSync(pathOf('packages/client/src/generated'));
    write('openapi.yaml', things);
    await vi.waitFor(() => expect(output.stdout).toContain('12 written.'), eventually);
  });
});

it('codegen: --watch has one watcher for each folder that the last run read', async () => {
  const { pathOf, write } = temporaryRepository('');
  const interrupt = new AbortController();
  const watchers = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap');
  // Watchers of the tests before may still be closing.
  await vi.waitFor(() => expect(watchers()).toEqual([]), eventually);
  const counts: number[] = [];
  write('schemas/thing.yaml', '');
  const watching = watchFiles(interrupt.signal, async (willRead) => {
    willRead(pathOf('openapi.yaml'));
    if (counts.length === 0) willRead(pathOf('schemas/thing.yaml'));
    // A closed watcher is gone after a turn of the event loop.
    await setImmediate();
    await setImmediate();
    counts.push(watchers().length);
  });
  write('openapi.yaml', 'a');
  await vi.waitFor(() => expect(counts.length).toBeGreaterThan(1), eventually);
  interrupt.abort();
  await watching;
  expect(counts.slice(0, 2)).toEqual([2, 1]);
  await vi.waitFor(() => expect(watchers()).toEqual([]), eventually);
});
