import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

interface TemporaryRepository {
  readonly root: string;
  /** Writes a file, creates its folders, and returns its path. */
  readonly write: (path: string, text: string) => string;
  readonly pathOf: (path: string) => string;
}

/** Creates a repository with the files that generated files need, but none that are generated. */
export function temporaryRepository(
  spec: string,
  cleanUp: (remove: () => void) => void = onTestFinished,
): TemporaryRepository {
  const root = mkdtempSync(join(tmpdir(), 'adx-codegen-'));
  cleanUp(() => rmSync(root, { recursive: true, force: true }));

  const pathOf = (path: string) => join(root, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(pathOf(path)), { recursive: true });
    writeFileSync(pathOf(path), text);
    return pathOf(path);
  };
  write('openapi.yaml', spec);
  write('package.json', '{ "type": "module" }');
  for (const path of handwritten) {
    cpSync(join(repository, path), pathOf(path), {
      recursive: true,
      filter: (source) => !/generated|dist|node_modules/.test(source.slice(repository.length)),
    });
  }
  // Without a version, the compiler does not treat the contracts of two repositories as one
  // package.
  const { version: _version, ...contract } = JSON.parse(
    readFileSync(pathOf('packages/contract/package.json'), 'utf8'),
  );
  write('packages/contract/package.json', JSON.stringify(contract));
  mkdirSync(pathOf('node_modules/@adx'), { recursive: true });
  symlinkSync(pathOf('packages/contract'), pathOf('node_modules/@adx/contract'));
  for (const name of ['client', 'command', 'statements']) {
    symlinkSync(join(repository, 'packages', name), pathOf(`node_modules/@adx/${name}`));
  }
  for (const name of ['@types', 'aws4fetch', 'express']) {
    symlinkSync(join(repository, 'node_modules', name), pathOf(`node_modules/${name}`));
  }
  return { root, write, pathOf };
}

/** The compiler options of the root, with those that generated code must compile with too. */
export const strictest = readFileSync(join(repository, 'tsconfig.json'), 'utf8').replace(
  '"noPropertyAccessFromIndexSignature": false',
  '"noPropertyAccessFromIndexSignature": true',
);

/** Creates a project that has all libraries and the compiler options of the root. */
export function emptyProject(cleanUp: (remove: () => void) => void = onTestFinished) {
  const root = mkdtempSync(join(tmpdir(), 'adx-codegen-'));
  cleanUp(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(repository, 'tsconfig.json'), join(root, 'tsconfig.json'));
  write('package.json', '{ "type": "module" }');
  return { root, write };
}

const handwritten = [
  'tsconfig.json',
  'codegen/adx.yaml',
  'packages/contract',
  'packages/client/package.json',
  'packages/client/src/core',
  'packages/client/src/node',
  'packages/client/src/errors.ts',
];

/**
 * Copies the handwritten files of a folder, such as `packages/server/src`, and links all libraries.
 */
export function addSources(root: string, folder: string): void {
  const handwritten = join(repository, folder);
  cpSync(handwritten, join(root, folder), {
    recursive: true,
    filter: (path) => path !== join(handwritten, 'generated'),
  });
  const present = new Set(readdirSync(join(root, 'node_modules')));
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (present.has(name) || name.startsWith('.')) continue;
    symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name));
  }
}
