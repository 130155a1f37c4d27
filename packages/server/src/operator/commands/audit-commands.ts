import { formatLines } from '@adx/command/print-lines';
import { type Command, InvalidArgumentError } from 'commander';
import { readChain, readUnsealed } from '../../audit/audit-store.js';
import type { AuditEntry } from '../../audit/seal.js';
import { type VerifiedTrail, verifyTrail } from '../../audit/verify-trail.js';
import { listEntries } from '../../audit/visible-entries.js';
import { inSnapshot } from '../../db/transaction.js';
import { parseDay, parseId } from '../arguments.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';

const LISTED = 1_000;

const UNSEALED = 10_000;

interface ListOptions {
  readonly customer?: string;
  readonly user?: string;
  readonly since?: Date;
  readonly until?: Date;
}

/** Adds `adx-server audit …`, the commands of the audit trail (D-58). */
export function addAuditCommands(program: Command, context: OperatorContext): void {
  const audit = program
    .command('audit')
    .description('the audit trail: who did or read what of which customer');

  audit
    .command('list')
    .description('list entries, the latest first, at most 1000')
    .option('--firm <id>', 'only those of this firm', parseId)
    .option('--customer <id>', 'only those that name this customer', parseId)
    .option('--user <id>', 'only those of this user', parseId)
    .option('--since <day>', 'only those of this day or later, in Belgium', parseDay)
    .option('--until <day>', 'only those before this day, in Belgium', parseDay)
    .action(({ customer: customerId, user: userId, since, until }: ListOptions) => {
      const filters = { customerId, userId, since, until };
      return context.printList({
        read: (knex, scope) => listEntries(knex, scope, filters, LISTED),
        cells: (each) => ({
          ID: each.id,
          WHEN: each.occurredOn,
          BY:
            each.operator === null
              ? `${each.actor} ${each.userId ?? ''}`
              : `operator ${each.operator}`,
          'API KEY': each.apiKeyId,
          FIRM: each.firmId,
          CUSTOMER: each.customerId,
          ACTION: each.action,
          OBJECT: each.objectId,
          OUTCOME: each.outcome,
          FROM: each.address,
        }),
      });
    });

  audit
    .command('export')
    .description(
      'print all entries and seals as JSON lines, so that they can be verified elsewhere',
    )
    .action(() =>
      context.withDatabase((knex) =>
        // Entries that are sealed meanwhile would be missing.
        inSnapshot(knex, async (trx) => {
          for await (const { seal, entries } of readChain(trx)) {
            for (const entry of entries) printLine(context, { entry });
            printLine(context, { seal });
          }
          let after = 0;
          let page: AuditEntry[];
          do {
            page = await readUnsealed(trx, UNSEALED, after);
            for (const entry of page) printLine(context, { entry });
            after = page.at(-1)?.id ?? after;
          } while (page.length === UNSEALED);
        }),
      ),
    );

  audit
    .command('verify')
    .description('verify the chain of hashes; exit code 1 if entries were changed or removed')
    .option('--head <hash>', 'a hash that was logged earlier and must be in the chain', parseHash)
    .action(async (options: { head?: string }) => {
      const result = await context.withDatabase((knex) =>
        inSnapshot(knex, (trx) => verifyTrail(trx, options.head)),
      );
      context.printResult(result, formatResult(result));
      const { faults, containsHead = true } = result;
      if (faults.length > 0) {
        throw new OperatorFailure('The audit trail was changed: see the faults.');
      }
      if (!containsHead) {
        throw new OperatorFailure(
          'The audit trail does not contain the seal with this hash: its end was removed, or it was written again.',
        );
      }
    });
}

function printLine(context: OperatorContext, value: object): void {
  context.print(`${JSON.stringify(value)}\n`);
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('A hash has 64 hexadecimal characters.');
}

function formatResult(result: VerifiedTrail): string {
  const { seals, entries, removedSeals, head, unsealed, faults } = result;
  const lines = formatLines({
    ...{ seals, entries },
    'seals removed before': removedSeals,
    'not sealed yet': unsealed,
    head,
  });
  return [lines, ...faults.map(({ seal, fault }) => `seal ${seal}: ${fault}\n`)].join('');
}
