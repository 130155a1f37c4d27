import { setTimeout as pause } from 'node:timers/promises';
import type { createKnex } from '@adx/server';
import { createCustomerLinks } from '../../../packages/server/src/customers/customer-links.js';
import { inTransaction } from '../../../packages/server/src/db/transaction.js';
import type { Principal } from '../../../packages/server/src/identity/principal.js';
import { createCustomerMandates } from '../../../packages/server/src/mandates/customer-mandates.js';
import { nextStatus } from '../../../packages/server/src/mandates/lifecycle.js';
import { applyStep } from '../../../packages/server/src/mandates/mandate-steps.js';
import { createMandateStore } from '../../../packages/server/src/mandates/mandate-store.js';
import { lockOpenMandates } from '../../../packages/server/src/mandates/open-mandates.js';
import { createSigningUrls } from '../../../packages/server/src/mandates/signing/signing-urls.js';
import { endSigningPeriod } from '../../../packages/server/src/mandates/tasks.js';
import { answerAsShown } from '../../../packages/server/test/mandates/answer-as-shown.js';
import { everyTrigger } from '../../../packages/server/test/mandates/lifecycle-table.js';
import {
  createLinkedCustomer,
  iban,
} from '../../../packages/server/test/mandates/linked-customer.js';
import { asAuthor } from '../../../packages/server/test/support/as-author.js';
import { newIban } from '../../support/numbers.js';

type Knex = ReturnType<typeof createKnex>;
type Transaction = Parameters<typeof lockOpenMandates>[0];

const follower = createCustomerMandates();
const links = createCustomerLinks(follower);
const signingUrls = createSigningUrls('https://adx.example', 'a secret for tests alone');
const error = { code: 'deliveryFailed', message: 'It came back.' } as const;

type Write = (
  trx: Transaction,
  principal: Principal,
  customerIds: readonly string[],
  knex: Knex,
) => unknown;

const writes: readonly Write[] = [
  create,
  create,
  step,
  step,
  rename,
  changeContact,
  addAccount,
  disableAccount,
  requestAgain,
  answer,
  expire,
];

export interface Written {
  changes: number;
  /** Changes that were retried after a conflict with another writer. */
  conflicts: number;
}

/** Changes mandates until it is stopped. Each change waits before it is committed. */
export async function writeMandates(
  knex: Knex,
  principal: Principal,
  written: Written,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const write = oneOf(writes);
    const rows = await knex('customers')
      .where({ firm_id: principal.firmId })
      .whereNull('archived_on')
      .orderByRaw('random()')
      .limit(2)
      .pluck('id');
    let attempts = 0;
    await inTransaction(knex, async (trx) => {
      attempts += 1;
      await write(trx, principal, rows, knex);
      await pause(Math.random() * 15);
    });
    written.changes += 1;
    written.conflicts += attempts - 1;
  }
}

async function create(trx: Transaction, principal: Principal) {
  const ibans = [newIban(), newIban(), newIban()].slice(Math.floor(Math.random() * 3));
  await createLinkedCustomer(trx, principal, { ibans, providers: ['sdworx'] });
}

async function step(trx: Transaction, _: Principal, [customer_id = '']: readonly string[]) {
  const mandates = await lockOpenMandates(trx, { customer_id });
  const trigger = oneOf(everyTrigger);
  const steps = mandates.map((mandate) => ({
    mandate,
    to: nextStatus(mandate.kind, mandate.status, trigger),
  }));
  const movable = steps.filter(({ to }) => to !== undefined).map(({ mandate }) => mandate);
  await applyStep(trx, movable, {
    ...{ trigger, actor: { kind: 'operator' }, now: new Date() },
    ...(trigger === 'deliveryFailed' && { error }),
  });
}

async function rename(trx: Transaction, { firmId }: Principal, [id]: readonly string[]) {
  if (id === undefined) return;
  await lockCustomer(trx, id);
  await trx('customers')
    .where({ id })
    .update({ name: `Bakkerij ${Math.random()}` });
  await follower.renamed(trx, { firmId, customerId: id });
}

async function changeContact(trx: Transaction, principal: Principal, [id]: readonly string[]) {
  if (id === undefined) return;
  await lockCustomer(trx, id);
  await follower.contactEmailChanged(trx, { ...principal, customerId: id });
  await rename(trx, principal, [id]);
}

async function addAccount(trx: Transaction, principal: Principal, [customerId]: readonly string[]) {
  if (customerId === undefined) return;
  await lockCustomer(trx, customerId);
  const bankAccounts = [{ value: iban(newIban()), path: 'iban' }];
  await links.link(trx, { customerId, principal }, { bankAccounts });
}

async function disableAccount(
  trx: Transaction,
  principal: Principal,
  [customerId]: readonly string[],
) {
  if (customerId === undefined) return;
  await lockCustomer(trx, customerId);
  const account = await trx('bank_accounts')
    .where({ customer_id: customerId })
    .whereNull('disabled_on')
    .first<{ iban: string } | undefined>('iban');
  if (account === undefined) return;
  await links.end(trx, { customerId, principal }, { iban: iban(account.iban) });
}

async function requestAgain(
  trx: Transaction,
  principal: Principal,
  customerIds: readonly string[],
) {
  const mandate = await trx('mandates')
    .whereIn('customer_id', customerIds)
    .whereIn('status', ['expired', 'rejectedBySigner', 'error'])
    .whereNull('closed_on')
    .first<{ id: string } | undefined>('id');
  if (mandate === undefined) return;
  // Refused if another writer was faster.
  await createMandateStore(trx).request(asAuthor(principal), mandate.id);
}

async function answer(
  trx: Transaction,
  { firmId }: Principal,
  [customerId = '']: readonly string[],
  knex: Knex,
) {
  const request = await findRequest(knex, customerId);
  if (request === undefined) return;
  const { id: requestId, delivery } = request;
  const url = await signingUrls.create(knex, { requestId, firmId, delivery });
  const given = { answer: oneOf(['signed', 'declined'] as const), signerName: 'An Peeters' };
  const device = { address: null, userAgent: null };
  await answerAsShown(trx, url.slice(-43), { ...given, ...device }, new Date());
}

async function expire(
  trx: Transaction,
  { firmId }: Principal,
  [customerId = '']: readonly string[],
) {
  const request = await findRequest(trx, customerId);
  if (request === undefined) return;
  const past = { sent_on: new Date(0), expires_on: new Date(0) };
  await trx('signature_requests').where({ id: request.id }).update(past);
  await endSigningPeriod(trx, { firmId, requestId: request.id }, new Date());
}

function findRequest(
  knex: Knex,
  customer_id: string,
): Promise<{ readonly id: string; readonly delivery: number } | undefined> {
  return knex('signature_requests').where({ customer_id, answer: null }).first('id', 'delivery');
}

/** Locks the customer, as every change of a customer does first. */
async function lockCustomer(trx: Transaction, id: string): Promise<void> {
  await trx('customers').where({ id }).forNoKeyUpdate().select('id');
}

function oneOf<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There are no elements to choose from');
  return value;
}
