import type { Knex } from 'knex';
import { nextStatus } from './lifecycle.js';
import { applyStep } from './mandate-steps.js';
import { lockOpenMandates, type OpenMandate } from './open-mandates.js';

/** Links of customers for which files arrived. */
interface ReceivedLinks {
  readonly bankAccountIds: readonly string[];
  readonly payrollLinkIds: readonly string[];
}

/** What mandates do when files arrive: the first one finishes those that wait for it (D-24). */
export function createFileMandates(now: () => Date = () => new Date()) {
  return {
    async received(
      trx: Knex.Transaction,
      { bankAccountIds: bank_account_id, payrollLinkIds: payroll_link_id }: ReceivedLinks,
    ): Promise<void> {
      const mandates = await lockOpenMandates(trx, { bank_account_id, payroll_link_id });
      const step = { trigger: 'fileReceived', actor: { kind: 'service' }, now: now() } as const;
      const waiting = mandates.filter(
        ({ kind, status }) => nextStatus(kind, status, step.trigger) !== undefined,
      );
      // Clocks of firms are taken in the same order by everyone who takes several.
      for (const firmId of [...new Set(waiting.map(firmOf))].sort()) {
        await applyStep(
          trx,
          waiting.filter((mandate) => firmOf(mandate) === firmId),
          step,
        );
      }
    },
  };
}

function firmOf({ firmId }: OpenMandate): string {
  return firmId;
}
