import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/config.js';
import { emitFiles, type FileSet } from '../../src/emit/emit-files.js';
import { findDrift, readRuntime, writeFiles } from '../../src/generated-files.js';
import { renderSchemaTypes } from '../../src/libraries/schema-types.js';
import type { ApiModel } from '../../src/model/api-model.js';
import { buildApiModel } from '../../src/model/build-api-model.js';
import type { OpenApiObject } from '../../src/openapi/openapi-object.js';
import { loadSpec } from '../../src/render.js';
import { repository } from './temporary-repository.js';

export const openapi = readFileSync(join(repository, 'openapi.yaml'), 'utf8');

export const config = configIn(readFileSync(join(repository, 'codegen/adx.yaml'), 'utf8'));

/** Reads a configuration. Fails the test if there are findings. */
export function configIn(text: string): Config {
  const outcome = readConfig(text, 'adx.yaml');
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  return outcome.value;
}

/** The ids of its operations, read from the text, so that none can be missing from the model. */
export const operationIds = [...openapi.matchAll(/^ {6}operationId: (\w+)$/gm)].map(
  ([, id = '']) => id,
);

/** Loading takes most of the time, so all test files of a process share it. */
const loaded = new Map<string, Promise<OpenApiObject>>();
const emitted = new Map<string, Promise<FileSet>>();

/** Returns the model of a spec. Fails the test if there are findings. */
export async function modelOf(spec: string): Promise<ApiModel> {
  return buildApiModel(await apiOf(spec), config);
}

function apiOf(spec: string): Promise<OpenApiObject> {
  const api = loaded.get(spec) ?? load(spec);
  loaded.set(spec, api);
  return api;
}

async function load(spec: string): Promise<OpenApiObject> {
  const outcome = await loadSpec(spec, { config });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings, undefined, 2));
  return outcome.value;
}

/** Returns the files that a spec generates, emitted again on each call. */
export async function emitAnew(spec: string): Promise<FileSet> {
  return emit(await apiOf(spec));
}

export async function emit(api: OpenApiObject): Promise<FileSet> {
  const model = buildApiModel(api, config);
  return emitFiles(model, config.layout, { renderSchemaTypes, runtime: await readRuntime() });
}

/** Returns the files that a spec generates, emitted once. */
export function filesOf(spec: string): Promise<FileSet> {
  const files = emitted.get(spec) ?? emitAnew(spec);
  emitted.set(spec, files);
  return files;
}

/** Generates into a repository, and returns the paths of the generated files. */
export async function generateInto(root: string, spec: string): Promise<string[]> {
  const files = await filesOf(spec);
  await writeFiles(root, files, await findDrift(root, Object.values(config.layout.folders), files));
  return [...files.keys()].map((path) => join(root, path));
}
