import type { Knex } from 'knex';
import { createCustomerLinkStore } from '../customers/customer-link-store.js';
import { inTransaction } from '../db/transaction.js';
import { parseIban } from '../identifiers/iban.js';
import type { Principal } from '../identity/principal.js';
import { createUserStore } from '../identity/users.js';
import { createCustomerMandates } from '../mandates/customer-mandates.js';
import { endSigningPeriod, endValidity } from '../mandates/deadlines.js';
import { signingPeriodDays, validityDays } from '../mandates/lifecycle.js';
import type { ListedMandate } from '../mandates/mandate-directory.js';
import { reportStep } from '../mandates/report-step.js';
import { requestAgain } from '../mandates/request-again.js';
import type { MoveTrigger } from './choose-move.js';
import type { DemoContacts } from './demo-contacts.js';
import { postponeDelivery } from './postpone-delivery.js';
import { letTimePass } from './time-lapse.js';

/** Delivers the first files of a mandate; false where there are none. */
export type DeliverFile = (mandate: ListedMandate) => Promise<boolean>;

/** What the moves of the demo need. */
export interface MoveDependencies {
  readonly knex: Knex;
  readonly contacts: DemoContacts;
  readonly now: () => Date;
  /** How long a new request waits until it is sent, in ms. */
  readonly createdMs: number;
  readonly deliverFile: DeliverFile;
}

/**
 * Does to a mandate what the trigger says, through the functions of the service that do it for
 * contacts, users, operators and time.
 *
 * @throws ApiError, IllegalStep when someone else was quicker
 */
export async function makeMove(
  dependencies: MoveDependencies,
  mandate: ListedMandate,
  trigger: MoveTrigger,
): Promise<void> {
  const { knex, contacts, now } = dependencies;
  const { id: mandateId, signatureRequestId: requestId } = mandate;
  switch (trigger) {
    case 'signed':
    case 'declined':
      if (requestId !== undefined) await contacts.answer(knex, requestId, trigger, now());
      return;
    case 'signingPeriodEnded':
      if (requestId !== undefined) await endPeriod(knex, mandate, requestId, now());
      return;
    case 'validityEnded':
      return inTransaction(knex, async (trx) => {
        await letTimePass(trx, [mandateId], validityDays + 1);
        await endValidity(trx, mandateId, now());
      });
    case 'requested':
    case 'linked':
      return inTransaction(knex, async (trx) => {
        const user = await administratorOf(trx, mandate.firmId);
        if (user === undefined) return;
        if (trigger === 'requested') await requestAgain(trx, user, mandateId, now());
        else await linkAnew(trx, user, mandate, now);
        const sentOn = new Date(now().getTime() + dependencies.createdMs);
        await postponeDelivery(trx, mandate.customerId, sentOn);
      });
    case 'fileReceived':
      // The delivery has finished the mandate.
      if (await dependencies.deliverFile(mandate)) return;
      break;
    default:
  }
  const kind = trigger === 'fileReceived' ? 'service' : 'operator';
  await reportStep(knex, { mandateId, trigger, actor: { kind }, now: now() });
}

/** Ends the time to sign everything that one message asked for. */
function endPeriod(
  knex: Knex,
  { customerId }: ListedMandate,
  requestId: string,
  now: Date,
): Promise<void> {
  return inTransaction(knex, async (trx) => {
    const ids = await trx('mandates')
      .where({ customer_id: customerId, signature_request_id: requestId })
      .where({ status: 'waitingForSigner' })
      .pluck<string[]>('id');
    await letTimePass(trx, ids, signingPeriodDays + 1);
    await endSigningPeriod(trx, requestId, now);
  });
}

/** The firm takes the account or the provider away and enters it again: the way out of a refusal. */
async function linkAnew(
  trx: Knex.Transaction,
  user: Principal,
  mandate: ListedMandate,
  now: () => Date,
): Promise<void> {
  const links = createCustomerLinkStore(trx, createCustomerMandates(now));
  const { customerId } = mandate;
  if (mandate.product === 'CODB') {
    await links.removePayrollProvider(user, customerId, mandate.payrollProviderCode);
    await links.addPayrollProvider(user, customerId, mandate.payrollProviderCode);
    return;
  }
  const iban = parseIban(mandate.iban);
  if (iban === undefined) return;
  await links.disableBankAccount(user, customerId, iban);
  await links.addBankAccount(user, customerId, iban);
}

/** A user of the firm who sees every customer; none when the operator has disabled them all. */
async function administratorOf(knex: Knex, firmId: string): Promise<Principal | undefined> {
  const users = await createUserStore(knex).list();
  const found = users.find(
    (user) =>
      user.firmId === firmId &&
      user.accessLevel === 'administrator' &&
      user.customers === 'all' &&
      user.disabledOn === undefined,
  );
  return found && { userId: found.id, firmId, accessLevel: 'administrator', seesCustomers: 'all' };
}
