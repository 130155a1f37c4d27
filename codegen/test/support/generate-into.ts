import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSchemaTypes } from '../../src/emit/contract/schema-types.js';
import { findDrift } from '../../src/output/drift.js';
import type { FileSet } from '../../src/output/file-set.js';
import { writeFiles } from '../../src/output/write-files.js';
import { render } from '../../src/render.js';
import { repository } from './temporary-repository.js';

/** The interface itself. */
export const openapi = readFileSync(join(repository, 'openapi.yaml'), 'utf8');

/** The files a specification generates; findings make the test fail. */
export async function filesOf(specification: string): Promise<FileSet> {
  const rendering = await render(specification, renderSchemaTypes);
  if (!rendering.ok) throw new Error(JSON.stringify(rendering.findings, undefined, 2));
  return rendering.files;
}

/** Generates into a repository, and returns the paths of the generated files. */
export async function generateInto(root: string, specification: string): Promise<string[]> {
  const rendering = await render(specification, renderSchemaTypes);
  if (!rendering.ok) throw new Error(JSON.stringify(rendering.findings, undefined, 2));
  const { files, folders } = rendering;
  await writeFiles(root, files, await findDrift(root, folders, files));
  return [...files.keys()].map((path) => join(root, path));
}
