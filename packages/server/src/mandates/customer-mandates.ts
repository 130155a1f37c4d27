import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import type { CustomerListener, Links, LinksOfFirm } from '../customers/customer-listener.js';
import { newObjectId } from '../identifiers/object-id.js';
import { firstStatus, kindOf } from './lifecycle.js';
import { type Actor, addToHistory, takeInstants } from './mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from './open-mandates.js';
import { requestSignature, resendSignatureRequests } from './signing/signature-requests.js';
import { defaultUnsignedLinks, lockAbandoned, requireRoom } from './unsigned-links.js';

/** The columns of a new mandate that come from its link. */
interface LinkRow {
  readonly product: Product;
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
  readonly is_contested: boolean;
}

/**
 * Creates, requests, updates and closes mandates as their customers change, in the transaction of
 * the change.
 */
export function createCustomerMandates(
  now: () => Date = () => new Date(),
  unsignedLinks = defaultUnsignedLinks,
): CustomerListener {
  return {
    /** @throws ApiError `tooManyUnsignedLinks` */
    async linked(trx, change) {
      const { firmId, userId } = change.principal;
      const opened = await open(trx, { ...change, firmId }, { kind: 'user', userId }, now());
      // Locks the clock also without links, so that calls at once are counted one after the other.
      if (!opened) await takeInstants(trx, firmId, 1);
      await requireRoom(trx, firmId, unsignedLinks, now());
    },

    lockAbandoned: (trx, wanted) => lockAbandoned(trx, wanted, unsignedLinks, now()),

    /** Closes the mandates of links that gave way to another firm (D-66). */
    gaveWay: (trx, ended, toFirmId) => closeForOther(trx, ended, toFirmId, { kind: 'service' }),

    async unlinked(trx, change) {
      const { firmId, userId } = change.principal;
      await close(trx, { ...change, firmId }, { kind: 'user', userId });
    },

    /**
     * Closes the mandates of a customer that moves to another firm, and requests new ones (D-48).
     */
    async transferred(trx, ended, linked) {
      await closeForOther(trx, [ended], linked.firmId, { kind: 'operator' });
      await open(trx, linked, { kind: 'operator' }, now());
    },

    contactEmailChanged: resendSignatureRequests,

    /** Updates the mandates of a renamed customer, which are sorted by its name. */
    async renamed(trx, { customerId, firmId }) {
      const mandates = await lockOpenMandates(trx, { customer_id: customerId }, firmId);
      if (mandates.length === 0) return;
      await changeEach(trx, firmId, mandates, 'customer_name_sort = c.name_sort');
    },
  };
}

async function closeForOther(
  trx: Knex.Transaction,
  ended: readonly LinksOfFirm[],
  toFirmId: string,
  actor: Actor,
): Promise<void> {
  const bankAccountIds = ended.flatMap((links) => links.bankAccountIds);
  const payrollLinkIds = ended.flatMap((links) => links.payrollLinkIds);
  await lockOpenMandates(trx, ofLinks({ bankAccountIds, payrollLinkIds }));
  // Every transaction that locks the clocks of several firms locks them in this order.
  const firmIds = new Set([...ended.map(({ firmId }) => firmId), toFirmId]);
  for (const firmId of [...firmIds].sort()) await takeInstants(trx, firmId, 1);
  for (const links of ended) await close(trx, links, actor);
}

/**
 * Creates the mandates of links, and sends one signature request for all that are supported.
 * Returns false without links.
 */
async function open(
  trx: Knex.Transaction,
  change: LinksOfFirm,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const links = await readLinks(trx, change);
  if (links.length === 0) return false;
  const { customerId, firmId } = change;
  const instants = await takeInstants(trx, firmId, links.length);
  const mandates = links.map(({ is_supported, ...columns }, i) => {
    const { product, connector_id: connectorId, is_contested: isContested } = columns;
    return {
      ...{ id: newObjectId(), firm_id: firmId, customer_id: customerId },
      status: firstStatus(kindOf({ product, connectorId, isContested }), is_supported),
      ...columns,
      created_on: instants[i],
      updated_on: instants[i],
    };
  });
  await trx('mandates').insert(mandates);
  await addToHistory(
    trx,
    firmId,
    { trigger: 'linked', actor },
    mandates.map(({ id, status }, i) => ({ id, to: status, happenedOn: instants[i] })),
  );
  const mandateIds = mandates.filter(({ status }) => status === 'created').map(({ id }) => id);
  if (mandateIds.length > 0) await requestSignature(trx, { firmId, customerId }, mandateIds, now);
  return true;
}

/** Closes mandates. This is no step of the lifecycle: a mandate can be closed in any status. */
async function close(trx: Knex.Transaction, links: LinksOfFirm, actor: Actor): Promise<void> {
  const { firmId } = links;
  const mandates = await lockOpenMandates(trx, ofLinks(links), firmId);
  if (mandates.length === 0) return;
  const instants = await changeEach(trx, firmId, mandates, 'closed_on = change.happened_on');
  await addToHistory(
    trx,
    firmId,
    { trigger: 'unlinked', actor },
    mandates.map(({ id, status }, i) => ({ id, from: status, happenedOn: instants[i] })),
  );
}

/**
 * Changes mandates of a firm and returns the instant of each (D-26).
 *
 * @param set - SQL over `mandates m`, their customers `c` and the `change.happened_on` of each
 */
async function changeEach(
  trx: Knex.Transaction,
  firmId: string,
  mandates: readonly OpenMandate[],
  set: string,
): Promise<Date[]> {
  const instants = await takeInstants(trx, firmId, mandates.length);
  await trx.raw(
    `update mandates m set ${set}, updated_on = change.happened_on
       from customers c,
            jsonb_to_recordset(?::jsonb) as change (id text, happened_on timestamptz)
      where c.id = m.customer_id and c.firm_id = m.firm_id and m.id = change.id
        and m.firm_id = ?`,
    [JSON.stringify(mandates.map(({ id }, i) => ({ id, happened_on: instants[i] }))), firmId],
  );
  return instants;
}

function ofLinks({ bankAccountIds, payrollLinkIds }: Links) {
  return { bank_account_id: bankAccountIds, payroll_link_id: payrollLinkIds };
}

/** Returns the links in the order of the request. */
async function readLinks(
  trx: Knex.Transaction,
  { customerId, firmId, bankAccountIds, payrollLinkIds }: LinksOfFirm,
): Promise<LinkRow[]> {
  type Row = Omit<LinkRow, 'is_contested'> & { readonly subjects: readonly string[] };
  const { rows } = await trx.raw<{ rows: Row[] }>(
    `select 'CODA' as product,
            coalesce(b.coda_supported or b.connector_id is not null, false) as is_supported,
            a.id as bank_account_id, null as payroll_link_id, b.connector_id,
            c.name_sort as customer_name_sort, c.enterprise_number, a.iban, a.bank_code,
            lower(b.name collate "und-x-icu") as bank_name_sort, null as payroll_provider_code,
            array[a.iban] as subjects
       from bank_accounts a
       join customers c on c.id = a.customer_id and c.firm_id = a.firm_id
       left join banks_by_code b on b.bank_code = a.bank_code
      where c.id = :customerId and c.firm_id = :firmId and a.id = any(:bankAccountIds)
     union all
     select 'CODB', p.supported, null, l.id, null,
            c.name_sort, c.enterprise_number, null, null, null, l.code,
            array[c.enterprise_number, c.enterprise_number || ' ' || l.code]
       from customer_payroll_providers l
       join customers c on c.id = l.customer_id and c.firm_id = l.firm_id
       join payroll_providers p on p.code = l.code
      where c.id = :customerId and c.firm_id = :firmId and l.id = any(:payrollLinkIds)
      order by bank_account_id, payroll_link_id`,
    { customerId, firmId, bankAccountIds, payrollLinkIds },
  );
  const held = await heldByOthers(
    trx,
    firmId,
    rows.flatMap(({ subjects }) => subjects),
  );
  return rows.map(({ subjects, ...row }) => ({
    ...row,
    is_contested: subjects.some((each) => held.has(each)),
  }));
}

/** Returns the subjects that another firm, or a delivery, had before (D-66). */
async function heldByOthers(
  trx: Knex.Transaction,
  firmId: string,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await trx.raw<{ rows: { subject: string }[] }>(
    `select subject from unnest(?::text[]) subject
      where exists (select from link_holders h
                     where h.subject = sha256(convert_to(subject.subject, 'UTF8')) and h.holder <> ?)`,
    [[...subjects], firmId],
  );
  return new Set(rows.map(({ subject }) => subject));
}
