import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import type { Storage } from '../storage/open-storage.js';
import { type Holding, holdDocuments, newHeldKey } from './deliveries/held-deliveries.js';
import { readCodaDocuments } from './documents/coda-documents.js';
import { readCodbDocuments } from './documents/codb-documents.js';
import { type Document, formats, type Product } from './documents/document.js';
import { finding, type UploadFinding } from './documents/finding.js';
import { isListed, type Listing, listDocuments, objectKeys } from './list-documents.js';
import { type Access, findRecipients } from './recipients.js';

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

/** The documents of a file, and what was found while they were read. */
export interface FileReading {
  readonly documents: readonly Document[];
  readonly findings: readonly UploadFinding[];
  readonly omittedFindings: number;
}

/** What is done with a document. */
export type Decision =
  | ({ readonly action: 'list' } & Listing)
  | ({ readonly action: 'hold' } & Holding)
  | { readonly action: 'refuse'; readonly document: Document };

/** Largest file that is read, in bytes. */
export const maximumBytes = 25 * 2 ** 20;

/** Attempts to store documents while their customers or mandates change. */
const ATTEMPTS = 10;

/** Reads the documents of a file. */
export async function readDocuments(product: Product, bytes: Uint8Array): Promise<FileReading> {
  const documents: Document[] = [];
  const findings: UploadFinding[] = [];
  let omittedFindings = 0;
  const readings = product === 'CODA' ? readCodaDocuments(bytes) : readCodbDocuments(bytes);
  for await (const reading of readings) {
    if (reading.document !== undefined) documents.push(reading.document);
    findings.push(...reading.findings);
    omittedFindings += reading.omittedFindings;
  }
  return { documents, findings, omittedFindings };
}

/** A file of which nothing was read, and why. */
export function unread(code: Parameters<typeof finding>[0], seen?: string | number): FileReading {
  return { documents: [], findings: [finding(code, seen)], omittedFindings: 0 };
}

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
    const keys = decisions.flatMap((each) => (each.action === 'hold' ? each.objectKey : []));
    await removeHeldObjects(parts, keys);
  }
  throw new Error('The customers or mandates of the documents changed at every attempt');
}

/** How many documents were listed and held, and what there is to say about them. */
export interface Recorded {
  readonly listed: number;
  /** Documents that had been listed before. */
  readonly repeated: number;
  readonly held: number;
  /** The objects of earlier deliveries of the same documents, which are not needed any more. */
  readonly formerKeys: readonly string[];
  readonly findings: readonly UploadFinding[];
}

/** Lists and holds documents as decided, and moves the mandates of deliveries. */
export async function recordDecisions(
  trx: Knex.Transaction,
  consents: Consents,
  decisions: readonly Decision[],
  { uploadId, access, now }: { uploadId: string; access: Access; now: Date },
): Promise<Recorded> {
  const listings = decisions.filter((decision) => decision.action === 'list');
  const held = decisions.filter((decision) => decision.action === 'hold');
  const formerKeys = await holdDocuments(trx, held, { uploadId, heldOn: now });
  const repeated = await listDocuments(trx, listings, { uploadId, processedOn: now });
  if (needsConsent(access)) {
    await consents.delivered(
      trx,
      listings.flatMap(({ recipient }) => recipient.linkId ?? []),
    );
  }
  return {
    listed: listings.length - repeated.length,
    repeated: repeated.length,
    held: held.length,
    formerKeys,
    findings: [
      ...refusalsOf(decisions),
      ...held.map(({ document: { label, record } }) => finding('held', label, record)),
      ...repeated.map(({ document: { label, record } }) => finding('alreadyListed', label, record)),
    ],
  };
}

/** The findings on documents that are refused, which are the same whether or not a customer exists (§5). */
export function refusalsOf(decisions: readonly Decision[]): UploadFinding[] {
  return decisions.flatMap(({ action, document: { product, label, record } }) =>
    action === 'refuse'
      ? finding(product === 'CODA' ? 'unknownAccount' : 'unknownEnterprise', label, record)
      : [],
  );
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
    if (recipient && isCovered) return { action: 'list', document, recipient };
    if (access.kind !== 'delivery') return { action: 'refuse', document };
    return { action: 'hold', document, linkId, objectKey: newHeldKey(document) };
  });
}

/** Deliveries need a signed mandate; a firm's own uploads do not (D-28). */
function needsConsent({ kind }: Access): boolean {
  return kind === 'delivery' || kind === 'link';
}

/** Everything outside the document that a decision and the stored objects depend on. */
function basisOf(decision: Decision): unknown {
  return { ...decision, document: undefined, objectKey: undefined };
}

/** Before mandates, as everywhere; an account, a provider or a customer cannot end meanwhile. */
async function lockCustomers(trx: Knex.Transaction, decisions: readonly Decision[]): Promise<void> {
  const ids = decisions.flatMap((decision) =>
    decision.action === 'list' ? decision.recipient.customerId : [],
  );
  if (ids.length === 0) return;
  await trx.raw('select id from customers where id = any(?) order by id for share', [ids]);
}

/** Removes the objects of documents that are not held, or not any more. */
export async function removeHeldObjects(
  { storage: { store, buckets } }: UploadParts,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await store.remove(buckets.files, key);
}

async function storeObjects(
  { knex, storage: { store, buckets } }: UploadParts,
  decisions: readonly Decision[],
): Promise<void> {
  for (const decision of decisions) {
    const { action, document } = decision;
    const { contentType } = formats[document.product];
    if (action === 'hold') {
      await store.put(buckets.files, decision.objectKey, document.bytes, contentType);
    }
    // A listed file may be being downloaded: its objects are not put again.
    if (action !== 'list' || (await isListed(knex, decision))) continue;
    const keys = objectKeys(decision);
    await store.put(buckets.files, keys.bytes, document.bytes, contentType);
    const pdf = await document.print(decision.recipient);
    await store.put(buckets.files, keys.pdf, pdf, 'application/pdf');
  }
}
