import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSchemaTypes } from '../../src/emit/contract/schema-types.js';
import { emitFiles, type FileSet } from '../../src/emit/emit-files.js';
import { findDrift, writeFiles } from '../../src/generated-files.js';
import type { ApiModel } from '../../src/model/api-model.js';
import { buildApiModel } from '../../src/model/build-api-model.js';
import type { OpenApiObject } from '../../src/openapi/openapi-object.js';
import { loadSpecification } from '../../src/render.js';
import { repository } from './temporary-repository.js';

/** The interface itself. */
export const openapi = readFileSync(join(repository, 'openapi.yaml'), 'utf8');

/** Loading takes most of the time, so all test files of a process share it. */
const loaded = new Map<string, Promise<OpenApiObject>>();
const emitted = new Map<string, Promise<FileSet>>();

/** The model of a specification; the test fails if there are findings. */
export async function modelOf(specification: string): Promise<ApiModel> {
  const api = loaded.get(specification) ?? load(specification);
  loaded.set(specification, api);
  return buildApiModel(await api);
}

async function load(specification: string): Promise<OpenApiObject> {
  const outcome = await loadSpecification(specification);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  return outcome.value;
}

/** The files that a specification generates, emitted again on each call. */
export async function emitAnew(specification: string): Promise<FileSet> {
  return emitFiles(await modelOf(specification), renderSchemaTypes);
}

/** The files that a specification generates, emitted once. */
export function filesOf(specification: string): Promise<FileSet> {
  const files = emitted.get(specification) ?? emitAnew(specification);
  emitted.set(specification, files);
  return files;
}

/** Generates into a repository, and returns the paths of the generated files. */
export async function generateInto(root: string, specification: string): Promise<string[]> {
  const files = await filesOf(specification);
  await writeFiles(root, files, await findDrift(root, files));
  return [...files.keys()].map((path) => join(root, path));
}
