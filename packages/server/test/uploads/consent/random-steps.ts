import { nextStatus } from '../../../src/mandates/lifecycle.js';
import { applyStep } from '../../../src/mandates/mandate-steps.js';
import { lockOpenMandates } from '../../../src/mandates/open-mandates.js';
import { everyTrigger } from '../../mandates/lifecycle-table.js';

/** Takes a random step of a random mandate. */
export async function takeStep(
  trx: Parameters<typeof applyStep>[0],
  oneOf: <Value>(values: readonly Value[]) => Value | undefined,
): Promise<void> {
  const ids = await trx('mandates').whereNull('closed_on').orderBy('id').pluck('id');
  const [mandate] = await lockOpenMandates(trx, { id: oneOf(ids) ?? '' });
  if (mandate === undefined) return;
  const possible = everyTrigger.filter(
    (each) =>
      // The bank confirms contested mandates only; the others are finished by a delivery.
      (each !== 'fileReceived' || mandate.kind.startsWith('contested')) &&
      nextStatus(mandate.kind, mandate.status, each) !== undefined,
  );
  // With these weights about half of the mandates are signed, and most consents are offered a
  // renewal.
  const usual = possible.filter(
    (each) =>
      each === 'requestSent' ||
      each === 'bankConfirmed' ||
      each === 'fileReceived' ||
      each === 'renewalOffered' ||
      (each === 'signed' && mandate.status === 'waitingForSigner'),
  );
  const trigger = oneOf([...possible, ...usual, ...usual, ...usual]);
  if (trigger === undefined) return;
  const error = { code: 'deliveryFailed', message: 'It came back.' } as const;
  await applyStep(trx, [mandate], {
    ...{ trigger, actor: { kind: 'operator' }, now: new Date() },
    ...(trigger === 'deliveryFailed' && { error }),
  });
}
