import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSchemaTypes } from '../../src/emit/contract/schema-types.js';
import type { FileSet } from '../../src/emit/emit-files.js';
import { findDrift, writeFiles } from '../../src/generated-files.js';
import { render } from '../../src/render.js';
import { repository } from './temporary-repository.js';

/** The interface itself. */
export const openapi = readFileSync(join(repository, 'openapi.yaml'), 'utf8');

/** Specifications that were rendered; all test files of a process share them. */
const renderings = new Map<string, ReturnType<typeof renderAnew>>();

/** The files that are generated from a specification; the test fails if there are findings. */
export async function renderAnew(specification: string) {
  const rendering = await render(specification, renderSchemaTypes);
  if (!rendering.ok) throw new Error(JSON.stringify(rendering.findings, undefined, 2));
  return rendering.value;
}

/** The same, made once. */
function renderOnce(specification: string): ReturnType<typeof renderAnew> {
  const made = renderings.get(specification) ?? renderAnew(specification);
  renderings.set(specification, made);
  return made;
}

/** The files a specification generates. */
export async function filesOf(specification: string): Promise<FileSet> {
  return (await renderOnce(specification)).files;
}

/** Generates into a repository, and returns the paths of the generated files. */
export async function generateInto(root: string, specification: string): Promise<string[]> {
  const { files } = await renderOnce(specification);
  await writeFiles(root, files, await findDrift(root, files));
  return [...files.keys()].map((path) => join(root, path));
}
