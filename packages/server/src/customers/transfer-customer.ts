import type { Knex } from 'knex';
import { lockFirm } from '../db/firms.js';
import { inTransaction } from '../db/transaction.js';
import type { EnterpriseNumber } from '../identifiers/enterprise-number.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type OperatorScope, visibleCustomers } from '../identity/principal.js';
import { type CustomerOfFirm, claimNumber, releaseNumber } from './claims.js';
import { transferredColumns } from './customer-columns.js';
import { createCustomerLinks } from './customer-links.js';
import type { CustomerListener } from './customer-listener.js';
import { nextUpdate } from './customer-record.js';
import { listTransferred, type TransferredCustomer } from './listed-customers.js';

interface NewTransfer {
  readonly customerId: string;
  readonly toFirmId: string;
  /** The person who agreed for the end customer. */
  readonly agreedBy: string;
}

/**
 * Transfers a customer to another firm (D-48): archives it, and creates it there with the same
 * accounts and payroll providers, for which the new firm's mandates are requested. Its files stay
 * listed for the firm that received them.
 *
 * @returns what is recorded, also by an earlier transfer to the same firm; `'noCustomer'` if there
 *   is none or it is archived, `'sameFirm'` if it belongs to the firm, `'elsewhere'` if it was
 *   transferred to another one
 */
export function transferCustomer(
  knex: Knex,
  operator: OperatorScope,
  listener: CustomerListener,
  { customerId, toFirmId, agreedBy }: NewTransfer,
): Promise<
  TransferredCustomer | 'noCustomer' | 'noFirm' | 'disabledFirm' | 'sameFirm' | 'elsewhere'
> {
  const links = createCustomerLinks(listener);
  return inTransaction(knex, async (trx) => {
    const customer = await lock(trx, operator, customerId);
    const [done] = await listTransferred(trx, operator, { id: customerId });
    if (done !== undefined) return done.transferredTo.firmId === toFirmId ? done : 'elsewhere';
    if (customer === undefined || customer.isArchived) return 'noCustomer';
    if (customer.firmId === toFirmId) return 'sameFirm';
    // So that it is not disabled meanwhile.
    await lockFirm(trx, toFirmId, { isShared: true });
    const firm = await trx('firms').where({ id: toFirmId }).first('disabled_on');
    if (firm === undefined) return 'noFirm';
    if (firm.disabled_on !== null) return 'disabledFirm';
    const newId = newObjectId();
    const { rows } = await trx.raw<{ rows: [{ enterprise_number: EnterpriseNumber }] }>(
      `update customers c
          set archived_on = now(), updated_on = ${nextUpdate}, transferred_to = ?, transfer_agreed_by = ?
        where c.id = ? and c.firm_id = ? returning c.enterprise_number`,
      [newId, agreedBy, customerId, customer.firmId],
    );
    const from = { customerId, firmId: customer.firmId };
    const to = { customerId: newId, firmId: toFirmId };
    const [{ enterprise_number: enterpriseNumber }] = rows;
    await releaseNumber(trx, customerId, enterpriseNumber);
    if (!(await claimNumber(trx, to, enterpriseNumber))) {
      throw new Error('The number that was just released is in use');
    }
    await copyCustomer(trx, from, to);
    await links.transfer(trx, from, to);
    const [transferred] = await listTransferred(trx, operator, { id: customerId });
    if (transferred === undefined) throw new Error('The transfer was not recorded');
    return transferred;
  });
}

/** Locks a customer, so that it is transferred once. */
async function lock(
  trx: Knex.Transaction,
  operator: OperatorScope,
  id: string,
): Promise<{ readonly firmId: string; readonly isArchived: boolean } | undefined> {
  const firmId = await trx('customers').where({ id }).first('firm_id');
  if (firmId === undefined) return undefined;
  const visible = visibleCustomers(operator);
  const { rows } = await trx.raw<{ rows: { firmId: string; isArchived: boolean }[] }>(
    `select c.firm_id as "firmId", c.archived_on is not null as "isArchived"
       from customers c where c.id = ? and c.firm_id = ? and ${visible.sql} for no key update`,
    [id, firmId.firm_id, ...visible.bindings],
  );
  return rows[0];
}

async function copyCustomer(
  trx: Knex.Transaction,
  from: CustomerOfFirm,
  to: CustomerOfFirm,
): Promise<void> {
  const columns = transferredColumns.join(', ');
  await trx.raw(
    `insert into customers (id, firm_id, ${columns})
     select ?, ?, ${columns} from customers where id = ? and firm_id = ?`,
    [to.customerId, to.firmId, from.customerId, from.firmId],
  );
}
