import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { repository } from '../support/run-command.js';

/** Which packages of the workspace each package may import: imports point one way. */
const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  codegen: [],
  'packages/contract': [],
  'packages/client': ['@adx/contract'],
  'packages/sandbox': ['@adx/client', '@adx/server', '@adx/statements'],
  'packages/server': ['@adx/contract', '@adx/statements'],
  'packages/statements': [],
};

/** The features of the server. None imports another, except for the identity of the caller. */
const features = ['customers', 'files', 'identity', 'mandates', 'reference', 'uploads'];
const shared = [join('identity', 'principal.js'), join('identity', 'request-context.js')];

test.each(Object.entries(allowedPackages))('house: %s imports only %j', (folder, allowed) => {
  const foreign = importsBelow(join(repository, folder, 'src')).filter(
    ({ specifier }) =>
      specifier.startsWith('@adx/') &&
      !allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  );
  expect(foreign).toEqual([]);
});

test.each(features)('house: the feature %s imports no other feature', (feature) => {
  const source = join(repository, 'packages/server/src');
  const foreign = importsBelow(join(source, feature)).filter(({ file, specifier }) => {
    if (!specifier.startsWith('.')) return false;
    const target = relative(source, join(dirname(join(repository, file)), specifier));
    if (shared.includes(target)) return false;
    const [folder] = target.split(sep);
    return folder !== feature && features.some((other) => other === folder);
  });
  expect(foreign).toEqual([]);
});

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
])('house: in the server %s is reached from %j alone', (library, folders) => {
  const source = join(repository, 'packages/server/src');
  const elsewhere = importsBelow(source).filter(({ file, specifier }) => {
    const [folder = ''] = relative(source, join(repository, file)).split(sep);
    return specifier === library && !folders.includes(folder);
  });
  expect(elsewhere).toEqual([]);
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

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function importsBelow(folder: string): Import[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const source = ts.preProcessFile(text, true, true);
      return source.importedFiles.map(({ fileName }) => ({
        file: relative(repository, join(folder, name)),
        specifier: fileName,
      }));
    });
}
