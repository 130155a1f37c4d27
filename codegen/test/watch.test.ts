import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { corpus } from './support/corpus.js';
import { here, startCodegen, startProgram } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const things = corpus('valid').find(({ name }) => name === 'things.yaml')?.text ?? '';
const eventually = { timeout: 120_000, interval: 20 };

describe('codegen: --watch', () => {
  it('generates on each save, reports mistakes and continues', async () => {
    const { root, pathOf, write } = temporaryRepository(things);
    const models = () =>
      readFileSync(pathOf('packages/contract/src/generated/models.gen.ts'), 'utf8');
    const { output, ended, interrupt } = startProgram(root, '--watch', ...here);
    await vi.waitFor(() => expect(output.stdout).toContain('11 written.'), eventually);

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

    interrupt();
    expect(await ended).toBe(0);
  });

  it('continues after an error that is not in the spec', async () => {
    const { root, pathOf, write } = temporaryRepository(things);
    write('docs/generated', 'a file where the folder should be');
    const { output } = startCodegen(root, '--watch');
    await vi.waitFor(() => expect(output.stderr).toContain('ENOTDIR'), eventually);

    rmSync(pathOf('docs/generated'));
    write('openapi.yaml', things);
    await vi.waitFor(() => expect(output.stdout).toContain('11 written.'), eventually);
  });
});
