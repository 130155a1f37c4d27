import { setTimeout as pause } from 'node:timers/promises';
import type { createKnex } from '@adx/server';
import { createCustomerLinks } from '../../packages/server/src/customers/customer-links.js';
import type { Principal } from '../../packages/server/src/identity/principal.js';
import { createCustomerMandates } from '../../packages/server/src/mandates/customer-mandates.js';
import { nextStatus, triggers } from '../../packages/server/src/mandates/lifecycle.js';
import { applyStep } from '../../packages/server/src/mandates/mandate-steps.js';
import { createMandateStore } from '../../packages/server/src/mandates/mandate-store.js';
import { lockOpenMandates } from '../../packages/server/src/mandates/open-mandates.js';
import {
  createLinkedCustomer,
  iban,
  newIban,
} from '../../packages/server/test/mandates/linked-customer.js';

type Knex = ReturnType<typeof createKnex>;
type Transaction = Parameters<typeof lockOpenMandates>[0];

const follower = createCustomerMandates();
const links = createCustomerLinks(follower);
const error = { code: 'deliveryFailed', message: 'It came back.' } as const;

/** Something that changes mandates. */
type Write = (trx: Transaction, principal: Principal, customerIds: readonly string[]) => unknown;

const writes: readonly Write[] = [create, create, step, step, step, rename, move, add, end, again];

/**
 * Changes mandates of a firm until told to stop: begins them, takes them through the lifecycle,
 * renames their customers, closes them. Each change waits for a while before it is committed.
 *
 * @returns how many changes were committed
 */
export async function writeMandates(
  knex: Knex,
  principal: Principal,
  signal: AbortSignal,
): Promise<number> {
  let committed = 0;
  while (!signal.aborted) {
    const write = oneOf(writes);
    const rows = await knex('customers')
      .where({ firm_id: principal.firmId })
      .whereNull('archived_on')
      .orderByRaw('random()')
      .limit(2)
      .pluck('id');
    await knex.transaction(async (trx) => {
      await write(trx, principal, rows);
      await pause(Math.random() * 15);
    });
    committed += 1;
  }
  return committed;
}

async function create(trx: Transaction, principal: Principal) {
  const ibans = [newIban(), newIban(), newIban()].slice(Math.floor(Math.random() * 3));
  await createLinkedCustomer(trx, principal, { ibans, providers: ['sdworx'] });
}

/** Takes what can be taken of one step, for some of the mandates of a customer. */
async function step(trx: Transaction, _: Principal, [customer_id = '']: readonly string[]) {
  const mandates = await lockOpenMandates(trx, { customer_id });
  const trigger = oneOf(triggers);
  const steps = mandates.map((mandate) => ({
    mandate,
    to: nextStatus(mandate.kind, mandate.status, trigger),
  }));
  const able = steps.filter(({ to }) => to !== undefined).map(({ mandate }) => mandate);
  await applyStep(trx, able, {
    ...{ trigger, actor: { kind: 'operator' }, now: new Date() },
    ...(trigger === 'deliveryFailed' && { error }),
  });
}

async function rename(trx: Transaction, _: Principal, [id]: readonly string[]) {
  if (id === undefined) return;
  await hold(trx, id);
  await trx('customers')
    .where({ id })
    .update({ name: `Bakkerij ${Math.random()}` });
  await follower.renamed(trx, id);
}

/** To another address and another name, as one PATCH may. */
async function move(trx: Transaction, principal: Principal, [id]: readonly string[]) {
  if (id === undefined) return;
  await hold(trx, id);
  await follower.contactMoved(trx, id);
  await rename(trx, principal, [id]);
}

async function add(trx: Transaction, principal: Principal, [customerId]: readonly string[]) {
  if (customerId === undefined) return;
  await hold(trx, customerId);
  const bankAccounts = [{ value: iban(newIban()), path: 'iban' }];
  await links.link(trx, { customerId, principal }, { bankAccounts });
}

async function end(trx: Transaction, principal: Principal, [customerId]: readonly string[]) {
  if (customerId === undefined) return;
  await hold(trx, customerId);
  const account = await trx('bank_accounts')
    .where({ customer_id: customerId })
    .whereNull('disabled_on')
    .first<{ iban: string } | undefined>('iban');
  if (account === undefined) return;
  await links.endBankAccount(trx, { customerId, principal }, iban(account.iban));
}

async function again(trx: Transaction, principal: Principal, customerIds: readonly string[]) {
  const mandate = await trx('mandates')
    .whereIn('customer_id', customerIds)
    .whereIn('status', ['expired', 'rejectedBySigner', 'error'])
    .whereNull('closed_on')
    .first<{ id: string } | undefined>('id');
  if (mandate === undefined) return;
  try {
    await createMandateStore(trx).request(principal, mandate.id);
  } catch (refusal) {
    // Another writer was quicker.
    if (!['notFound', 'mandateNotRequestable'].includes((refusal as { code: string }).code)) {
      throw refusal;
    }
  }
}

/** As every change of a customer begins. */
async function hold(trx: Transaction, id: string): Promise<void> {
  await trx('customers').where({ id }).forUpdate().select('id');
}

function oneOf<Value>(values: readonly Value[]): Value {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
}
