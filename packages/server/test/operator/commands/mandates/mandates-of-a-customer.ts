import type { Knex } from 'knex';
import { expect } from 'vitest';
import { newEnterpriseNumber } from '../../../../../../test/support/numbers.js';
import { createCustomerStore } from '../../../../src/customers/customer-store.js';
import { parseNewCustomer } from '../../../../src/customers/parse-customer.js';
import { newObjectId } from '../../../../src/identifiers/object-id.js';
import { createFirmStore } from '../../../../src/identity/firms.js';
import type { Principal } from '../../../../src/identity/principal.js';
import { createCustomerMandates } from '../../../../src/mandates/customer-mandates.js';
import { createSigningUrls } from '../../../../src/mandates/signing/signing-urls.js';
import { answerAsShown, type TestAnswer } from '../../../mandates/answer-as-shown.js';
import { asAuthor } from '../../../support/as-author.js';
import { insertUser } from '../../../support/rows.js';
import { createdFirm } from '../../../support/users.js';

/** Creates a customer in a new firm, with one signature request for its accounts and SD Worx. */
export async function createCustomerWithMandates(
  knex: Knex,
  ibans: readonly string[] = [],
  enterpriseNumber = newEnterpriseNumber(),
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

/** Answers the latest signature request of a customer with its signing URL, and returns its id. */
export async function answerLatest(
  knex: Knex,
  customerId: string,
  given: Partial<TestAnswer> = {},
  now = new Date(),
): Promise<string> {
  const { id: requestId, firm_id: firmId } = await knex('signature_requests')
    .where({ customer_id: customerId })
    .orderBy('id', 'desc')
    .first('id', 'firm_id');
  const mail = { requestId, firmId, delivery: 1 };
  const link = await createSigningUrls('', 'x'.repeat(32)).create(knex, mail);
  const answer: TestAnswer = {
    ...{ answer: 'signed', signerName: 'An Peeters' },
    ...{ address: '203.0.113.7', userAgent: 'Mozilla/5.0' },
    ...given,
  };
  expect(await answerAsShown(knex, link.replace('/sign/', ''), answer, now)).toBeDefined();
  return requestId;
}
