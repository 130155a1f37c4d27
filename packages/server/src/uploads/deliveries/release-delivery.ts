import {
  processDocuments,
  readDocuments,
  recordDecisions,
  type UploadParts,
} from '../process-documents.js';
import { collect } from '../upload-objects.js';
import {
  findHeld,
  findHeldFor,
  findSettled,
  type HeldDelivery,
  lockHeld,
  removeHeld,
  settleHeld,
  settleHeldBefore,
} from './held-deliveries.js';

/** The outcome of releasing a held delivery. */
export type Release =
  | 'listed'
  /** The customer has the document in its list already. */
  | 'repeated'
  /** The link has ended, belongs to another account or customer, or no signed mandate covers it. */
  | 'notCovered'
  /** It was listed or deleted in the meantime. */
  | 'gone';

/** Lists the deliveries that are held for a link whose mandate was just signed. */
export async function releaseDeliveries(parts: UploadParts, linkId: string): Promise<void> {
  for (const held of await findHeldFor(parts.knex, linkId)) {
    await releaseDelivery(parts, held.id, linkId);
  }
}

/** Lists a held delivery for the customer with a link, if a signed mandate of the link covers it. */
export async function releaseDelivery(
  parts: UploadParts,
  id: string,
  linkId: string,
): Promise<Release> {
  const { knex, storage, consents, now } = parts;
  const held = await findHeld(knex, id);
  if (held === undefined || held.settledOn !== null) return 'gone';
  const stored = await storage.store.get(storage.buckets.files, held.objectKey);
  if (stored === undefined) return 'gone';
  const { documents } = await readDocuments(held.product, await collect(stored.bytes));
  const access = { kind: 'link', linkId } as const;
  const release = await processDocuments(parts, documents, access, {
    async record(trx, decisions) {
      if (decisions.some(({ action }) => action !== 'list')) return 'notCovered';
      if (!(await lockHeld(trx, id))) return 'gone';
      const options = { uploadId: held.uploadId, access, now: now() };
      const { listed } = await recordDecisions(trx, consents, decisions, options);
      await settleHeld(trx, id, options.now);
      return listed > 0 ? 'listed' : 'repeated';
    },
  });
  if (release === 'listed' || release === 'repeated') await removeHeld(knex, storage, held);
  return release;
}

/**
 * Deletes the deliveries that were held for too long, and what an interrupted release left behind.
 *
 * @param heldBefore - deliveries that were delivered last before this instant are deleted
 * @returns those that are deleted without having been listed
 */
export async function deleteExpiredDeliveries(
  { knex, storage, now }: UploadParts,
  heldBefore: Date,
): Promise<readonly HeldDelivery[]> {
  const expired = await settleHeldBefore(knex, heldBefore, now());
  for (const held of await findSettled(knex)) await removeHeld(knex, storage, held);
  return expired;
}
