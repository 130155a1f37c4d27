import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { formatFinding } from '../src/document/finding.js';
import { SpecFiles } from '../src/document/spec-files.js';
import { emitFiles } from '../src/emit/emit-files.js';
import { renderSchemaTypes } from '../src/libraries/schema-types.js';
import { buildApiModel } from '../src/model/build-api-model.js';
import { loadSpec } from '../src/render.js';
import { corpus, expectationsOf, isQuoting } from './support/corpus.js';
import { filesOf } from './support/generate-into.js';
import { runCodegen, startProgram } from './support/run-codegen.js';
import { temporaryRepository } from './support/temporary-repository.js';

const folder = fileURLToPath(new URL('./specs/split/', import.meta.url));
const cases = readdirSync(folder).sort();
const things = corpus('valid').find(({ name }) => name === 'things.yaml')?.text ?? '';

function load(name: string) {
  const spec = join(folder, name, 'openapi.yaml');
  return loadSpec(readFileSync(spec, 'utf8'), undefined, new SpecFiles(spec, 'openapi.yaml'));
}

/** The findings that the comments of all files of a case expect: `file:line:column rule message`. */
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
  return outcome.findings.map((finding) =>
    formatFinding(isQuoting(finding.rule) ? { ...finding, message: '' } : finding).trimEnd(),
  );
}

async function generatedBy(name: string): Promise<ReadonlyMap<string, string>> {
  const outcome = await load(name);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  return emitFiles(buildApiModel(outcome.value), renderSchemaTypes);
}

const contract = 'packages/contract/src/generated';

describe('codegen: a spec in several files', () => {
  it.each(cases)('has the findings that its files expect: %s', async (name) => {
    expect((await findingsOf(name)).toSorted()).toEqual(expectedOf(name).toSorted());
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
});
