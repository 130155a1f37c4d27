import type { Scope } from '@adx/contract';
import type { Command } from 'commander';
import { createApiKeyStore } from '../identity/api-keys.js';
import { parseId, parseName, parseScopes } from './arguments.js';
import { type OperatorContext, requireFound } from './operator-context.js';
import { formatLines, formatTable, type JsonOption, printResult } from './print-result.js';

/** Adds `adx-server api-key …`, the commands for the API keys of partners. */
export function addApiKeyCommands(program: Command, context: OperatorContext): void {
  const apiKey = program.command('api-key').description('API keys of partners');

  apiKey
    .command('issue')
    .description('issue an API key, which is shown only once')
    .requiredOption('--partner <name>', 'name of the partner', parseName)
    .requiredOption('--scopes <scopes>', 'all, or scopes separated by commas', parseScopes)
    .action(async (options: JsonOption & { partner: string; scopes: readonly Scope[] }) => {
      const { partner, scopes } = options;
      const issued = await context.withDatabase((knex) =>
        createApiKeyStore(knex).issue({ partner, scopes }),
      );
      const result = { id: issued.id, key: issued.key, scopes: issued.scopes };
      printResult(context, options, result, () =>
        formatLines({
          id: issued.id,
          partner,
          scopes: scopes.join(', '),
          key: `${issued.key}  (shown only once)`,
        }),
      );
    });

  apiKey
    .command('list')
    .description('list the API keys by their first characters')
    .action(async (options: JsonOption) => {
      const keys = await context.withDatabase((knex) => createApiKeyStore(knex).list());
      printResult(context, options, keys, () =>
        formatTable(
          ['ID', 'PARTNER', 'KEY', 'SCOPES', 'CREATED', 'REVOKED'],
          keys.map((key) => [
            key.id,
            key.partner,
            `${key.hint}…`,
            key.scopes.join(','),
            key.createdOn.toISOString(),
            key.revokedOn?.toISOString() ?? '',
          ]),
        ),
      );
    });

  apiKey
    .command('revoke')
    .description('revoke an API key; services refuse it within seconds')
    .argument('<id>', 'id of the API key', parseId)
    .action(async (id: string, options: JsonOption) => {
      const revoked = await context.withDatabase((knex) => createApiKeyStore(knex).revoke(id));
      requireFound(revoked, 'API key', id);
      printResult(context, options, { id, revoked }, () => `API key ${id} is revoked.\n`);
    });
}
