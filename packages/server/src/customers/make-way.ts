import type { Knex } from 'knex';
import { insertAuditEntries, type NewAuditEntry } from '../audit/audit-entry.js';
import type { CustomerOfFirm } from './claims.js';
import type {
  AbandonedLink,
  CustomerListener,
  LinksOfFirm,
  WantedLinks,
} from './customer-listener.js';
import { nextUpdate } from './customer-record.js';
import { endLinks } from './link-rows.js';

/**
 * Ends what other firms have of wanted links, where it gives way (D-66). A customer that gives way
 * is archived as by a transfer. Returns false if nothing gives way, or not the number.
 */
export async function makeWay(
  trx: Knex.Transaction,
  listener: CustomerListener,
  to: CustomerOfFirm,
  wanted: Omit<WantedLinks, 'firmId'>,
): Promise<boolean> {
  const abandoned = await listener.lockAbandoned(trx, { ...wanted, firmId: to.firmId });
  const needed = wanted.enterpriseNumber === undefined ? abandoned : abandoned.filter(isCustomer);
  if (needed.length === 0) return false;
  const ended: LinksOfFirm[] = [];
  for (const { iban, ...from } of abandoned) {
    const isAll = iban === null;
    ended.push({ ...from, ...(await endLinks(trx, from, isAll ? {} : { iban })) });
    await trx.raw(
      `update customers c
          set updated_on = ${nextUpdate} ${isAll ? ', archived_on = now(), transferred_to = ?' : ''}
        where c.id = ? and c.firm_id = ?`,
      [...(isAll ? [to.customerId] : []), from.customerId, from.firmId],
    );
  }
  const byCustomer = new Map(ended.map((links) => [links.customerId, links]));
  await insertAuditEntries(trx, [...byCustomer.values()].map(entryOf));
  await listener.gaveWay(trx, ended, to.firmId);
  return true;
}

const isCustomer = ({ iban }: AbandonedLink) => iban === null;

/** The entry of a firm whose link gave way. It does not say to whom. */
const entryOf = ({ firmId, customerId }: CustomerOfFirm): NewAuditEntry => ({
  occurredOn: new Date(),
  actor: 'service',
  firmId,
  customerId,
  action: 'link gave way',
  outcome: 'done',
});
