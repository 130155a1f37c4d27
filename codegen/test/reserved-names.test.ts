import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reservedTypes } from '../src/model/names.js';
import { repository } from './support/temporary-repository.js';

/**
 * Returns the types that a file exports with `export class`, `export interface` and `export { … }`.
 */
function exportedTypes(path: string): string[] {
  const text = readFileSync(join(repository, path), 'utf8');
  const declared = [...text.matchAll(/^export (?:class|interface|type) (\w+)/gm)];
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = '']) => list);
  const listed = lists.flatMap((list) => [...list.matchAll(/(\w+)(?=\s*(?:,|$))/g)]);
  return [...declared, ...listed]
    .map(([, name = '']) => name)
    .filter((name) => /^[A-Z]/.test(name));
}

it.each([
  'packages/client/src/index.ts',
  'packages/client/src/errors.ts',
  'packages/contract/src/index.ts',
])('codegen: no schema and no class of a resource can take a name that %s exports', (path) => {
  const exported = exportedTypes(path);
  expect(exported.length).toBeGreaterThan(3);
  expect(exported.filter((name) => !reservedTypes.has(name))).toEqual([]);
});
