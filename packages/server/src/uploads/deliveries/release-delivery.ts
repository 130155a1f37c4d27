import { buffer } from 'node:stream/consumers';
import { attemptEach } from '../../jobs/repeating-tasks.js';
import { orUnreadable } from '../../storage/object-store.js';
import { readDocuments } from '../documents/read-documents.js';
import { processDocuments, type UploadDependencies } from '../process-documents.js';
import { recordOutcomes } from '../record-outcomes.js';
import { findHeld, findHeldFor, type HeldDelivery, removeHeld } from './held-deliveries.js';
import { findSender, refusalOf } from './sender.js';

type ReleaseOutcome =
  | 'listed'
  /** The customer's list already contains the document. */
  | 'repeated'
  /** The link has ended, belongs to another account or customer, or no signed mandate covers it. */
  | 'notCovered'
  /** Statements of its year were removed (D-63); it stays held until its days end. */
  | 'noLongerKept'
  /** Its sender may not deliver it any more (D-66); it stays held. */
  | 'notOfSender'
  /** It is no longer held: it was listed or deleted. */
  | 'gone'
  /** Its object is missing, archived or damaged; it stays held. */
  | 'unreadable';

/** @throws AggregateError if some could not be read or listed; the others are listed */
export async function releaseDeliveries(
  dependencies: UploadDependencies,
  link: { readonly linkId: string; readonly firmId: string },
): Promise<void> {
  await attemptEach(
    await findHeldFor(dependencies.knex, link),
    ({ id }) => `delivery ${id}`,
    async (held) => {
      const outcome = await releaseHeld(dependencies, held, link.linkId);
      if (outcome === 'unreadable') throw new Error(`Delivery ${held.id} cannot be read`);
    },
  );
}

export async function releaseDelivery(
  dependencies: UploadDependencies,
  id: string,
  linkId: string,
): Promise<ReleaseOutcome> {
  const held = await findHeld(dependencies.knex, id);
  return held === undefined ? 'gone' : releaseHeld(dependencies, held, linkId);
}

async function releaseHeld(
  dependencies: UploadDependencies,
  held: HeldDelivery,
  linkId: string,
): Promise<ReleaseOutcome> {
  const { knex, storage, now } = dependencies;
  const stored = await storage.store.get(storage.buckets.files, held.objectKey).catch(orUnreadable);
  if (stored === undefined) {
    const current = await findHeld(knex, held.id, held.firmId);
    if (current === undefined) return 'gone';
    // A later delivery of the same document has replaced the object.
    if (current.objectKey !== held.objectKey) return releaseHeld(dependencies, current, linkId);
    return 'unreadable';
  }
  if (stored === 'unreadable') return stored;
  const { documents } = await readDocuments(held.product, await buffer(stored.bytes));
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) return 'unreadable';
  const sender = await findSender(knex, held.sender);
  if (sender === undefined || refusalOf(sender, document) !== undefined) return 'notOfSender';
  const access = { kind: 'link', linkId, sender } as const;
  return processDocuments(dependencies, documents, access, {
    async record(trx, outcomes) {
      const [outcome] = outcomes;
      if (outcome?.action === 'refuse' && outcome.reason === 'noLongerKept') return outcome.reason;
      if (outcome?.action !== 'list') return 'notCovered';
      const options = { uploadId: held.uploadId, access, now: now() };
      if (!(await removeHeld(trx, held, options.now))) return 'gone';
      const { listed } = await recordOutcomes(trx, dependencies, outcomes, options);
      return listed > 0 ? 'listed' : 'repeated';
    },
  });
}
