import { formatLines, formatRecords } from '@adx/command/print-lines';
import { escapeUnprintable } from '@adx/command/unprintable';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { DAY } from '../../dates/brussels-day.js';
import { formatEnterpriseNumber } from '../../identifiers/enterprise-number.js';
import { operatorScope } from '../../identity/operator-scope.js';
import {
  listDeliveries,
  type MatchingMandate,
  type ShownDelivery,
} from '../../uploads/deliveries/listed-deliveries.js';
import { parseDays, parseId } from '../arguments.js';
import { type OperatorContext, OperatorFailure } from '../operator-context.js';

interface ListOptions {
  readonly upload?: string;
  readonly expiringIn?: number;
}

/** Adds `adx-server delivery …`, the commands of held deliveries (D-28). */
export function addDeliveryCommands(program: Command, context: OperatorContext): void {
  const delivery = program
    .command('delivery')
    .description('deliveries that are held because no signed mandate covers them');

  delivery
    .command('list')
    .description('list the held deliveries, at most 1000')
    .option('--firm <id>', 'only deliveries with a mandate of this firm', parseId)
    .option('--upload <id>', 'only deliveries in the file of this upload', parseId)
    .option('--expiring-in <days>', 'only those that are deleted within so many days', parseDays)
    .action(({ upload, expiringIn }: ListOptions) => {
      const { heldDeliveryDays } = context.readConfig('command');
      const heldBefore =
        expiringIn === undefined
          ? undefined
          : new Date(Date.now() - (heldDeliveryDays - expiringIn) * DAY);
      const filters = { uploadId: upload, heldBefore };
      return context.printList({
        read: async (knex, scope) =>
          (await listDeliveries(knex, scope, filters)).map(withDeletion(heldDeliveryDays)),
        cells: (each) => ({
          ID: each.id,
          HELD: each.heldOn,
          EXPIRES: each.deletedOn,
          PRODUCT: each.product,
          FROM: each.sender,
          FOR: subjectOf(each),
          NUMBER: each.statementNumber,
          DATE: each.statementDate,
          MANDATE: each.mandates.map(({ status }) => status).join(', ') || 'none',
        }),
      });
    });

  delivery
    .command('show')
    .description('show a held delivery with the mandates for its account or enterprise')
    .argument('<id>', 'id of the delivery', parseId)
    .action(async (id: string) => {
      const held = await context.withDatabase((knex) => find(knex, id));
      const shown = withDeletion(context.readConfig('command').heldDeliveryDays)(held);
      context.printResult(shown, formatDelivery(shown));
    });

  delivery
    .command('release')
    .description('list a held delivery under a mandate that is signed and has not ended')
    .argument('<id>', 'id of the delivery', parseId)
    .option(
      '--mandate <id>',
      'the mandate, if the delivery did not arrive for one that is open',
      parseId,
    )
    .action(async (id: string, options: { mandate?: string }) => {
      const released = await context.withUploads(async (parts) => {
        const held = await find(parts.knex, id);
        const mandate = chooseMandate(held, options.mandate);
        const { releaseDelivery } = await import('../../uploads/deliveries/release-delivery.js');
        const outcome = await releaseDelivery(parts, id, mandate.linkId);
        const refusals = {
          gone: 'has been listed or deleted in the meantime.',
          noLongerKept:
            'is still held: statements of its date were removed after their retention (STATEMENT_YEARS).',
          notCovered: `is still held: mandate ${mandate.id} is ${mandate.status}. A mandate covers it that is signed, confirmed if \`mandate show\` says that it is contested, and of a firm that is not disabled.`,
          notOfSender: `is still held: its sender ${held.sender} may not deliver it any more.`,
          unreadable: 'is still held: its object cannot be read.',
        };
        if (outcome !== 'listed' && outcome !== 'repeated') {
          throw new OperatorFailure(`Delivery ${id} ${refusals[outcome]}`);
        }
        return { id, mandateId: mandate.id, outcome, mandate };
      });
      const { mandate, ...result } = released;
      const found = result.outcome === 'listed' ? 'is listed' : 'was already listed';
      context.printResult(
        result,
        `Delivery ${id} ${found} for ${escapeUnprintable(mandate.customerName)}.\n`,
      );
    });
}

/** @throws OperatorFailure if no delivery with the id is held */
async function find(knex: Knex, id: string): Promise<ShownDelivery> {
  const [found] = await listDeliveries(knex, operatorScope(), { id });
  if (found === undefined) throw new OperatorFailure(`No delivery with the id ${id} is held.`);
  return found;
}

/**
 * Returns the mandate that the operator names, or that for which the delivery arrived. If there is
 * none, only the operator can tell whose signature covers the delivery (D-28).
 *
 * @throws OperatorFailure
 */
function chooseMandate(held: ShownDelivery, mandateId?: string): MatchingMandate {
  const { id, linkId, mandates } = held;
  const chosen = mandates.find((mandate) =>
    mandateId === undefined ? mandate.linkId === linkId : mandate.id === mandateId,
  );
  if (chosen !== undefined) return chosen;
  if (mandateId !== undefined) {
    throw new OperatorFailure(
      `Mandate ${mandateId} is not an open mandate for the account or enterprise of delivery ${id}.`,
    );
  }
  if (mandates.length === 0) {
    throw new OperatorFailure(
      `Delivery ${id} is still held: no firm has an open mandate for its account or enterprise.`,
    );
  }
  const ids = mandates.map((each) => each.id).join(', ');
  throw new OperatorFailure(
    `Delivery ${id} did not arrive for any of the open mandates. Choose one with --mandate: ${ids}.`,
  );
}

type ExpiringDelivery = ShownDelivery & { readonly deletedOn: Date };

function withDeletion(heldDays: number) {
  return (held: ShownDelivery): ExpiringDelivery => ({
    ...held,
    deletedOn: new Date(held.heldOn.getTime() + heldDays * DAY),
  });
}

function formatDelivery(held: ExpiringDelivery): string {
  const arrivedFor = held.mandates.find(({ linkId }) => linkId === held.linkId);
  const ended = held.linkId === null ? 'unknown' : 'an account or provider that was removed';
  const lines = formatLines({
    id: held.id,
    delivery: `${held.product} ${subjectOf(held)}`,
    'delivered by': held.sender,
    number: held.statementNumber,
    date: held.statementDate,
    'arrived for': arrivedFor?.customerName ?? ended,
    held: held.heldOn,
    expires: held.deletedOn,
    upload: `${held.uploadId} ${held.fileName}`,
  });
  const mandates = formatRecords(held.mandates, (each) => ({
    MANDATE: each.id,
    STATUS: each.status,
    PROVIDER: each.payrollProviderCode,
    CUSTOMER: each.customerName,
    FIRM: each.firmName,
  }));
  return [lines, mandates].join('\n');
}

function subjectOf({ iban, enterpriseNumber, payrollProvider }: ShownDelivery): string {
  if (iban !== null) return iban;
  const number = formatEnterpriseNumber(enterpriseNumber ?? '');
  return `${number} ${payrollProvider ?? ''}`;
}
