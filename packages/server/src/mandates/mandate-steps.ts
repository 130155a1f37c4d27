import type { MandateError, MandateStatus } from '@adx/contract';
import type { Knex } from 'knex';
import { addDays, brusselsDay } from '../dates/brussels-day.js';
import { enqueue } from '../jobs/job.js';
import { nextStatus, permitsDeliveries, type Trigger, validityDays } from './lifecycle.js';
import { releaseJob, validityJob } from './mandate-jobs.js';
import type { OpenMandate } from './open-mandates.js';

/** What happened, and who says so. */
interface Step {
  readonly trigger: Trigger;
  readonly actor: Actor;
  /** The time, for what is counted from it. */
  readonly now: Date;
  /** Why, where the step leads to `error`. */
  readonly error?: MandateError;
}

/** A step that the lifecycle does not have; nothing was changed. */
export class IllegalStep extends Error {
  readonly status: MandateStatus;
  readonly trigger: Trigger;

  constructor({ id, status }: OpenMandate, trigger: Trigger) {
    super(`Mandate ${id} is in status ${status}, from which ${trigger} leads nowhere.`);
    this.name = 'IllegalStep';
    this.status = status;
    this.trigger = trigger;
  }
}

/**
 * Applies one step to each of some mandates, which the transaction holds, of one firm. The only place
 * where the status of a mandate changes.
 *
 * @throws IllegalStep when one of them has no such step
 */
export async function applyStep(
  trx: Knex.Transaction,
  mandates: readonly OpenMandate[],
  step: Step,
): Promise<void> {
  const [first] = mandates;
  if (first === undefined) return;
  const next = mandates.map((mandate) => changeOf(mandate, step));
  const instants = await takeInstants(trx, first.firmId, mandates.length);
  const changes = next.map((change, i) => ({ ...change, updated_on: instants[i] }));
  await trx.raw(
    `update mandates m
        set status = change.status, valid_until = change.valid_until,
            error_code = change.error_code, error_message = change.error_message,
            updated_on = change.updated_on
       from jsonb_to_recordset(?::jsonb) as change (id text, status text, valid_until date,
            error_code text, error_message text, updated_on timestamptz)
      where m.id = change.id`,
    [JSON.stringify(changes)],
  );
  await trx('mandate_history').insert(
    mandates.map(({ id, status }, i) => ({
      mandate_id: id,
      from_status: status,
      to_status: next[i]?.status,
      trigger: step.trigger,
      ...actorColumns(step.actor),
      happened_on: instants[i],
    })),
  );
  for (const { id, valid_until, status } of next) {
    if (status === 'finished' && valid_until !== null) {
      await enqueue(trx, validityJob(id, valid_until));
    }
  }
  for (const [i, { linkId, status }] of mandates.entries()) {
    const isSigned = permitsDeliveries(next[i]?.status ?? status) && !permitsDeliveries(status);
    if (isSigned) await enqueue(trx, releaseJob(linkId));
  }
}

function changeOf(mandate: OpenMandate, { trigger, now, error }: Step) {
  const status = nextStatus(mandate.kind, mandate.status, trigger);
  if (status === undefined) throw new IllegalStep(mandate, trigger);
  if ((status === 'error') !== (error !== undefined)) {
    throw new Error('A step to `error`, and no other, says why');
  }
  return {
    id: mandate.id,
    status,
    valid_until: validUntil(mandate, status, now),
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
  };
}

/** A consent is valid from its signature; the end of the last one shows until it is requested again. */
function validUntil(
  { kind, validUntil }: OpenMandate,
  status: MandateStatus,
  now: Date,
): string | null {
  if (kind !== 'lightConnector') return null;
  if (status === 'finished') return addDays(brusselsDay(now), validityDays);
  return status === 'renewalRequired' ? validUntil : null;
}

/** Who makes a change of a mandate, as its history keeps it. */
export type Actor =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'signer'; readonly requestId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

/** The columns `actor` and `actor_id`. */
export function actorColumns(actor: Actor): { actor: Actor['kind']; actor_id: string | null } {
  if (actor.kind === 'user') return { actor: actor.kind, actor_id: actor.userId };
  if (actor.kind === 'signer') return { actor: actor.kind, actor_id: actor.requestId };
  return { actor: actor.kind, actor_id: null };
}

/**
 * Takes the `updatedOn` of some changes of a firm's mandates: a millisecond of its own for each, in
 * order, later than every one taken before.
 *
 * The clock of the firm stays locked until the transaction ends. So changes become visible in the
 * order of their instants, and who polls with `updatedSince` misses none (§4.15). It is the last
 * lock of a transaction, which has all others by then.
 */
export async function takeInstants(
  trx: Knex.Transaction,
  firmId: string,
  count: number,
): Promise<Date[]> {
  const further = count - 1;
  const { rows } = await trx.raw<{ rows: { moved_on: Date }[] }>(
    `insert into mandate_clocks as clock (firm_id, moved_on)
     values (:firmId, clock_timestamp() + :further * interval '1 ms')
     on conflict (firm_id) do update
       set moved_on = greatest(clock_timestamp(), clock.moved_on + interval '1 ms')
                      + :further * interval '1 ms'
     returning moved_on`,
    { firmId, further },
  );
  const last = rows[0]?.moved_on.getTime();
  if (last === undefined) throw new Error('The clock of the firm did not move');
  return Array.from({ length: count }, (_, i) => new Date(last - further + i));
}
