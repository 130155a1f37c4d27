import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { insertAuditEntries } from '../audit/audit-entry.js';
import { parseObjectId } from '../identifiers/object-id.js';

/** A command in the audit trail (D-58), with the ids in its arguments and options. */
export interface AuditedCommand {
  readonly action: string;
  readonly firmId?: string | undefined;
  readonly customerId?: string | undefined;
  readonly objectIds: readonly string[];
}

export function auditedCommand(command: Command): AuditedCommand {
  const { firm, customer, file, upload, user } = command.opts<Record<string, unknown>>();
  return {
    action: nameOf(command),
    firmId: asId(firm),
    customerId: asId(customer),
    objectIds: [...command.processedArgs.flat(), file, upload, user].flatMap(
      (value) => asId(value) ?? [],
    ),
  };
}

function asId(value: unknown): string | undefined {
  return typeof value === 'string' ? parseObjectId(value) : undefined;
}

/** Returns a name such as `customer transfer`. */
function nameOf(command: Command): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : '';
  return `${group}${command.name()}`;
}

/** The outcome of a command, or `begun` before it has an effect. */
type Outcome = 'begun' | 'done' | 'refused';

/** The outcome for one object; without an object, of the whole command. */
export interface ObjectOutcome {
  readonly objectId?: string | undefined;
  readonly outcome: Outcome;
}

export function sameForAll(objectIds: readonly string[], outcome: Outcome): ObjectOutcome[] {
  if (objectIds.length === 0) return [{ outcome }];
  return objectIds.map((objectId) => ({ objectId, outcome }));
}

/**
 * Stores an entry of a command for each object, with the firm and customer of the object, so that
 * the firm finds it too.
 *
 * @param operator - by default the name of the operating system's user
 */
export async function recordCommand(
  knex: Knex,
  { action, firmId, customerId }: AuditedCommand,
  outcomes: readonly ObjectOutcome[],
  operator: string = loginName(),
): Promise<void> {
  const entry = { occurredOn: new Date(), actor: 'operator', operator, action } as const;
  const entries = [];
  for (const { objectId, outcome } of outcomes) {
    // First of the customer, so that the firm is always the one that has it.
    const owner = (await findOwner(knex, customerId)) ?? (await findOwner(knex, objectId));
    entries.push({
      ...entry,
      outcome,
      objectId,
      firmId: firmId ?? owner?.firmId,
      customerId: customerId ?? owner?.customerId ?? undefined,
    });
  }
  await insertAuditEntries(knex, entries);
}

interface Owner {
  readonly firmId: string;
  readonly customerId: string | null;
}

/** Returns whose an object is, by its id, which is unique among all kinds (D-12). */
async function findOwner(knex: Knex, id: string | undefined): Promise<Owner | undefined> {
  if (id === undefined) return undefined;
  const { rows } = await knex.raw<{ rows: Owner[] }>(
    `select id as "firmId", null as "customerId" from firms where id = :id
     union all select firm_id, null from users where id = :id
     union all select firm_id, id from customers where id = :id
     union all select firm_id, customer_id from mandates where id = :id
     union all select firm_id, customer_id from files where id = :id
     union all select g.firm_id, null from uploads u join upload_grants g on g.id = u.grant_id and g.firm_id = u.firm_id
                where u.id = :id
     union all select h.firm_id, coalesce(b.customer_id, p.customer_id)
                 from held_deliveries h
                 left join bank_accounts b on b.id = h.bank_account_id and b.firm_id = h.firm_id
                 left join customer_payroll_providers p
                   on p.id = h.payroll_link_id and p.firm_id = h.firm_id
                where h.id = :id and h.firm_id <> ''
     union all select firm_id, customer_id from kept_evidence where mandate_ids @> array[:id]`,
    { id },
  );
  return rows[0];
}

/** Returns the name of the operating system's user, or the number if there is no name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
