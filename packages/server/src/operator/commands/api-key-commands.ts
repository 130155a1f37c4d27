import { formatLines, formatRecords } from '@adx/command/print-lines';
import { operations, type Scope } from '@adx/contract';
import { type Command, Option } from 'commander';
import { createApiKeyStore } from '../../identity/api-keys.js';
import { deprecatedUses } from '../../usage/deprecated-uses.js';
import { KEPT_DAYS, readUsage, type Usage } from '../../usage/usage-store.js';
import { daysUpTo, parseDuration, parseId, parseName, parseScopes } from '../arguments.js';
import { type OperatorContext, OperatorFailure, requireFound } from '../operator-context.js';

interface RotateOptions {
  /** In ms. */
  readonly overlap: number;
  readonly end?: 'old' | 'new';
}

/** Why an API key was not changed. */
const notChanged = {
  revoked: (id: string) => `The API key ${id} is revoked.`,
  hasOldSecret: (id: string) =>
    `The API key ${id} has an old secret that still works, and may not have three. Say with --end old or --end new which of the two ends at once, or end both with --overlap 0.`,
  hasNoOldSecret: (id: string) =>
    `The API key ${id} has no old secret that still works, so leave out --end.`,
};

/** Adds `adx-server api-key …`, the commands for the API keys of partners, and `usage`. */
export function addApiKeyCommands(program: Command, context: OperatorContext): void {
  const apiKey = program.command('api-key').description('API keys of partners');

  apiKey
    .command('issue')
    .description('issue an API key, which is shown only once')
    .requiredOption('--partner <name>', 'name of the partner', parseName)
    .requiredOption('--scopes <scopes>', 'all, or scopes separated by commas', parseScopes)
    .action(async (options: { partner: string; scopes: readonly Scope[] }) => {
      const { partner, scopes } = options;
      const issued = await context.change((knex) =>
        createApiKeyStore(knex).issue({ partner, scopes }),
      );
      const result = { id: issued.id, key: issued.key, scopes: issued.scopes };
      context.printResult(result, () =>
        formatLines({
          id: issued.id,
          partner,
          scopes: scopes.join(', '),
          key: `${issued.key}  (shown only once)`,
        }),
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
      const outcome = await context.change((knex) =>
        createApiKeyStore(knex).setScopes(id, options.scopes),
      );
      const changed = requireFound(outcome, 'API key', id);
      if (typeof changed === 'string') throw new OperatorFailure(notChanged[changed](id));
      const { partner, scopes } = changed;
      context.printResult(
        { id, scopes },
        () => `Within seconds, API key ${id} of ${partner} has the scopes ${scopes.join(', ')}.\n`,
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
    .action(async (id: string, options: RotateOptions) => {
      const { overlap: overlapMs, end: ends } = options;
      const outcome = await context.change((knex) =>
        createApiKeyStore(knex).rotate(id, { overlapMs, ends }),
      );
      const rotated = requireFound(outcome, 'API key', id);
      if (typeof rotated === 'string') throw new OperatorFailure(notChanged[rotated](id));
      const { partner, key, scopes, old } = rotated;
      context.printResult({ id, key, scopes, old }, () =>
        formatLines({
          id,
          partner,
          scopes: scopes.join(', '),
          key: `${key}  (shown only once)`,
          'old key': old
            ? `${old.hint}…  (works until ${old.until.toISOString()})`
            : 'services refuse it within seconds',
        }),
      );
    });

  apiKey
    .command('list')
    .description('list the API keys by their first characters')
    .action(() =>
      context.printList({
        read: (knex) => createApiKeyStore(knex).list(),
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
      const revoked = await context.change((knex) => createApiKeyStore(knex).revoke(id));
      requireFound(revoked, 'API key', id);
      context.printResult({ id, revoked }, () => `API key ${id} is revoked.\n`);
    });

  program
    .command('usage')
    .description('show which API keys used which operations, optional fields and values')
    .addOption(
      new Option('--operation <name>', 'only this operation').choices(Object.keys(operations)),
    )
    .addOption(
      new Option('--days <number>', `the last days in UTC, today included, at most ${KEPT_DAYS}`)
        .argParser(daysUpTo(KEPT_DAYS))
        .default(90),
    )
    .action(async (options: { days: number; operation?: string }) => {
      const usage = await context.withDatabase((knex) => readUsage(knex, options));
      context.printResult(usage, () => formatUsage(usage));
    });
}

function formatUsage({ from, to, uses }: Usage): string {
  const table = formatRecords(uses, (sum) => ({
    PARTNER: sum.partner,
    'API KEY': sum.apiKey,
    OPERATION: sum.operation,
    FIELD: sum.field,
    // An empty value of an enumeration, to tell it from none.
    VALUE: sum.value === '' ? '""' : sum.value,
    CALLS: sum.calls,
    'LAST USED': sum.lastUsed,
  }));
  const warnings = deprecatedUses(uses).map((warning) => `${warning}\n`);
  return `${table}Calls from ${from} to ${to}, in UTC.\n${warnings.join('')}`;
}
