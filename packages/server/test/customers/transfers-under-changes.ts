import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { ApiError } from '../../src/api/api-error.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { transferCustomer } from '../../src/customers/transfer-customer.js';
import { inTransaction } from '../../src/db/transaction.js';
import { operatorScope } from '../../src/identity/operator-scope.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCoverage } from '../../src/mandates/coverage.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createMandateStore } from '../../src/mandates/mandate-store.js';
import { createLinkedCustomer, iban, newPrincipal } from '../mandates/linked-customer.js';
import { asAuthor } from '../support/as-author.js';
import { createTestDatabase } from '../support/database.js';
import { expectClaims } from '../support/expect-claims.js';
import { createTestKnex } from '../support/knex-for-file.js';

const WRITERS = 12;
const follower = createCustomerMandates();

/** The counts of a run. */
interface Report {
  changes: number;
  transfers: number;
  /** Changes that PostgreSQL aborted because of another one. */
  conflicts: number;
}

/**
 * Makes this many concurrent changes of the customers of two firms: transfers in both directions,
 * changes of names and contacts, accounts, mandates that are requested again, and first deliveries
 * to both firms. Asserts that each enterprise has one customer, and that exactly the active links
 * of customers that are not archived have an open mandate, of the same firm.
 */
export async function transferUnderChanges(changes: number): Promise<Report> {
  const database = await createTestDatabase();
  const knex = createTestKnex(database.url, { poolSize: 2 * WRITERS });
  const report: Report = { changes: 0, transfers: 0, conflicts: 0 };
  try {
    const firms = [await newPrincipal(knex), await newPrincipal(knex)];
    for (const firm of [...firms, ...firms]) {
      const ibans = [newIban(), newIban()];
      await createLinkedCustomer(knex, firm, { ibans, providers: ['sdworx'] });
    }
    const enterprises = await knex('customers').pluck<string[]>('enterprise_number');
    const write = async () => {
      while (report.changes < changes) {
        report.changes += 1;
        const change = oneOf(everyChange);
        let attempts = 0;
        const outcome = await inTransaction(knex, async (trx) => {
          attempts += 1;
          const done = await change(trx, firms);
          await pause(Math.random() * 8);
          return done;
        }).catch((error: unknown) => {
          // An account that is in use meanwhile.
          if (!(error instanceof ApiError)) throw error;
        });
        report.conflicts += attempts - 1;
        if (outcome === 'transferred') report.transfers += 1;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    await check(knex, enterprises, report);
    return report;
  } finally {
    await knex.destroy();
    await database.release();
  }
}

type Change = (trx: Knex.Transaction, firms: readonly Principal[]) => Promise<unknown>;

/** Returns a customer that is not archived, with its firm, which may be another one once locked. */
async function anyCustomer(trx: Knex.Transaction, firms: readonly Principal[]) {
  const row = await trx('customers').whereNull('archived_on').orderByRaw('random()').first();
  const firm = firms.find(({ firmId }) => firmId === row.firm_id) ?? expect.fail();
  return { id: String(row.id), firm };
}

const transfer: Change = async (trx, firms) => {
  const { id: customerId, firm } = await anyCustomer(trx, firms);
  const { firmId: toFirmId } = firms.find((each) => each !== firm) ?? expect.fail();
  const agreedBy = `Jan Peeters ${Math.random()}`;
  const outcome = await transferCustomer(trx, operatorScope(), follower, {
    customerId,
    toFirmId,
    agreedBy,
  });
  // Another transfer may have been faster; then this one repeats it.
  const isRepeated = typeof outcome === 'string' || outcome.agreedBy !== agreedBy;
  return isRepeated ? 'repeated' : 'transferred';
};

const update: Change = async (trx, firms) => {
  const { id, firm } = await anyCustomer(trx, firms);
  const contact_email = `an${Math.random()}@bakkerij.example`;
  const name = `Bakkerij ${Math.random()}`;
  return createCustomerStore(trx, follower).update(asAuthor(firm), id, { name, contact_email });
};

const addAccount: Change = async (trx, firms) => {
  const { id, firm } = await anyCustomer(trx, firms);
  return createCustomerLinkStore(trx, follower).addBankAccount(asAuthor(firm), id, iban(newIban()));
};

const addAccountOfOther: Change = async (trx, firms) => {
  const { id, firm } = await anyCustomer(trx, firms);
  const { iban: taken } = await trx('bank_accounts').orderByRaw('random()').first('iban');
  return createCustomerLinkStore(trx, follower).addBankAccount(asAuthor(firm), id, iban(taken));
};

const disableAccount: Change = async (trx, firms) => {
  const { id, firm } = await anyCustomer(trx, firms);
  const account = await trx('bank_accounts').where({ customer_id: id, disabled_on: null }).first();
  if (account === undefined) return;
  return createCustomerLinkStore(trx, follower).end(asAuthor(firm), id, { iban: account.iban });
};

const requestAgain: Change = async (trx, firms) => {
  const { id: customer_id, firm } = await anyCustomer(trx, firms);
  const mandate = await trx('mandates').where({ customer_id, closed_on: null }).first('id');
  if (mandate === undefined) return;
  return createMandateStore(trx).request(asAuthor(firm), mandate.id);
};

/** The first delivery for the mandates of both firms, which locks both clocks. */
const deliver: Change = async (trx) => {
  const links: { linkId: string; firmId: string }[] = await trx('bank_accounts')
    .whereNull('disabled_on')
    .select({ linkId: 'id', firmId: 'firm_id' });
  await trx.raw(
    `update mandates set status = 'waitingForBank'
      where id in (select id from mandates where closed_on is null and bank_account_id = any(?)
                    order by id for no key update)`,
    [links.map(({ linkId }) => linkId)],
  );
  return createCoverage().delivered(trx, links);
};

const everyChange = [transfer, transfer, transfer, update, addAccount, addAccountOfOther].concat(
  disableAccount,
  requestAgain,
  deliver,
);

async function check(knex: Knex, enterprises: readonly string[], { transfers }: Report) {
  const active = await knex('customers').whereNull('archived_on').pluck('enterprise_number');
  expect(active.sort()).toEqual(enterprises.toSorted());
  const left = await knex('customers').whereNotNull('transferred_to');
  expect(left).toHaveLength(transfers);
  expect(new Set(left.map(({ transferred_to }) => transferred_to)).size).toBe(transfers);
  const { rows } = await knex.raw(
    `select linked.id, m.id as mandate, linked.firm_id, m.firm_id as mandate_firm
       from (select a.id, c.firm_id, c.id as customer_id from bank_accounts a
               join customers c on c.id = a.customer_id and c.archived_on is null
              where a.disabled_on is null
              union all
             select l.id, c.firm_id, c.id from customer_payroll_providers l
               join customers c on c.id = l.customer_id and c.archived_on is null
              where l.removed_on is null) linked
       full join (select * from mandates where closed_on is null) m
         on coalesce(m.bank_account_id, m.payroll_link_id) = linked.id
        and m.customer_id = linked.customer_id and m.firm_id = linked.firm_id
      where linked.id is null or m.id is null`,
  );
  expect(rows, 'links without an open mandate, or the reverse').toEqual([]);
  const orphans = await knex('bank_accounts as a')
    .join('customers as c', 'c.id', 'a.customer_id')
    .whereNull('a.disabled_on')
    .whereNotNull('c.archived_on');
  expect(orphans).toEqual([]);
  await expectClaims(knex);
}

function oneOf<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] ?? expect.fail();
}
