import type { MandateStatus } from '@adx/contract';
import {
  type LifecycleStatus,
  lifecycle,
  type MandateKind,
  type Transition,
} from '../../packages/server/src/mandates/lifecycle.js';
import { applyStep } from '../../packages/server/src/mandates/mandate-steps.js';
import { lockOpenMandates } from '../../packages/server/src/mandates/open-mandates.js';
import type { TestService } from './test-service.js';

/** The error of a mandate that a test moved to status `error`. */
export const leadError = {
  code: 'deliveryFailed',
  message: 'The signature request could not be delivered to the contact.',
} as const;

/** Moves a mandate to a status through its lifecycle, with a history entry for each step. */
export function leadMandate(
  { knex }: Pick<TestService, 'knex'>,
  id: string,
  status: MandateStatus,
  now: Date = new Date(),
): Promise<void> {
  return knex.transaction(async (trx) => {
    for (;;) {
      const [mandate] = await lockOpenMandates(trx, { id });
      if (mandate === undefined) throw new Error(`There is no open mandate ${id}`);
      if (mandate.status === status) return;
      const [transition] = pathTo(mandate.kind, mandate.status, status);
      if (transition === undefined) throw new Error(`${mandate.status} does not lead to ${status}`);
      const { trigger, to } = transition;
      const error = to === 'error' ? leadError : undefined;
      const actor = { kind: 'service' } as const;
      await applyStep(trx, [mandate], { trigger, actor, now, ...(error && { error }) });
    }
  });
}

function pathTo(
  kind: MandateKind,
  from: LifecycleStatus,
  to: MandateStatus,
): readonly Transition[] {
  const paths: (readonly Transition[])[] = [[]];
  const seen = new Set<LifecycleStatus>([from]);
  for (const path of paths) {
    const end = path.at(-1)?.to ?? from;
    if (end === to) return path;
    for (const transition of lifecycle) {
      if (transition.from !== end || !transition.kinds.includes(kind) || seen.has(transition.to))
        continue;
      seen.add(transition.to);
      paths.push([...path, transition]);
    }
  }
  return [];
}
