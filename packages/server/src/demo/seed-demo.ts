import type { Knex } from 'knex';
import { setConfidential } from '../customers/customer-confidentiality.js';
import { createCustomerStore } from '../customers/customer-store.js';
import { parseNewCustomer } from '../customers/parse-customer.js';
import { createFirmStore } from '../identity/firms.js';
import { hashPassword } from '../identity/passwords.js';
import type { Principal } from '../identity/principal.js';
import { createUserStore } from '../identity/users.js';
import { createCustomerMandates } from '../mandates/customer-mandates.js';
import { setConnector } from '../reference/light-connectors.js';
import { type DemoFirm, demoConnectors, demoFirms } from './demo-firms.js';

/**
 * Stores the demo firms, their users and customers, through the stores and rules of the service.
 * All or nothing: a start that is interrupted leaves no half demo behind.
 *
 * @param passwords - the password of each user, by username
 */
export function seedDemo(knex: Knex, passwords: Readonly<Record<string, string>>): Promise<void> {
  return knex.transaction(async (trx) => {
    // Before the accounts of their banks, whose mandates are consents then.
    for (const [bic, connector] of Object.entries(demoConnectors)) {
      await setConnector(trx, bic, connector);
    }
    for (const firm of demoFirms) await seedFirm(trx, firm, passwords);
  });
}

async function seedFirm(
  trx: Knex.Transaction,
  demo: DemoFirm,
  passwords: Readonly<Record<string, string>>,
): Promise<void> {
  const { id: firmId } = await createFirmStore(trx).create(demo);
  const administrator = { firmId, accessLevel: 'administrator', seesCustomers: 'all' } as const;
  const assigned = await seedCustomers(trx, demo, { ...administrator, userId: firmId });
  for (const { username, accessLevel, seesCustomers } of demo.users) {
    await createUserStore(trx).create({
      firmId,
      username,
      passwordHash: await hashPassword(passwords[username] ?? ''),
      accessLevel,
      customers: seesCustomers === 'all' ? 'all' : assigned,
    });
  }
}

/** Creates the customers of a firm; the ids of those to assign. */
async function seedCustomers(
  trx: Knex.Transaction,
  demo: DemoFirm,
  principal: Principal,
): Promise<string[]> {
  const assigned: string[] = [];
  for (const { request, isConfidential, isAssigned } of demo.customers) {
    const { id } = await createCustomerStore(trx, createCustomerMandates()).create(
      principal,
      parseNewCustomer(request),
    );
    if (isConfidential) await setConfidential(trx, id, true);
    if (isAssigned) assigned.push(id);
  }
  return assigned;
}
