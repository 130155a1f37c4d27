import type { Command } from 'commander';
import type { Knex } from 'knex';
import { formatEnterpriseNumber } from '../identifiers/enterprise-number.js';
import { OperatorFailure } from '../operator-failure.js';
import {
  type FittingMandate,
  type ListedDelivery,
  listDeliveries,
} from '../uploads/deliveries/delivery-directory.js';
import { parseId } from './arguments.js';
import { requireFirm } from './known-firm.js';
import type { OperatorContext } from './operator-context.js';
import { type JsonOption, printResult } from './print-result.js';
import { formatLines, formatTable } from './text-table.js';
import { printable } from './upload-text.js';
import { withUploads } from './with-uploads.js';

interface ListOptions extends JsonOption {
  readonly firm?: string;
  readonly upload?: string;
}

interface ReleaseOptions extends JsonOption {
  readonly mandate?: string;
}

/** `adx-server delivery …`: statements and payroll files that wait for a signed mandate (D-28). */
export function addDeliveryCommands(program: Command, context: OperatorContext): void {
  const delivery = program
    .command('delivery')
    .description('deliveries that are held because no signed mandate covers them');

  delivery
    .command('list')
    .description('list the deliveries that are held, at most 1000')
    .option('--firm <id>', 'those with a mandate of one firm', parseId)
    .option('--upload <id>', 'those of one delivered file', parseId)
    .option('--json', 'print JSON')
    .action(async (options: ListOptions) => {
      const { firm, upload } = options;
      const listed = await context.withDatabase(async (knex) => {
        await requireFirm(knex, firm);
        return listDeliveries(knex, {
          ...(firm !== undefined && { firmId: firm }),
          ...(upload !== undefined && { uploadId: upload }),
        });
      });
      printResult(context, options, listed, () => formatDeliveries(listed));
    });

  delivery
    .command('show')
    .description('show a held delivery with the mandates for its account or enterprise')
    .argument('<id>', 'id of the delivery', parseId)
    .option('--json', 'print JSON')
    .action(async (id: string, options: JsonOption) => {
      const shown = await context.withDatabase((knex) => find(knex, id));
      printResult(context, options, shown, () => formatDelivery(shown));
    });

  delivery
    .command('release')
    .description('list a held delivery under a mandate that is signed and has not ended')
    .argument('<id>', 'id of the delivery', parseId)
    .option('--mandate <id>', 'the mandate, where several fit', parseId)
    .option('--json', 'print JSON')
    .action(async (id: string, options: ReleaseOptions) => {
      const released = await withUploads(context, async (parts) => {
        const held = await find(parts.knex, id);
        const mandate = chooseMandate(held, options.mandate);
        const { releaseDelivery } = await import('../uploads/deliveries/release-delivery.js');
        const outcome = await releaseDelivery(parts, id, mandate.linkId);
        if (outcome === 'notCovered') throw notCovered(id, mandate);
        if (outcome === 'unreadable') {
          throw new OperatorFailure(`Delivery ${id} stays held: its object cannot be read.`);
        }
        if (outcome === 'gone') {
          throw new OperatorFailure(`Delivery ${id} was listed or deleted meanwhile.`);
        }
        return { id, mandateId: mandate.id, outcome, mandate };
      });
      const { mandate, ...result } = released;
      const found = result.outcome === 'listed' ? 'is listed' : 'had been listed before';
      printResult(
        context,
        options,
        result,
        () => `Delivery ${id} ${found} for ${printable(mandate.customerName)}.\n`,
      );
    });
}

/** @throws OperatorFailure when no delivery with the id is held */
async function find(knex: Knex, id: string): Promise<ListedDelivery> {
  const [found] = await listDeliveries(knex, { id });
  if (found === undefined) throw new OperatorFailure(`No delivery with the id ${id} is held.`);
  return found;
}

/** @throws OperatorFailure when none fits, several fit, or the one named does not */
function chooseMandate(held: ListedDelivery, mandateId?: string): FittingMandate {
  const { id, product, linkId, mandates } = held;
  const chosen = mandateId === undefined ? mandates : mandates.filter((m) => m.id === mandateId);
  const [mandate, ...others] = chosen;
  if (mandate === undefined) {
    throw new OperatorFailure(
      mandateId === undefined
        ? `No open mandate fits delivery ${id}: no firm has the account or payroll provider.`
        : `Mandate ${mandateId} is not an open mandate for the account or enterprise of delivery ${id}.`,
    );
  }
  // The source of a payroll file without a link names another provider than that of the mandate.
  const isGuess = mandateId === undefined && product === 'CODB' && linkId === null;
  if (others.length > 0 || isGuess) {
    const ids = mandates.map((each) => each.id).join(', ');
    throw new OperatorFailure(
      `Delivery ${id} does not tell which mandate it is for: name one of ${ids} by --mandate.`,
    );
  }
  return mandate;
}

function notCovered(id: string, { id: mandateId, status }: FittingMandate): OperatorFailure {
  return new OperatorFailure(
    `Delivery ${id} stays held: mandate ${mandateId} is ${status}, and only a signed mandate covers it.`,
  );
}

function formatDeliveries(deliveries: readonly ListedDelivery[]): string {
  return formatTable(
    ['ID', 'HELD', 'PRODUCT', 'FOR', 'NUMBER', 'DATE', 'MANDATE'],
    deliveries.map((each) => [
      each.id,
      each.heldOn.toISOString(),
      each.product,
      subjectOf(each),
      String(each.statementNumber),
      each.statementDate,
      each.mandates.map(({ status }) => status).join(', ') || 'none',
    ]),
  );
}

function formatDelivery(held: ListedDelivery): string {
  const lines = formatLines({
    id: held.id,
    delivery: `${held.product} ${subjectOf(held)}`,
    number: String(held.statementNumber),
    date: held.statementDate,
    held: held.heldOn.toISOString(),
    upload: `${held.uploadId} ${printable(held.fileName)}`,
  });
  const mandates = formatTable(
    ['MANDATE', 'STATUS', 'PROVIDER', 'CUSTOMER', 'FIRM'],
    held.mandates.map((each) => [
      each.id,
      each.status,
      each.payrollProviderCode ?? '',
      printable(each.customerName),
      printable(each.firmName),
    ]),
  );
  return [lines, mandates].join('\n');
}

function subjectOf({ iban, enterpriseNumber, payrollProvider }: ListedDelivery): string {
  if (iban !== null) return iban;
  const number = formatEnterpriseNumber(enterpriseNumber ?? '');
  return `${number} ${printable(payrollProvider ?? '')}`;
}
