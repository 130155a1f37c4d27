import type { MandateStatus } from '@adx/contract';
import {
  type Arrow,
  lifecycle,
  type MandateKind,
} from '../../packages/server/src/mandates/lifecycle.js';
import { applyStep } from '../../packages/server/src/mandates/mandate-steps.js';
import { lockOpenMandates } from '../../packages/server/src/mandates/open-mandates.js';
import type { TestService } from './test-service.js';

/** What a mandate says of an `error` that a test led it to. */
export const leadError = {
  code: 'deliveryFailed',
  message: 'The signature request could not be delivered to the contact.',
} as const;

/** Leads a mandate to a status, step by step through its lifecycle, each with its entry in the history. */
export function leadMandate(
  { knex }: TestService,
  id: string,
  status: MandateStatus,
  now: Date = new Date(),
): Promise<void> {
  return knex.transaction(async (trx) => {
    for (;;) {
      const [mandate] = await lockOpenMandates(trx, { id });
      if (mandate === undefined) throw new Error(`There is no open mandate ${id}`);
      if (mandate.status === status) return;
      const [arrow] = pathTo(mandate.kind, mandate.status, status);
      if (arrow === undefined) throw new Error(`${mandate.status} does not lead to ${status}`);
      const { trigger, to } = arrow;
      const error = to === 'error' ? leadError : undefined;
      const actor = { kind: 'service' } as const;
      await applyStep(trx, [mandate], { trigger, actor, now, ...(error && { error }) });
    }
  });
}

/** The shortest way, in arrows of the lifecycle. */
function pathTo(kind: MandateKind, from: MandateStatus, to: MandateStatus): readonly Arrow[] {
  const ways: (readonly Arrow[])[] = [[]];
  const seen = new Set<MandateStatus>([from]);
  for (const way of ways) {
    const end = way.at(-1)?.to ?? from;
    if (end === to) return way;
    for (const arrow of lifecycle) {
      if (arrow.from !== end || !arrow.kinds.includes(kind) || seen.has(arrow.to)) continue;
      seen.add(arrow.to);
      ways.push([...way, arrow]);
    }
  }
  return [];
}
