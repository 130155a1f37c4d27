import type { MandateError } from '@adx/contract';
import type { Knex } from 'knex';
import { addDays, brusselsDay } from '../dates/brussels-day.js';
import { enqueueAll, type Job } from '../jobs/job.js';
import {
  isConsent,
  isRenewalStatus,
  type LifecycleStatus,
  nextStatus,
  permitsDeliveries,
  shownStatus,
  type Trigger,
  validityDays,
} from './lifecycle.js';
import { endOfRenewal, releaseJob, validityJob } from './mandate-jobs.js';
import type { OpenMandate } from './open-mandates.js';

export interface Step {
  readonly trigger: Trigger;
  readonly actor: Actor;
  /** The validity of a consent is counted from this time. */
  readonly now: Date;
  /** The reason why a request cannot be delivered; only `deliveryFailed` has one. */
  readonly error?: MandateError;
}

/** A step that the lifecycle does not allow. Callers check first, so this is a bug. */
export class IllegalStep extends Error {
  constructor({ id, status }: OpenMandate, trigger: Trigger) {
    super(`Mandate ${id} is ${status}: the lifecycle does not allow the step ${trigger}.`);
    this.name = 'IllegalStep';
  }
}

export interface StatusChange {
  readonly id: string;
  readonly from: LifecycleStatus;
  readonly to: LifecycleStatus;
}

/**
 * Applies the same step to mandates of one firm, which the transaction has locked. The status of a
 * mandate changes nowhere else.
 *
 * @returns the changes in their order
 * @throws IllegalStep if one of the mandates does not allow the step; then none has changed
 */
export async function applyStep(
  trx: Knex.Transaction,
  mandates: readonly OpenMandate[],
  step: Step,
): Promise<StatusChange[]> {
  const [first] = mandates;
  if (first === undefined) return [];
  const next = mandates.map((mandate) => changeOf(mandate, step));
  const instants = await takeInstants(trx, first.firmId, mandates.length);
  const changes = next.map((change, i) => ({ ...change, updated_on: instants[i] }));
  await trx.raw(
    `update mandates m
        set status = change.status, renewal_status = change.renewal_status, valid_until = change.valid_until,
            error_code = change.error_code, error_message = change.error_message,
            updated_on = change.updated_on
       from jsonb_to_recordset(?::jsonb) as change (id text, status text, renewal_status text, valid_until date,
            error_code text, error_message text, updated_on timestamptz)
      where m.id = change.id and m.firm_id = ?`,
    [JSON.stringify(changes), first.firmId],
  );
  await addToHistory(
    trx,
    first.firmId,
    step,
    changes.map(({ id, from, to, updated_on: happenedOn }) => ({ id, from, to, happenedOn })),
  );
  await enqueueAll(trx, next.flatMap(jobsAfter));
  return next.map(({ id, from, to }) => ({ id, from, to }));
}

/** Applies a step to those of the mandates whose status allows it, and returns them. */
export async function applyWhereAllowed(
  trx: Knex.Transaction,
  mandates: readonly OpenMandate[],
  step: Step,
): Promise<OpenMandate[]> {
  const allowed = mandates.filter(({ kind, status }) => nextStatus(kind, status, step.trigger));
  await applyStep(trx, allowed, step);
  return allowed;
}

/** Ends a consent whose last day has passed in Belgium. Returns false if there is none. */
export async function endIfOver(
  trx: Knex.Transaction,
  mandate: OpenMandate,
  now: Date,
): Promise<boolean> {
  const { validUntil } = mandate;
  if (validUntil === null || now < endOfRenewal(validUntil)) return false;
  const step = { trigger: 'validityEnded', actor: { kind: 'service' }, now } as const;
  return (await applyWhereAllowed(trx, [mandate], step)).length > 0;
}

function changeOf(mandate: OpenMandate, { trigger, now, error }: Step) {
  const { id, firmId, linkId, kind, status: from } = mandate;
  const to = nextStatus(kind, from, trigger);
  if (to === undefined) throw new IllegalStep(mandate, trigger);
  if ((trigger === 'deliveryFailed') !== (error !== undefined)) {
    throw new Error('A step has a reason if, and only if, a request could not be delivered');
  }
  const kept = to === 'error' ? error : undefined;
  return {
    id,
    firmId,
    linkId,
    kind,
    from,
    to,
    status: shownStatus(to),
    renewal_status: isRenewalStatus(to) ? to : null,
    valid_until: validUntil(mandate, to, now),
    error_code: kept?.code ?? null,
    error_message: kept?.message ?? null,
  };
}

function jobsAfter({
  id,
  firmId,
  linkId,
  kind,
  from,
  to,
  status,
  valid_until,
}: ReturnType<typeof changeOf>): Job[] {
  const isCovered = permitsDeliveries(kind, to) && !permitsDeliveries(kind, from);
  return [
    ...(status === 'finished' && valid_until !== null
      ? [validityJob({ firmId, mandateId: id }, valid_until)]
      : []),
    ...(isCovered ? [releaseJob({ firmId, linkId })] : []),
  ];
}

/**
 * Returns the last day of a consent: 180 days after its signature or renewal. It is kept while the
 * renewal is offered, and after it has passed until the consent is requested again.
 */
function validUntil(
  { kind, validUntil }: OpenMandate,
  to: LifecycleStatus,
  now: Date,
): string | null {
  if (!isConsent(kind)) return null;
  if (to === 'finished') return addDays(brusselsDay(now), validityDays);
  return isRenewalStatus(to) || to === 'renewalRequired' ? validUntil : null;
}

export type Actor =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'signer'; readonly requestId: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

/** An entry that is no step of the lifecycle: the mandate was closed, or its contact reminded. */
type OtherTrigger = 'unlinked' | 'reminded';

/** A new mandate has no `from`, a closed one no `to`; after a reminder both are the same. */
interface HistoryEntry {
  readonly id: string;
  readonly from?: LifecycleStatus | undefined;
  readonly to?: LifecycleStatus;
  readonly happenedOn: Date | undefined;
}

export async function addToHistory(
  trx: Knex.Transaction,
  firmId: string,
  { trigger, actor }: { readonly trigger: Trigger | OtherTrigger; readonly actor: Actor },
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const ids = { userId: null, requestId: null, ...actor };
  await trx('mandate_history').insert(
    entries.map(({ id, from, to, happenedOn }) => ({
      firm_id: firmId,
      mandate_id: id,
      from_status: from,
      to_status: to,
      trigger,
      actor: actor.kind,
      actor_id: ids.userId ?? ids.requestId,
      happened_on: happenedOn,
    })),
  );
}

/**
 * Returns the `updatedOn` of changes of a firm's mandates, in order: a different millisecond for
 * each, later than all that were returned before (D-26).
 *
 * The clock of the firm stays locked until the transaction ends, so changes become visible in the
 * order of their `updatedOn`, and callers that poll with `updatedSince` miss none (§4.15). A
 * transaction locks the clock last, when it has all other locks, except where links give way
 * (D-66).
 */
export async function takeInstants(
  trx: Knex.Transaction,
  firmId: string,
  count: number,
): Promise<Date[]> {
  const further = count - 1;
  const { rows } = await trx.raw<{ rows: { latest_ms: number }[] }>(
    `insert into mandate_clocks as clock (firm_id, latest_ms)
     values (:firmId, floor(1000 * extract(epoch from clock_timestamp())) + :further)
     on conflict (firm_id) do update
       set latest_ms = greatest(excluded.latest_ms, clock.latest_ms + :count)
     returning latest_ms`,
    { firmId, further, count },
  );
  const last = rows[0]?.latest_ms;
  if (last === undefined) throw new Error('The clock of the firm did not advance');
  return Array.from({ length: count }, (_, i) => new Date(last - further + i));
}
