import { readDocuments } from '../documents/read-documents.js';
import { processDocuments, type UploadParts } from '../process-documents.js';
import { recordDecisions } from '../record-outcomes.js';
import { collect } from '../upload-objects.js';
import { endHolding, findHeld, findHeldFor } from './held-deliveries.js';

/** The outcome of releasing a held delivery. */
export type Release =
  | 'listed'
  /** The customer has the document in its list already. */
  | 'repeated'
  /** The link has ended, belongs to another account or customer, or no signed mandate covers it. */
  | 'notCovered'
  /** It was listed or deleted in the meantime. */
  | 'gone'
  /** Its object is missing or cannot be read any more; it stays held. */
  | 'unreadable';

/**
 * Lists the deliveries that are held for a link whose mandate was just signed.
 *
 * @throws AggregateError after all others, where some could not be read or listed
 */
export async function releaseDeliveries(parts: UploadParts, linkId: string): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of await findHeldFor(parts.knex, linkId)) {
    // One that fails must not keep the others from being listed.
    const release = await releaseDelivery(parts, id, linkId).catch((error: unknown) => error);
    if (release instanceof Error) failures.push(release);
    if (release === 'unreadable') failures.push(new Error(`Delivery ${id} cannot be read`));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some deliveries were not released');
}

/** Lists a held delivery for the customer with a link, if a signed mandate of the link covers it. */
export async function releaseDelivery(
  parts: UploadParts,
  id: string,
  linkId: string,
): Promise<Release> {
  const { knex, storage, consents, now } = parts;
  const held = await findHeld(knex, id);
  if (held === undefined) return 'gone';
  const stored = await storage.store.get(storage.buckets.files, held.objectKey);
  if (stored === undefined) {
    const current = await findHeld(knex, id);
    if (current === undefined) return 'gone';
    // Another delivery of the same document may have replaced the object.
    if (current.objectKey !== held.objectKey) return releaseDelivery(parts, id, linkId);
    return 'unreadable';
  }
  const { documents } = await readDocuments(held.product, await collect(stored.bytes));
  if (documents.length !== 1) return 'unreadable';
  const access = { kind: 'link', linkId } as const;
  return processDocuments(parts, documents, access, {
    async record(trx, decisions) {
      if (decisions.some(({ action }) => action !== 'list')) return 'notCovered';
      const options = { uploadId: held.uploadId, access, now: now() };
      if (!(await endHolding(trx, id, options.now))) return 'gone';
      const { listed } = await recordDecisions(trx, consents, decisions, options);
      return listed > 0 ? 'listed' : 'repeated';
    },
  });
}
