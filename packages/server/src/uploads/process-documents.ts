import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { DAY } from '../dates/brussels-day.js';
import { inTransaction } from '../db/transaction.js';
import { type Document, formats, type NewFile, newFile } from '../files/document.js';
import { findListed } from '../files/list-documents.js';
import { scheduleRemoval } from '../files/object-removals.js';
import type { Storage } from '../storage/open-storage.js';
import type { Coverage } from './coverage.js';
import { type HeldDocument, newHeldKey } from './deliveries/held-deliveries.js';
import {
  type Access,
  findFirstDayKept,
  findRecipients,
  type Link,
  linkOf,
  needsMandate,
  type Recipient,
} from './recipients.js';

export interface UploadDependencies {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly coverage: Coverage;
  readonly now: () => Date;
}

/** A document is listed for its recipient, held until a mandate is signed, or refused. */
export type DocumentOutcome =
  | ({ readonly action: 'list'; readonly recipient: Recipient } & NewFile)
  | ({ readonly action: 'hold' } & HeldDocument)
  | {
      readonly action: 'refuse';
      readonly document: Document;
      /** `unknown`: the access covers no such customer; `noLongerKept`: it is too old (D-63). */
      readonly reason: 'unknown' | 'noLongerKept';
    };

/** The number of attempts if customers or mandates change while the objects are stored. */
const ATTEMPTS = 5;

/** The number of objects of a file that are stored at once. */
export const PUTS = 8;

/** The time after it was stored in which an object may be recorded, in ms. */
const UNRECORDED_MS = DAY;

/**
 * Stores objects and records the outcomes of documents. Objects cannot be stored in a transaction.
 * So the outcomes are determined twice: before the objects are stored, and again in the transaction
 * that records them, with customers and mandates locked. If they differ, the steps are repeated for
 * the documents whose outcome has changed. A delivery contains documents of many firms, and no firm
 * may prevent it by changing its customers all the time. So its last attempt locks them before it
 * stores what has changed.
 *
 * @param steps.store - stores further objects, such as a copy of the file
 * @param steps.record - records the outcomes; called again if the transaction is retried, and only
 *   the last call is committed
 */
export async function processDocuments<Result>(
  { knex, storage, coverage, now }: UploadDependencies,
  documents: readonly Document[],
  access: Access,
  steps: {
    store?(outcomes: readonly DocumentOutcome[]): Promise<void>;
    record(trx: Knex.Transaction, outcomes: readonly DocumentOutcome[]): Promise<Result>;
  },
): Promise<Result> {
  let outcomes: readonly DocumentOutcome[] = [];

  async function storeChanged(current: readonly DocumentOutcome[]): Promise<void> {
    const next = current.map((outcome, index) => {
      const known = outcomes[index];
      return known !== undefined && isSame(known, outcome) ? known : outcome;
    });
    const stored = new Set(outcomes);
    const changed = next.filter((outcome) => !stored.has(outcome));
    await storeObjects(knex, storage, changed, now());
    await steps.store?.(next);
    outcomes = next;
  }

  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await storeChanged(
      await determineOutcomes(knex, documents, access, (links) =>
        coverage.coveredLinks(knex, links),
      ),
    );
    const isFinal = attempt === ATTEMPTS && access.kind === 'delivery';
    const recorded = await inTransaction(knex, async (trx) => {
      if (isFinal) await lockRecipients(trx, documents, access);
      else {
        const listed = outcomes.filter((outcome) => outcome.action === 'list');
        await lockCustomers(
          trx,
          listed.map(({ recipient }) => recipient),
        );
      }
      const current = await determineOutcomes(trx, documents, access, (links) =>
        coverage.lockCoveredLinks(trx, links),
      );
      if (isFinal) await storeChanged(current);
      else if (!current.every((outcome, index) => isSame(outcome, outcomes[index])))
        return undefined;
      return { result: await steps.record(trx, outcomes) };
    });
    if (recorded !== undefined) return recorded.result;
  }
  throw new Error('The customers or mandates of the documents changed during every attempt');
}

async function determineOutcomes(
  knex: Knex,
  documents: readonly Document[],
  access: Access,
  coveredLinks: (links: readonly Link[]) => Promise<ReadonlySet<string>>,
): Promise<readonly DocumentOutcome[]> {
  const recipients = await findRecipients(knex, documents, access);
  const covered = needsMandate(access)
    ? await coveredLinks(recipients.flatMap((recipient) => (recipient ? linkOf(recipient) : [])))
    : undefined;
  const withoutRecipient = recipients.includes(undefined) && access.kind === 'delivery';
  const firstDayOfOthers = withoutRecipient ? await findFirstDayKept(knex) : '';
  return documents.map((document, index) => {
    const recipient = recipients[index];
    const linkId = recipient?.linkId;
    if (document.statementDate < (recipient ? recipient.firstDayKept : firstDayOfOthers)) {
      return { action: 'refuse', document, reason: 'noLongerKept' };
    }
    const isCovered = covered === undefined || (linkId !== undefined && covered.has(linkId));
    if (recipient && isCovered) {
      return { action: 'list', ...newFile(document, recipient) };
    }
    if (access.kind !== 'delivery') return { action: 'refuse', document, reason: 'unknown' };
    const firmId = linkId === undefined ? undefined : recipient?.firmId;
    return { action: 'hold', document, linkId, firmId, objectKey: newHeldKey(document) };
  });
}

/** Compares what may change between the two times that an outcome is determined. */
function isSame(one: DocumentOutcome, other: DocumentOutcome | undefined): boolean {
  return isDeepStrictEqual(withoutObject(one), withoutObject(other));
}

function withoutObject(outcome: DocumentOutcome | undefined): unknown {
  return { ...outcome, document: undefined, id: undefined, objectKey: undefined };
}

/** Locks customers with their accounts and providers: always before mandates. */
async function lockCustomers(
  trx: Knex.Transaction,
  recipients: readonly Recipient[],
): Promise<void> {
  const ids = recipients.map(({ customerId }) => customerId);
  for (const firmId of [...new Set(recipients.map((recipient) => recipient.firmId))].sort()) {
    await trx.raw(
      'select id from customers where firm_id = ? and id = any(?) order by id for share',
      [firmId, ids],
    );
  }
}

/** Locks also the customers that get an account while it waits for others. */
async function lockRecipients(
  trx: Knex.Transaction,
  documents: readonly Document[],
  access: Access,
): Promise<void> {
  const locked = new Set<string>();
  for (;;) {
    const recipients = await findRecipients(trx, documents, access);
    const added = recipients
      .filter((recipient) => recipient !== undefined)
      .filter(({ customerId }) => !locked.has(customerId));
    if (added.length === 0) return;
    await lockCustomers(trx, added);
    for (const { customerId } of added) locked.add(customerId);
  }
}

async function storeObjects(
  knex: Knex,
  { store, buckets }: Storage,
  outcomes: readonly DocumentOutcome[],
  now: Date,
): Promise<void> {
  const listed: ReadonlySet<unknown> = await findListed(
    knex,
    outcomes.filter((outcome) => outcome.action === 'list'),
  );
  const stored = outcomes
    .filter((outcome) => outcome.action !== 'refuse')
    .filter((outcome) => !listed.has(outcome));
  const removeAfter = new Date(now.getTime() + UNRECORDED_MS);
  await scheduleRemoval(
    knex,
    stored.map(({ objectKey }) => objectKey),
    removeAfter,
  );
  for (let from = 0; from < stored.length; from += PUTS) {
    await Promise.all(
      stored.slice(from, from + PUTS).map(({ document, objectKey }) => {
        const { contentType } = formats[document.product];
        return store.put(buckets.files, objectKey, document.bytes, contentType);
      }),
    );
  }
}
