import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { createFirmStore, type Firm } from './firms.js';
import { endSessions } from './refresh-tokens.js';

/** Reacts when a firm is disabled or enabled. The feature `mandates` implements it. */
export interface FirmListener {
  /** Called with the users and the firm locked, once the change is stored. */
  changed(trx: Knex.Transaction, firmId: string, isDisabled: boolean): Promise<void>;
}

/**
 * Disables or enables a firm (D-60). Both end the tokens of all its users (D-20), so that none from
 * before is valid when it is enabled again. Returns undefined if there is no such firm.
 */
export function setFirmDisabled(
  knex: Knex,
  listener: FirmListener,
  firmId: string,
  isDisabled: boolean,
  now: () => Date = () => new Date(),
): Promise<Firm | undefined> {
  return inTransaction(knex, async (trx) => {
    await trx.raw('select from users where firm_id = ? order by id for no key update', [firmId]);
    const changed = await createFirmStore(trx).setDisabledOn(firmId, isDisabled ? now() : null);
    if (changed === undefined) return createFirmStore(trx).find(firmId);
    await endSessions(trx, { firm_id: firmId });
    await listener.changed(trx, firmId, isDisabled);
    return changed;
  });
}
