import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';

/** The packages of the workspace that each package may import: imports point one way. */
const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  codegen: [],
  'packages/cli': ['@adx/client', '@adx/command', '@adx/contract', '@adx/statements'],
  'packages/command': [],
  'packages/contract': [],
  'packages/client': ['@adx/contract'],
  'packages/sandbox': ['@adx/client', '@adx/contract', '@adx/server', '@adx/statements'],
  'packages/server': ['@adx/command', '@adx/contract', '@adx/statements'],
  'packages/statements': [],
};

/**
 * The features of the server, each with those that it imports: `uploads` lists the documents that
 * it reads in `files`, and `mandates` the interfaces that it implements. Besides, all import the
 * identity of the caller.
 */
const importedFeatures: Readonly<Record<string, readonly string[]>> = {
  customers: [],
  files: [],
  identity: [],
  mandates: ['customers/customer-listener.js', 'uploads/coverage.js'],
  reference: [],
  uploads: ['files'],
};
const shared = ['identity/principal.js', 'identity/request-context.js'];

test.each(Object.entries(allowedPackages))('house: %s imports only %j', (folder, allowed) => {
  const foreign = importsBelow(join(repository, folder, 'src')).filter(
    ({ specifier }) =>
      specifier.startsWith('@adx/') &&
      !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  );
  expect(foreign).toEqual([]);
});

test.each(Object.entries(importedFeatures))(
  'house: the feature %s imports only %j',
  (feature, allowed) => {
    const source = join(repository, 'packages/server/src');
    const foreign = importsBelow(join(source, feature)).filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const target = relative(source, join(dirname(join(repository, file)), specifier));
      const path = target.split(sep).join('/');
      if ([...shared, ...allowed].includes(path)) return false;
      const [folder] = path.split('/');
      return (
        folder !== undefined &&
        folder in importedFeatures &&
        ![feature, ...allowed].includes(folder)
      );
    });
    expect(foreign).toEqual([]);
  },
);

test.each(Object.keys(allowedPackages))(
  'house: the source of %s has no import cycles between files or folders',
  (folder) => {
    const imports = importsBelow(join(repository, folder, 'src'))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ file, specifier }): [from: string, to: string] => [
        withoutExtension(file),
        withoutExtension(join(dirname(file), specifier)),
      ]);
    expect(cycleIn(imports)).toEqual([]);
    expect(cycleIn(imports.flatMap(([from, to]) => siblingFolders(from, to)))).toEqual([]);
  },
);

test('house: openapi-fetch and openapi-typescript are each reached from one file', () => {
  const sources = ['codegen/src', 'packages/client/src', 'packages/server/src'].flatMap((folder) =>
    importsBelow(join(repository, folder)),
  );
  for (const library of ['openapi-fetch', 'openapi-typescript']) {
    const files = sources.filter(({ specifier }) => specifier === library).map(({ file }) => file);
    expect(new Set(files).size, `${library}: ${files.join(', ')}`).toBe(1);
  }
});

test.each([
  ['graphile-worker', ['jobs', 'db']],
  ['nodemailer', ['mail']],
  ['@aws-sdk/client-s3', ['storage']],
  ['@aws-sdk/client-sts', ['storage']],
  ['@opentelemetry/api', ['tracing']],
  ['@opentelemetry/sdk-trace-node', ['tracing']],
])('house: in the server %s is reached from %j alone', (library, folders) => {
  const source = join(repository, 'packages/server/src');
  const elsewhere = importsBelow(source).filter(({ file, specifier }) => {
    const [folder = ''] = relative(source, join(repository, file)).split(sep);
    return specifier === library && !folders.includes(folder);
  });
  expect(elsewhere).toEqual([]);
});

test('house: the scope of the operator is made by commands and workers alone', () => {
  const source = join(repository, 'packages/server/src');
  const importers = importsBelow(source)
    .filter(({ specifier }) => specifier.endsWith('/operator-scope.js'))
    .map(({ file }) => relative(source, join(repository, file)))
    .filter((file) => !file.startsWith(`operator${sep}`));
  // The first one tells the operator from a principal.
  expect(importers.sort()).toEqual([join('identity', 'principal.ts'), 'worker.ts']);
});

test('house: in the server transactions begin in db/transaction alone', () => {
  const source = join(repository, 'packages/server/src');
  const elsewhere = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      name !== join('db', 'transaction.ts') &&
      /\.transaction\(/.test(readFileSync(join(source, name), 'utf8')),
  );
  expect(elsewhere).toEqual([]);
});

test('house: the server follows no references of the spec, which the contract describes without them', () => {
  const source = join(repository, 'packages/server/src');
  const following = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      /\$ref|\bspec\.(paths|components)\b/.test(readFileSync(join(source, name), 'utf8')),
  );
  expect(following).toEqual([]);
});

/** Returns the subfolders of the common folder that contain the files, if both are in one. */
function siblingFolders(from: string, to: string): [string, string][] {
  const [source, target] = [from.split(sep), to.split(sep)];
  const depth = source.findIndex((name, index) => name !== target[index]) + 1;
  if (depth === 0 || depth >= source.length || depth >= target.length) return [];
  return [[source.slice(0, depth).join(sep), target.slice(0, depth).join(sep)]];
}

/** Returns the first cycle of these edges, such as `['a', 'b', 'a']`, or an empty list. */
function cycleIn(edges: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const targets = new Map<string, string[]>();
  for (const [from, to] of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const finished = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return [];
    for (const target of targets.get(node) ?? []) {
      const cycle = visit(target, [...path, node]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(node);
    return [];
  };
  for (const node of targets.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function withoutExtension(path: string): string {
  return path.replace(/\.[jt]sx?$/, '');
}

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function importsBelow(folder: string): Import[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => importsOf(join(folder, name)));
}

const found = new Map<string, readonly Import[]>();

/** Returns the imports of a file, which is parsed once. */
function importsOf(path: string): readonly Import[] {
  const known = found.get(path);
  if (known !== undefined) return known;
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
  const file = relative(repository, path);
  const imports = importedFiles.map(({ fileName }) => ({ file, specifier: fileName }));
  found.set(path, imports);
  return imports;
}
