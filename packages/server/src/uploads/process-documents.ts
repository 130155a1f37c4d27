import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import type { Storage } from '../storage/open-storage.js';
import { type Holding, newHeldKey } from './deliveries/held-deliveries.js';
import { type Document, formats } from './documents/document.js';
import { isListed, type Listing, newListedKeys } from './list-documents.js';
import { scheduleUnlessRecorded } from './object-removals.js';
import { type Access, findRecipients, needsConsent } from './recipients.js';

/** Mandates, as far as deliveries depend on them (D-28); the feature `mandates` implements it. */
export interface Consents {
  /** Those of the links whose mandate is signed and has not ended. */
  coveredLinks(knex: Knex, linkIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The same, with their mandates locked until the transaction ends. */
  lockCoveredLinks(trx: Knex.Transaction, linkIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Moves the mandates of these links that were waiting for their first delivery. */
  delivered(trx: Knex.Transaction, linkIds: readonly string[]): Promise<void>;
}

export interface UploadParts {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly consents: Consents;
  readonly now: () => Date;
}

/** A document, and whether it is listed, held or refused. */
export type Decision =
  | ({ readonly action: 'list' } & Listing)
  | ({ readonly action: 'hold' } & Holding)
  | { readonly action: 'refuse'; readonly document: Document };

/** Attempts to store documents while their customers or mandates change. */
const ATTEMPTS = 10;

/** The two steps that follow the decisions on the documents of a file. */
export interface ProcessingSteps<Result> {
  /** Stores what belongs to the file as a whole, beside the objects of its documents. */
  store?(decisions: readonly Decision[]): Promise<void>;
  /** Records the decisions; may run several times, and only its last run is committed. */
  record(trx: Knex.Transaction, decisions: readonly Decision[]): Promise<Result>;
}

/**
 * Decides for each document whether it is listed, held or refused, stores the objects, and records
 * the decisions in a transaction.
 *
 * Objects cannot be stored in a transaction. So the decisions are made twice: before the objects are
 * stored, and again in the transaction that records them, where customers and mandates are locked.
 * If anything they depend on has changed in between, all steps are repeated.
 */
export async function processDocuments<Result>(
  parts: UploadParts,
  documents: readonly Document[],
  access: Access,
  { store, record }: ProcessingSteps<Result>,
): Promise<Result> {
  const { knex, consents } = parts;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const decisions = await decide(knex, documents, access, (linkIds) =>
      consents.coveredLinks(knex, linkIds),
    );
    await storeObjects(parts, decisions);
    await store?.(decisions);
    const recorded = await inTransaction(knex, async (trx) => {
      await lockCustomers(trx, decisions);
      const current = await decide(trx, documents, access, (linkIds) =>
        consents.lockCoveredLinks(trx, linkIds),
      );
      const isCurrent = isDeepStrictEqual(current.map(basisOf), decisions.map(basisOf));
      return isCurrent ? { result: await record(trx, decisions) } : undefined;
    });
    if (recorded !== undefined) return recorded.result;
  }
  throw new Error('The customers or mandates of the documents changed at every attempt');
}

async function decide(
  knex: Knex,
  documents: readonly Document[],
  access: Access,
  coveredLinks: (linkIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly Decision[]> {
  const recipients = await findRecipients(knex, documents, access);
  const covered = needsConsent(access)
    ? await coveredLinks(recipients.flatMap((recipient) => recipient?.linkId ?? []))
    : undefined;
  return documents.map((document, index) => {
    const recipient = recipients[index];
    const linkId = recipient?.linkId;
    const isCovered = covered === undefined || (linkId !== undefined && covered.has(linkId));
    if (recipient && isCovered) {
      return {
        action: 'list',
        document,
        recipient,
        objectKeys: newListedKeys(document, recipient),
      };
    }
    if (access.kind !== 'delivery') return { action: 'refuse', document };
    return { action: 'hold', document, linkId, objectKey: newHeldKey(document) };
  });
}

/** Everything outside the document that a decision and the stored objects depend on. */
function basisOf(decision: Decision): unknown {
  return { ...decision, document: undefined, objectKey: undefined, objectKeys: undefined };
}

/** Before mandates, as everywhere; an account, a provider or a customer cannot end meanwhile. */
async function lockCustomers(trx: Knex.Transaction, decisions: readonly Decision[]): Promise<void> {
  const ids = decisions.flatMap((decision) =>
    decision.action === 'list' ? decision.recipient.customerId : [],
  );
  if (ids.length === 0) return;
  await trx.raw('select id from customers where id = any(?) order by id for share', [ids]);
}

async function storeObjects(
  { knex, now, storage: { store, buckets } }: UploadParts,
  decisions: readonly Decision[],
): Promise<void> {
  const held = decisions.filter((decision) => decision.action === 'hold');
  const listings: Listing[] = [];
  for (const decision of decisions) {
    if (decision.action === 'list' && !(await isListed(knex, decision))) listings.push(decision);
  }
  const listedKeys = listings.flatMap(({ objectKeys: { bytes, pdf } }) => [bytes, pdf]);
  const heldKeys = held.map(({ objectKey }) => objectKey);
  await scheduleUnlessRecorded(knex, [...listedKeys, ...heldKeys], now());
  for (const { document, objectKey } of held) {
    await store.put(buckets.files, objectKey, document.bytes, contentTypeOf(document));
  }
  for (const { document, recipient, objectKeys } of listings) {
    await store.put(buckets.files, objectKeys.bytes, document.bytes, contentTypeOf(document));
    const printed = await document.print(recipient);
    await store.put(buckets.files, objectKeys.pdf, printed, 'application/pdf');
  }
}

function contentTypeOf({ product }: Document): string {
  return formats[product].contentType;
}
