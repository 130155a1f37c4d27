import { formatRecords } from '@adx/command/print-lines';
import { operations, type Scope } from '@adx/contract';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { type ApiKeyStore, createApiKeyStore } from '../../identity/api-keys.js';
import { deprecatedUses } from '../../usage/deprecated-uses.js';
import { KEPT_DAYS, readUsage, type Usage } from '../../usage/usage-store.js';
import { daysUpTo, parseDuration, parseId, parseName, parseScopes } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';

const notChanged = {
  revoked: (id: string) => `The API key ${id} is revoked.`,
  hasOldSecret: (id: string) =>
    `The API key ${id} has an old secret that still works, and may not have three. Say with --end old or --end new which of the two ends at once, or end both with --overlap 0.`,
  hasNoOldSecret: (id: string) =>
    `The API key ${id} has no old secret that still works, so leave out --end.`,
};

export function addApiKeyCommands(program: Command, context: OperatorContext): void {
  const apiKey = program.command('api-key').description('API keys of partners');
  const keysIn = (knex: Knex) =>
    createApiKeyStore(knex, undefined, context.readConfig('command').apiKeyKind);

  apiKey
    .command('issue')
    .description('issue an API key, which is shown only once')
    .requiredOption('--partner <name>', 'name of the partner', parseName)
    .requiredOption('--scopes <scopes>', 'all, or scopes separated by commas', parseScopes)
    .action(async ({ partner, scopes }: { partner: string; scopes: readonly Scope[] }) => {
      const { id, key } = await context.change((knex) => keysIn(knex).issue({ partner, scopes }));
      context.printResult(
        { id, key, scopes },
        { id, partner, scopes: scopes.join(', '), key: `${key}  (shown only once)` },
      );
    });

  apiKey
    .command('set')
    .description('change the scopes of an API key; its secrets stay')
    .argument('<id>', 'id of the API key', parseId)
    .requiredOption(
      '--scopes <scopes>',
      'all that it has from then on: all, or scopes separated by commas',
      parseScopes,
    )
    .action(async (id: string, options: { scopes: readonly Scope[] }) => {
      const { partner, scopes } = await changeKey(id, (keys) => keys.setScopes(id, options.scopes));
      context.printResult(
        { id, scopes },
        `Within seconds, API key ${id} of ${partner} has the scopes ${scopes.join(', ')}.\n`,
      );
    });

  apiKey
    .command('rotate')
    .description('give an API key a new secret, which is shown only once; its id and files stay')
    .argument('<id>', 'id of the API key', parseId)
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long the old secret still works, such as 12h or 7d; 0 ends all old secrets, for example after a leak',
      )
        .argParser(parseDuration)
        .default(parseDuration('7d'), '7d'),
    )
    .addOption(
      new Option(
        '--end <secret>',
        'which secret ends at once, if the old one of an earlier rotation still works',
      ).choices(['old', 'new']),
    )
    .action(async (id: string, options: { overlap: number; end?: 'old' | 'new' }) => {
      const { overlap: overlapMs, end: ends } = options;
      const { partner, key, scopes, old } = await changeKey(id, (keys) =>
        keys.rotate(id, { overlapMs, ends }),
      );
      context.printResult(
        { id, key, scopes, old },
        {
          ...{ id, partner, scopes: scopes.join(', '), key: `${key}  (shown only once)` },
          'old key': old
            ? `${old.hint}…  (works until ${old.until.toISOString()})`
            : 'services refuse it within seconds',
        },
      );
    });

  apiKey
    .command('list')
    .description('list the API keys by their first characters')
    .action(() =>
      context.printList({
        read: (knex) => keysIn(knex).list(),
        cells: (key) => ({
          ID: key.id,
          PARTNER: key.partner,
          KEY: `${key.hint}…`,
          'OLD KEY': key.old && `${key.old.hint}…`,
          UNTIL: key.old?.until,
          SCOPES: key.scopes.join(','),
          CREATED: key.createdOn,
          REVOKED: key.revokedOn,
        }),
      }),
    );

  apiKey
    .command('revoke')
    .description('revoke an API key with all its secrets; services refuse it within seconds')
    .argument('<id>', 'id of the API key', parseId)
    .action(async (id: string) => {
      const revoked = await context.change((knex) => keysIn(knex).revoke(id));
      requireFound(revoked, 'API key', id);
      context.printResult({ id, revoked }, `API key ${id} is revoked.\n`);
    });

  program
    .command('usage')
    .description('show which API keys used which operations, optional fields and values')
    .addOption(
      new Option('--operation <name>', 'only this operation').choices(Object.keys(operations)),
    )
    .option(
      '--days <number>',
      `the last days in UTC, today included, at most ${KEPT_DAYS}`,
      daysUpTo(KEPT_DAYS),
      90,
    )
    .action(async (options: { days: number; operation?: string }) => {
      const usage = await context.withDatabase((knex) => readUsage(knex, options));
      context.printResult(usage, formatUsage(usage));
    });

  /** @throws OperatorFailure if there is no such API key, or it cannot be changed in this way */
  async function changeKey<Changed extends object>(
    id: string,
    change: (keys: ApiKeyStore) => Promise<Changed | keyof typeof notChanged | undefined>,
  ): Promise<Changed> {
    const changed = await context.change((knex) => change(keysIn(knex)));
    const found = requireFound(changed, 'API key', id);
    if (typeof found === 'string') throw new OperatorFailure(notChanged[found](id));
    return found;
  }
}

function formatUsage({ from, to, uses }: Usage): string {
  const table = formatRecords(uses, (sum) => ({
    PARTNER: sum.partner,
    'API KEY': sum.apiKey,
    OPERATION: sum.operation,
    FIELD: sum.field,
    // An empty value is quoted, to tell it from none.
    VALUE: sum.value === '' ? '""' : sum.value,
    CALLS: sum.calls,
    'LAST USED': sum.lastUsed,
  }));
  const warnings = deprecatedUses(uses).map((warning) => `${warning}\n`);
  return `${table}Calls from ${from} to ${to}, in UTC.\n${warnings.join('')}`;
}
