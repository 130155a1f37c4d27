import type { Knex } from 'knex';
import { setConfidential } from '../customers/customer-confidentiality.js';
import { createCustomerStore } from '../customers/customer-store.js';
import { parseNewCustomer } from '../customers/parse-customer.js';
import { inTransaction } from '../db/transaction.js';
import { createFirmStore } from '../identity/firms.js';
import { hashPassword } from '../identity/passwords.js';
import type { Principal } from '../identity/principal.js';
import { createUserStore } from '../identity/users.js';
import { createCustomerMandates } from '../mandates/customer-mandates.js';
import { setConnector } from '../reference/light-connectors.js';
import { type DemoFirm, demoConnectors, demoFirms } from './demo-firms.js';
import { mandatesOfTheDemo } from './demo-mandates.js';
import { readMandateTable } from './mandate-table.js';
import { createMandateSeeding } from './seed-mandates.js';

/**
 * Stores the demo firms, their users, customers and mandates, through the stores and rules of the service.
 * All or nothing: a start that is interrupted leaves no half demo behind.
 *
 * @param passwords - the password of each user, by username
 */
export function seedDemo(knex: Knex, passwords: Readonly<Record<string, string>>): Promise<void> {
  return inTransaction(knex, async (trx) => {
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
  const users = createUserStore(trx);
  const assignees: string[] = [];
  let creator: Principal | undefined;
  for (const { username, accessLevel, seesCustomers } of demo.users) {
    const { id: userId } = await users.create({
      firmId,
      username,
      passwordHash: await hashPassword(passwords[username] ?? ''),
      accessLevel,
      customers: seesCustomers === 'all' ? 'all' : [],
    });
    if (seesCustomers === 'assigned') assignees.push(userId);
    if (accessLevel === 'administrator') creator ??= { userId, firmId, accessLevel, seesCustomers };
  }
  if (creator === undefined) throw new Error(`${demo.name} has no administrator`);
  const customers = await seedCustomers(trx, demo, creator);
  for (const userId of assignees) await users.update(userId, { customers });
}

/** Creates the customers of a firm and what has become of their mandates; the ids of those to assign. */
async function seedCustomers(
  trx: Knex.Transaction,
  demo: DemoFirm,
  creator: Principal,
): Promise<string[]> {
  const assigned: string[] = [];
  const mandates = readMandateTable(mandatesOfTheDemo);
  const seedMandates = createMandateSeeding(() => new Date());
  for (const { request, isConfidential, isAssigned } of demo.customers) {
    const { id } = await createCustomerStore(trx, createCustomerMandates()).create(
      creator,
      parseNewCustomer(request),
    );
    const seeded = mandates.get(request.accountingRef);
    if (seeded !== undefined) await seedMandates(trx, id, seeded);
    if (isConfidential) await setConfidential(trx, id, true);
    if (isAssigned) assigned.push(id);
  }
  return assigned;
}
