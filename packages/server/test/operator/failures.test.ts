import { expect, test } from 'vitest';
import { runAdxServer } from './adx-server.js';
import { failure, operatorForFile } from './operator-for-file.js';

const { url, run } = await operatorForFile();

const nothing = '0'.repeat(24);

test.each<[kind: string, ...parameters: string[]]>([
  ['firm', 'firm', 'set', nothing, '--name', 'x'],
  ['firm', 'firm', 'disable', nothing],
  ['firm', 'firm', 'enable', nothing],
  ['firm', 'customer', 'list', '--firm', nothing],
  ['firm', 'mandate', 'list', '--firm', nothing],
  ['firm', 'upload', 'list', '--firm', nothing],
  ['firm', 'user', 'create', '--firm', nothing, '--username', 'x@y.example', '--access', 'user'],
  ['user', 'user', 'set', nothing, '--access', 'user'],
  ['user', 'user', 'disable', nothing],
  ['user', 'user', 'release', nothing],
  ['API key', 'api-key', 'revoke', nothing],
  ['API key', 'api-key', 'set', nothing, '--scopes', 'all'],
  ['API key', 'api-key', 'rotate', nothing],
  ['customer', 'customer', 'confidential', nothing, 'on'],
  ['mandate', 'mandate', 'show', nothing],
  ['mandate', 'mandate', 'step', nothing, 'bankConfirmed'],
  ['mandate', 'mandate', 'evidence', nothing],
  ['file', 'file', 'print', nothing],
  ['upload', 'upload', 'show', nothing],
  ['upload', 'upload', 'retry', nothing],
])('operator: without such a %s, %s %s fails with one sentence', async (kind, ...parameters) => {
  expect(await run(...parameters)).toEqual(failure(`There is no ${kind} with the id ${nothing}.`));
});

test('operator: a login refused by the database is not reported as an unreachable database', async () => {
  const missing = new URL(url);
  missing.pathname = '/nowhere';
  expect(await runAdxServer(['firm', 'list'], { DATABASE_URL: missing.href })).toEqual(
    failure('The database refused the connection: database "nowhere" does not exist.'),
  );
});
