import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rounds } from '../../../test/support/rounds.js';
import { runCodegen } from '../support/run-codegen.js';
import { emptyProject, repository } from '../support/temporary-repository.js';
import { typeCheck } from '../support/type-check.js';
import { checkTypes } from './types-property.js';

const { root, write } = emptyProject(afterAll);
const compilerOptions = readFileSync(join(repository, 'tsconfig.json'), 'utf8');
write(
  'tsconfig.json',
  compilerOptions.replace(
    '"noPropertyAccessFromIndexSignature": false',
    '"noPropertyAccessFromIndexSignature": true',
  ),
);
cpSync(join(repository, 'codegen/test/specs/types.yaml'), join(root, 'types.yaml'));
cpSync(join(repository, 'codegen/test/programs/typed-values.ts'), join(root, 'typed-values.ts'));
const outcome = await runCodegen(root, '--spec', 'types.yaml', '--out', '.');
const { createApi } = await import(join(root, 'server/index.gen.ts'));
const { createClient } = await import(join(root, 'client/index.gen.ts'));
const calls = await import(join(root, 'typed-values.ts'));

const api = createApi({
  handlers: {
    send: ({ body }: { body: unknown }) => ({ status: 200, body }),
    race: () => ({ status: 204 }),
    beside: () => ({ status: 204 }),
    pair: () => ({ status: 204 }),
  },
  security: {},
  context: () => ({}),
});
const server = createServer(express().use(api)).listen(0);
beforeAll(() => server.listening || once(server, 'listening'));
afterAll(() => {
  server.close();
});

/** Returns the names of a group of calls. */
const namesOf = (group: string) => Object.keys(calls[group]({}));

function call(group: string, name: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/api` });
  return calls[group](client)[name]();
}

it('D-42 what the server accepts compiles, and what it refuses does not', () => {
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  const files = ['typed-values.ts', 'client/index.gen.ts', 'server/index.gen.ts'];
  expect(typeCheck(root, files)).toEqual([]);
});

it.each(namesOf('accepted'))('D-42 the server accepts what compiles: %s', async (name) => {
  await expect(call('accepted', name)).resolves.not.toThrow();
});

it.each(namesOf('refused'))('D-42 the server refuses what does not compile: %s', async (name) => {
  await expect(call('refused', name)).rejects.toMatchObject({ status: 400 });
});

it.each(namesOf('refusedByServer'))('D-42 no type can say: %s', async (name) => {
  await expect(call('refusedByServer', name)).rejects.toMatchObject({ status: 400 });
});

it.each(namesOf('refusedByCompiler'))('D-42 only the compiler refuses: %s', async (name) => {
  await expect(call('refusedByCompiler', name)).resolves.not.toThrow();
});

it('D-42 a value compiles exactly if the server accepts it, as far as types can say', () => {
  const { disagreements } = checkTypes(root, 1, rounds({ short: 200, all: 1_000 }));
  expect(disagreements).toEqual([]);
});
