import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerLinkStore } from '../../src/customers/customer-link-store.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { lockOpenMandates } from '../../src/mandates/open-mandates.js';
import { reportStep } from '../../src/mandates/report-step.js';
import {
  lockSignatureRequest,
  requestAgain,
  resendSignatureRequests,
} from '../../src/mandates/signing/signature-requests.js';
import { createSigningUrls } from '../../src/mandates/signing/signing-urls.js';
import { lockCheckpoint } from '../../src/uploads/upload-store.js';
import { asAuthor } from '../support/as-author.js';
import { knexForFile } from '../support/knex-for-file.js';
import { answerAsShown } from './answer-as-shown.js';
import { createLinkedCustomer, iban, mandatesOf, newPrincipal } from './linked-customer.js';
import { waitUntilBlocked } from './wait-until-blocked.js';

const knex = await knexForFile();
const follower = createCustomerMandates();

/** The ids of the rows that a test locks. */
interface Rows {
  readonly principal: Principal;
  readonly customers: string;
  readonly mandates: string;
  readonly signature_requests: string;
  readonly uploads: string;
}

async function insertRows(): Promise<Rows> {
  const principal = await newPrincipal(knex);
  const customerId = await createLinkedCustomer(knex, principal, { ibans: [newIban()] });
  const [mandate = expect.fail()] = await mandatesOf(knex, customerId);
  const uploadId = newObjectId();
  await knex('uploads').insert({
    ...{ id: uploadId, product: 'CODA', bucket: 'b', object_key: uploadId, etag: 'e', size: 1 },
    ...{ received_on: new Date(), source: 'upload' },
  });
  return {
    ...{ principal, customers: customerId, mandates: mandate.id, uploads: uploadId },
    signature_requests: mandate.signature_request_id ?? '',
  };
}

/** Begins a transaction that is rolled back at the end of the test. */
async function begin(): Promise<Knex.Transaction> {
  const trx = await knex.transaction();
  onTestFinished(async () => {
    await trx.rollback();
  });
  return trx;
}

const now = new Date();
type Table = Exclude<keyof Rows, 'principal'>;
type Hold = (trx: Knex.Transaction, rows: Rows) => Promise<unknown>;

const holds: readonly [string, Table, Hold][] = [
  [
    'a change',
    'customers',
    (trx, { principal, customers: id }) =>
      createCustomerStore(trx, follower).update(asAuthor(principal), id, { name: 'Bakkerij' }),
  ],
  [
    'an account',
    'customers',
    (trx, { principal, customers: id }) =>
      createCustomerLinkStore(trx, follower).addBankAccount(
        asAuthor(principal),
        id,
        iban(newIban()),
      ),
  ],
  [
    'an archival',
    'customers',
    (trx, { principal, customers: id }) =>
      createCustomerStore(trx, follower).archive(asAuthor(principal), id),
  ],
  [
    'a new request',
    'customers',
    async (trx, { principal, mandates: id }) => {
      await trx('mandates').where({ id }).update({ status: 'expired' });
      expect(await requestAgain(trx, principal, id, now)).toBe('requested');
    },
  ],
  [
    'a message that came back',
    'customers',
    (trx, { mandates: mandateId }) =>
      reportStep(trx, { mandateId, trigger: 'deliveryFailed', actor: { kind: 'operator' }, now }),
  ],
  [
    'a step',
    'signature_requests',
    (trx, { principal, signature_requests: id }) => lockSignatureRequest(trx, id, principal.firmId),
  ],
  [
    'a new address',
    'signature_requests',
    (trx, { principal, customers }) =>
      resendSignatureRequests(trx, { ...principal, customerId: customers }),
  ],
  ['a step', 'mandates', (trx, { mandates: id }) => lockOpenMandates(trx, { id })],
  ['its reading', 'uploads', (trx, { uploads: id }) => lockCheckpoint(trx, { id, firmId: '' }, 0)],
];

/** Locks a row like a foreign key of another table. */
const refer = (run: Knex, table: Table, rows: Rows) =>
  run.raw(`select from ${table} where id = ? for key share`, [rows[table]]);

test.each(holds)(
  'db: %s, which locks its row of %s, and foreign keys do not wait for each other',
  async (_, table, hold) => {
    const rows = await insertRows();
    await refer(await begin(), table, rows);
    await hold(await begin(), rows);
    await refer(knex, table, rows);
  },
);

test('db: an answer refers to the customer before it waits for its request', async () => {
  const rows = await insertRows();
  const links = createSigningUrls('https://adx.example', 'a secret for tests alone');
  const requestId = rows.signature_requests;
  const { firmId } = rows.principal;
  const link = await links.create(knex, { requestId, firmId, delivery: 1 });
  const trx = await knex.transaction();
  await resendSignatureRequests(trx, { firmId, customerId: rows.customers });
  const given = { answer: 'declined', signerName: null, address: null, userAgent: null } as const;
  const answering = answerAsShown(knex, link.slice(-43), given, now);
  await waitUntilBlocked(knex);
  const removing = knex.raw('select from customers where id = ? for update nowait', [
    rows.customers,
  ]);
  await expect(removing).rejects.toMatchObject({ code: '55P03' });
  await trx.rollback();
  expect(await answering).toMatchObject({ state: 'declined' });
});
