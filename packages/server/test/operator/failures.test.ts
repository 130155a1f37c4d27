import { describe, expect, test } from 'vitest';
import { runAdxServer } from './adx-server.js';
import { failure, operatorForFile } from './operator-for-file.js';

const { settings, run } = await operatorForFile();

describe('adx-server: unknown ids', () => {
  const nothing = '0'.repeat(24);
  test.each([
    [['firm', 'set', nothing, '--name', 'x'], `There is no firm with the id ${nothing}.`],
    [['user', 'set', nothing, '--access', 'user'], `There is no user with the id ${nothing}.`],
    [['user', 'disable', nothing], `There is no user with the id ${nothing}.`],
    [['api-key', 'revoke', nothing], `There is no API key with the id ${nothing}.`],
    [['api-key', 'set', nothing, '--scopes', 'all'], `There is no API key with the id ${nothing}.`],
    [['api-key', 'rotate', nothing], `There is no API key with the id ${nothing}.`],
    [['customer', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['mandate', 'show', nothing], `There is no mandate with the id ${nothing}.`],
    [['mandate', 'step', nothing, 'bankConfirmed'], `There is no mandate with the id ${nothing}.`],
    [['mandate', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['upload', 'list', '--firm', nothing], `There is no firm with the id ${nothing}.`],
    [['customer', 'confidential', nothing, 'on'], `There is no customer with the id ${nothing}.`],
    [
      ['user', 'create', '--firm', nothing, '--username', 'x@y.example', '--access', 'user'],
      `There is no firm with the id ${nothing}.`,
    ],
  ])('operator: %j fails with one sentence', async (parameters, sentence) => {
    expect(await run(...parameters)).toEqual(failure(sentence));
  });
});

test('operator: a login refused by the database is not reported as an unreachable database', async () => {
  const missing = new URL(settings.DATABASE_URL);
  missing.pathname = '/nowhere';
  expect(await runAdxServer(['firm', 'list'], { DATABASE_URL: missing.href })).toEqual(
    failure('The database refused the connection: database "nowhere" does not exist.'),
  );
});
