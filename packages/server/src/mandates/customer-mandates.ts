import type { MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { firstStatus, type MandateKind } from './lifecycle.js';
import { type Actor, actorColumns, takeInstants } from './mandate-steps.js';
import { lockOpenMandates, type MandateChoice } from './open-mandates.js';
import { requestSignature, resendSignatureRequests } from './signing/signature-requests.js';

/** A user of the firm. */
interface User {
  readonly userId: string;
  readonly firmId: string;
}

/** Links of a customer that begin or end, and who changes them. */
interface LinkChange {
  readonly customerId: string;
  readonly principal: User;
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** What a new mandate takes from the link it is for. */
interface LinkRow {
  readonly kind: MandateKind;
  readonly is_supported: boolean;
  readonly bank_account_id: string | null;
  readonly payroll_link_id: string | null;
  readonly connector_id: number | null;
  readonly customer_name_sort: string;
  readonly enterprise_number: string;
  readonly iban: string | null;
  readonly bank_code: string | null;
  readonly bank_name_sort: string | null;
  readonly payroll_provider_code: string | null;
}

/**
 * What becomes of mandates when a customer changes, in the same transaction: they begin and are
 * requested with the links they are for, and end with them.
 */
export function createCustomerMandates(now: () => Date = () => new Date()) {
  return {
    /** Begins the mandates of new links, and asks the contact once for all that are supported. */
    async linked(trx: Knex.Transaction, change: LinkChange): Promise<void> {
      const links = await readLinks(trx, change);
      if (links.length === 0) return;
      const { firmId, userId } = change.principal;
      const { customerId } = change;
      const instants = await takeInstants(trx, firmId, links.length);
      const mandates = links.map(({ kind, is_supported, ...columns }, i) => ({
        id: newObjectId(),
        firm_id: firmId,
        customer_id: customerId,
        product: kind === 'codb' ? 'CODB' : 'CODA',
        status: firstStatus(kind, is_supported),
        ...columns,
        created_on: instants[i],
        updated_on: instants[i],
      }));
      await trx('mandates').insert(mandates);
      await trx('mandate_history').insert(
        mandates.map(({ id, status, created_on }) => ({
          mandate_id: id,
          to_status: status,
          trigger: 'linked',
          ...actorColumns({ kind: 'user', userId }),
          happened_on: created_on,
        })),
      );
      const mandateIds = mandates.filter(isCreated).map(({ id }) => id);
      if (mandateIds.length > 0) {
        await requestSignature(trx, { firmId, customerId, mandateIds, now: now() });
      }
    },

    /** Closes the mandates of links that ended: they are no longer listed. */
    async unlinked(trx: Knex.Transaction, change: LinkChange): Promise<void> {
      const { bankAccountIds: bank_account_id, payrollLinkIds: payroll_link_id } = change;
      const actor: Actor = { kind: 'user', userId: change.principal.userId };
      await close(trx, { bank_account_id, payroll_link_id }, actor);
    },

    contactEmailChanged: resendSignatureRequests,

    /** A mandate shows the name of its customer: a new name is a change of the mandate. */
    async renamed(trx: Knex.Transaction, customerId: string): Promise<void> {
      const mandates = await lockOpenMandates(trx, { customer_id: customerId });
      const [first] = mandates;
      if (first === undefined) return;
      const instants = await takeInstants(trx, first.firmId, mandates.length);
      await trx.raw(
        `update mandates m set customer_name_sort = c.name_sort, updated_on = change.updated_on
           from customers c,
                jsonb_to_recordset(?::jsonb) as change (id text, updated_on timestamptz)
          where c.id = m.customer_id and m.id = change.id`,
        [JSON.stringify(mandates.map(({ id }, i) => ({ id, updated_on: instants[i] })))],
      );
    },
  };
}

function isCreated({ status }: { readonly status: MandateStatus }): boolean {
  return status === 'created';
}

/** The new links in the order in which they were named. */
async function readLinks(
  trx: Knex.Transaction,
  { customerId, bankAccountIds, payrollLinkIds }: LinkChange,
): Promise<LinkRow[]> {
  const { rows } = await trx.raw<{ rows: LinkRow[] }>(
    `select case when b.connector_id is null then 'coda' else 'lightConnector' end as kind,
            coalesce(b.coda_supported or b.connector_id is not null, false) as is_supported,
            a.id as bank_account_id, null as payroll_link_id, b.connector_id,
            c.name_sort as customer_name_sort, c.enterprise_number, a.iban, a.bank_code,
            lower(b.name collate "und-x-icu") as bank_name_sort, null as payroll_provider_code
       from bank_accounts a
       join customers c on c.id = a.customer_id
       left join banks_by_code b on b.bank_code = a.bank_code
      where a.customer_id = :customerId and a.id = any(:bankAccountIds)
     union all
     select 'codb', p.supported, null, l.id, null,
            c.name_sort, c.enterprise_number, null, null, null, l.code
       from customer_payroll_providers l
       join customers c on c.id = l.customer_id
       join payroll_providers p on p.code = l.code
      where l.customer_id = :customerId and l.id = any(:payrollLinkIds)
      order by bank_account_id, payroll_link_id`,
    { customerId, bankAccountIds: [...bankAccountIds], payrollLinkIds: [...payrollLinkIds] },
  );
  return rows;
}

/** Closing is no step of the lifecycle: it ends a mandate in whatever status it is. */
async function close(trx: Knex.Transaction, choice: MandateChoice, actor: Actor): Promise<void> {
  const mandates = await lockOpenMandates(trx, choice);
  const [first] = mandates;
  if (first === undefined) return;
  const instants = await takeInstants(trx, first.firmId, mandates.length);
  await trx.raw(
    `update mandates m set closed_on = change.closed_on, updated_on = change.closed_on
       from jsonb_to_recordset(?::jsonb) as change (id text, closed_on timestamptz)
      where m.id = change.id`,
    [JSON.stringify(mandates.map(({ id }, i) => ({ id, closed_on: instants[i] })))],
  );
  await trx('mandate_history').insert(
    mandates.map(({ id, status }, i) => ({
      mandate_id: id,
      from_status: status,
      trigger: 'unlinked',
      ...actorColumns(actor),
      happened_on: instants[i],
    })),
  );
}
