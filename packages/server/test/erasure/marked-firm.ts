import { newIban } from '../../../../test/support/numbers.js';
import { createCustomerStore } from '../../src/customers/customer-store.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import type { Principal } from '../../src/identity/principal.js';
import { createCustomerMandates } from '../../src/mandates/customer-mandates.js';
import { createLinkedCustomer, mandatesOf, newPrincipal } from '../mandates/linked-customer.js';
import { answerLatest } from '../operator/commands/mandates/mandates-of-a-customer.js';
import { asAuthor } from '../support/as-author.js';
import { everyColumn } from '../support/rows.js';
import { codaFile, codbFile, enterpriseNumber } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads } from '../uploads/set-up-uploads.js';

/** Stands in every field that a person could write. */
export const marker = 'xqz';

/** Takes a customer through uploads, a signature, deliveries and rejections, and archives it. */
export async function setUpMarkedFirm(atEnd: Parameters<typeof setUpUploads>[0]) {
  const work = await setUpUploads(atEnd);
  const { knex, principal } = work;
  const { firmId, userId } = principal;
  const [iban, otherIban, foreignIban] = [newIban(), newIban(), newIban()];
  const number = enterpriseNumber();
  const firm = { name: 'Kantoor Xqzfirm', email: 'xqzfirm@firm.example', phone: '+32 9 xqz' };
  await knex('firms').where({ id: firmId }).update(firm);
  await knex('users')
    .where({ id: userId })
    .update({ username: 'xqzuser@firm.example', password_hash: '$argon2id$xqz' });
  const customerId = await work.create(
    { ibans: [iban], providers: ['sdworx'] },
    { ...everyColumn, enterprise_number: number },
  );
  const customer = await work.create({ ibans: [otherIban] });
  const foreign = await newPrincipal(knex);
  const foreignId = await createLinkedCustomer(knex, foreign, { ibans: [foreignIban] });

  const mine = (statement: number, communication = `xqz ${statement}`) =>
    ({ iban, number: statement, communication }) as const;
  // Held, in one file with a statement of another firm.
  await work.deliver(codaFile(mine(1), { iban: foreignIban, number: 1 }));
  await work.upload('CODA', 'both.cod', codaFile(mine(2), { iban: otherIban, number: 2 }));
  await work.upload('CODA', 'xqz.cod', codaFile(mine(3)));
  await work.upload('CODA', 'again.cod', codaFile(mine(3)));
  await work.upload('CODB', 'xqz.xml', codbFile({ enterpriseNumber: number, label: 'xqzwages' }));
  await work.upload('CODA', 'partly.cod', codaFile(mine(4), { iban: newIban(), number: 1 }));
  await work.readAll();
  await sign(work, customerId);
  await work.deliver(codaFile(mine(5), { iban: foreignIban, number: 2 }));
  await work.printAll();
  await insertRest(work, principal, customerId);

  const store = createCustomerStore(knex, createCustomerMandates());
  await store.archive(asAuthor(principal), customerId);
  await work.upload('CODA', 'late.cod', codaFile(mine(6)));
  await work.deliver(codaFile(mine(7)));
  await work.readAll();
  await work.upload('CODA', 'unread.cod', codaFile(mine(8)));
  await work.upload('CODA', 'others-unread.cod', codaFile({ iban: otherIban, number: 3 }));

  const mandateIds = (await mandatesOf(knex, customerId)).map(({ id }) => id);
  const own: string[] = [];
  const links = ['bank_accounts', 'customer_payroll_providers'];
  for (const table of ['files', 'signature_requests', ...links]) {
    own.push(...(await knex(table).where({ customer_id: customerId }).pluck('id')));
  }
  return {
    ...{ work, firmId, customerId, number, mandateIds },
    /** The texts that identify the customer. */
    traces: [marker, customerId, number, iban, iban.slice(4), ...mandateIds, ...own],
    /** A customer of the same firm, and of another one, which must not change. */
    others: { customerIds: [customer, foreignId], firmId: foreign.firmId },
  };
}

/** Signs the mandates of a customer, with jobs for the evidence whose mail fails. */
export async function sign({ knex }: Uploads, customerId: string): Promise<void> {
  const requestId = await answerLatest(knex, customerId, {
    ...{ signerName: 'Jan Xqzsigner', address: '203.0.113.77', userAgent: 'Xqzbrowser/1' },
  });
  await knex('graphile_worker._private_jobs')
    .whereRaw('position(? in key) > 0', [requestId])
    .update({ last_error: '550 an@xqzmail.example' });
}

/** Inserts the rows that this test does not bring about by itself. */
async function insertRest(
  { knex, apiKeyId }: Uploads,
  { firmId, userId }: Principal,
  customerId: string,
): Promise<void> {
  const [file] = await knex('files').where({ customer_id: customerId });
  const request = await knex('signature_requests').where({ customer_id: customerId }).first();
  const list = { firm_id: firmId, customer_id: customerId, product: file.product };
  const byUser = { user_id: userId, api_key_id: apiKeyId };
  const at = new Date();
  const account = { iban: file.iban, currency: 'EUR', extension: '' };
  const rows: Record<string, object> = {
    outgoing_mails: {
      ...{ id: `${request.id}.2`, kind: 'request', request_id: request.id, delivery: 2 },
      ...{ firm_id: firmId, customer_id: customerId },
      ...{ address: 'an@xqzmail.example', allowed_on: at },
    },
    acknowledged_arrivals: { ...byUser, ...list },
    file_acknowledgements: { ...byUser, ...list, arrival: file.arrival },
    user_customers: { user_id: userId, firm_id: firmId, customer_id: customerId },
    missing_statements: {
      ...{ id: newObjectId(), firm_id: firmId, customer_id: customerId, ...account },
      kind: 'overdue',
      ...{ after_date: '2026-01-01', detected_on: at },
    },
    refresh_tokens: {
      ...{ user_id: userId, firm_id: firmId, token_hash: Buffer.alloc(32) },
      ...{ partner: 'p', expires_on: at },
    },
    idempotent_answers: {
      ...{ ...byUser, firm_id: firmId },
      ...{ key_hash: Buffer.alloc(32), fingerprint: Buffer.alloc(32) },
      ...{ answer: JSON.stringify({ id: customerId, name: 'Xqzname' }), created_on: at },
    },
    rate_limit_windows: { caller: `${apiKeyId} ${firmId}`, number: 1, drawn: 1 },
  };
  for (const [table, row] of Object.entries(rows)) await knex(table).insert(row);
}
