import type { Knex } from 'knex';
import { createCustomerStore } from '../../../../src/customers/customer-store.js';
import { parseNewCustomer } from '../../../../src/customers/parse-customer.js';
import { newObjectId } from '../../../../src/identifiers/object-id.js';
import { createFirmStore } from '../../../../src/identity/firms.js';
import type { Principal } from '../../../../src/identity/principal.js';
import { createCustomerMandates } from '../../../../src/mandates/customer-mandates.js';
import { asAuthor } from '../../../support/as-author.js';
import { insertUser } from '../../../support/rows.js';
import { createdFirm } from '../../../support/users.js';

/** Creates a customer with three mandates of one signature request, in a new firm. */
export async function createCustomerWithMandates(
  knex: Knex,
  { enterpriseNumber, ibans }: { enterpriseNumber: string; ibans: readonly string[] },
) {
  const firm = createdFirm(
    await createFirmStore(knex).create({
      name: `Kantoor Peeters ${newObjectId()}`,
      codbUpload: false,
    }),
  );
  const username = `els@${firm.tenant}.example`;
  const principal: Principal = {
    userId: await insertUser(knex, firm.id, { username, access_level: 'administrator' }),
    firmId: firm.id,
    accessLevel: 'administrator',
    seesCustomers: 'all',
  };
  const customer = await createCustomerStore(knex, createCustomerMandates()).create(
    asAuthor(principal),
    parseNewCustomer({
      enterpriseNumber,
      name: 'Bakkerij De Gouden Korst',
      accountingRef: 'K-1',
      address: {
        street: 'Veldstraat 12',
        zipCode: '9000',
        municipality: 'Gent',
        country: 'België',
      },
      contact: {
        name: 'An Peeters',
        function: 'Zaakvoerder',
        email: 'an@gouden-korst.example',
        language: 'nl',
      },
      bankAccounts: ibans.map((iban) => ({ iban })),
      payrollProviders: [{ code: 'sdworx' }],
    }),
  );
  if (typeof customer === 'string') throw new Error(customer);
  return { firm, username, principal, customer };
}
