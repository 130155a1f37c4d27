import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { formatFinding } from '../src/document/finding.js';
import { SpecFiles } from '../src/document/spec-files.js';
import { loadSpec } from '../src/render.js';
import { expectationsOf, isQuoting, things } from './support/corpus.js';
import { config, emit, filesOf } from './support/generate-into.js';
import { here, runCodegen, startProgram } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const folder = fileURLToPath(new URL('./specs/split/', import.meta.url));
const cases = readdirSync(folder).sort();

function load(name: string) {
  const spec = join(folder, name, 'openapi.yaml');
  const files = new SpecFiles(spec, 'openapi.yaml');
  return loadSpec(readFileSync(spec, 'utf8'), { config, files });
}

/** Returns the findings that a case's comments expect: `file:line:column rule message`. */
function expectedOf(name: string): string[] {
  const root = join(folder, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) =>
      expectationsOf(readFileSync(path, 'utf8')).map((each) => `${relative(root, path)}:${each}`),
    );
}

async function findingsOf(name: string): Promise<string[]> {
  const outcome = await load(name);
  if (outcome.ok) return [];
  return outcome.findings.map(({ why: _why, ...finding }) =>
    formatFinding(isQuoting(finding.rule) ? { ...finding, message: '' } : finding).trimEnd(),
  );
}

async function generatedBy(name: string): Promise<ReadonlyMap<string, string>> {
  const outcome = await load(name);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  return emit(outcome.value);
}

const contract = 'packages/contract/src/generated';

describe('codegen: a spec in several files', () => {
  it.each(cases)('has the findings that its files expect: %s', async (name) => {
    expect((await findingsOf(name)).toSorted()).toEqual(expectedOf(name).toSorted());
  });

  it('has its findings file by file, those of the spec itself first', async () => {
    const places = (await findingsOf('mistakes')).map((finding) => finding.split(/[: ]/));
    const files = [...new Set(places.map(([file = '']) => file))];
    expect(files).toHaveLength(6);
    expect(files[0]).toBe('openapi.yaml');
    const inOrder = files.flatMap((file) =>
      places
        .filter(([other]) => other === file)
        .toSorted(([, a, b], [, c, d]) => Number(a) - Number(c) || Number(b) - Number(d)),
    );
    expect(places).toEqual(inOrder);
  });

  it('generates the same files as the same spec in one file, but for its text', async () => {
    const lines = `${contract}/openapi-lines.gen.json`;
    const single = new Map(await filesOf(things));
    const split = new Map(await generatedBy('named-in-root'));
    const text = JSON.parse(split.get(lines) ?? '').join('\n');
    expect(parse(text)).toEqual(parse(things));
    single.delete(lines);
    split.delete(lines);
    expect(Object.fromEntries(split)).toEqual(Object.fromEntries(single));
  });

  it('names components after pointers and files', async () => {
    const [single, split] = [await filesOf(things), await generatedBy('named-by-target')];
    const documentOf = (files: ReadonlyMap<string, string>) =>
      JSON.parse(files.get(`${contract}/openapi.gen.json`) ?? '');
    expect(documentOf(split)).toEqual(documentOf(single));
  });

  it('includes each target once, under a name of its own', async () => {
    const outcome = await load('uncommon');
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
    const { root } = outcome.value.document;
    const at = (...keys: string[]) => root.at('components', 'schemas', ...keys)?.value;
    const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(root.at('components', 'schemas')?.members.map(({ key }) => key)).toEqual([
      ...['Tree', 'Wood', 'Described', 'Kind'],
      ...['Kind2', 'ErrorBody', 'TokenFailure', 'Kind3', 'LeafOfTree', 'Kind4'],
      ...['ErrorCode', 'Schema'],
    ]);
    expect(at('Wood')).toEqual(referenceTo('Tree'));
    expect(at('Described')).toEqual({ ...referenceTo('Tree'), description: 'A tree.' });
    expect(at('Tree', 'properties', 'branches', 'items')).toEqual(referenceTo('Tree'));
    expect(at('Tree', 'properties', 'latin')).toEqual(at('Tree', 'properties', 'name'));
    expect(at('LeafOfTree', 'properties', 'tree')).toMatchObject(referenceTo('Tree'));
    expect(at('Kind2', 'oneOf')).toEqual([referenceTo('Kind4'), referenceTo('Kind3')]);
    expect(at('Kind2', 'discriminator', 'mapping')).toEqual({
      Leafy: '#/components/schemas/Kind4',
      Bare: '#/components/schemas/Kind3',
    });
    const change = root.at('paths', '/things/{thingId}', 'patch', 'requestBody');
    expect(change?.value).toEqual({ $ref: '#/components/requestBodies/body' });
    expect(root.at('components', 'examples')?.members.map(({ key }) => key)).toContain('AnExample');
    expect(root.at('paths', '/others/{thingId}', 'get', 'operationId')?.text).toBe('getOther');
  });

  it('reports mistakes with the path of each file, like that of the spec', async () => {
    const { root, pathOf } = repositoryWith('named-in-root', 'specs/v1');
    edit(pathOf('specs/v1/schemas/thing.yaml'), 'description: Size.', 'descrption: Size.');
    const spec = ['--spec', 'specs/v1/openapi.yaml', '--out', '.'];
    expect(await runCodegen(root, ...spec, '--config', 'codegen/adx.yaml')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: [
        'specs/v1/schemas/thing.yaml:7:26 schema descrption is not a keyword of schemas; did you mean description?',
        '1 finding, nothing generated.\n',
      ].join('\n'),
    });
  });

  it('--check reports files that are out of date after a change of any file', async () => {
    const { root, pathOf } = repositoryWith('named-in-root', '.');
    expect((await runCodegen(root)).exitCode).toBe(0);
    expect((await runCodegen(root, '--check')).exitCode).toBe(0);
    edit(pathOf('schemas/thing.yaml'), 'description: Size.', 'description: Length.');
    const { exitCode, stderr } = await runCodegen(root, '--check');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`changed ${contract}/schema.gen.ts\n`);
    expect(stderr).toContain(`changed ${contract}/openapi-lines.gen.json\n`);
  });

  it('--watch generates on each save of any file, also of one that was missing', {
    tags: 'long',
  }, async () => {
    const { root, pathOf } = repositoryWith('named-in-root', '.');
    renameSync(pathOf('schemas'), pathOf('later'));
    const { output, ended, interrupt } = startProgram(root, '--watch', ...here);
    const eventually = { timeout: 120_000, interval: 20 };
    const missing = 'schemas/thing.yaml cannot be read.';
    await vi.waitFor(() => expect(output.stderr).toContain(missing), eventually);

    mkdirSync(pathOf('schemas'));
    for (const name of readdirSync(pathOf('later'))) {
      cpSync(pathOf(`later/${name}`), pathOf(`schemas/${name}`));
    }
    await vi.waitFor(() => expect(output.stdout).toContain('12 written.'), eventually);

    const types = () => readFileSync(pathOf(`${contract}/schema.gen.ts`), 'utf8');
    edit(pathOf('schemas/thing.yaml'), 'description: Size.', 'description: Length.');
    await vi.waitFor(() => expect(types()).toContain('Length.'), eventually);
    edit(pathOf('paths/thing.yaml'), 'description: One thing.', 'description: A single one.');
    await vi.waitFor(() => expect(types()).toContain('A single one.'), eventually);
    interrupt();
    expect(await ended).toBe(0);
  });
});

/** Creates a repository with a case in one of its folders. */
function repositoryWith(name: string, place: string) {
  const repository = temporaryRepository('');
  cpSync(join(folder, name), repository.pathOf(place), { recursive: true });
  return repository;
}

function edit(path: string, before: string, after: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(before);
  writeFileSync(path, text.replace(before, after));
}
