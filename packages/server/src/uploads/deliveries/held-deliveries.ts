import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { type Document, formats } from '../../files/document.js';
import { cancelRemoval, scheduleRemoval } from '../../files/object-removals.js';
import { newObjectId } from '../../identifiers/object-id.js';
import { storableText } from '../documents/finding.js';

export interface HeldDocument {
  readonly document: Document;
  /** The link that it is held for; undefined if that is not known. */
  readonly linkId: string | undefined;
  readonly firmId: string | undefined;
  /** The key of a new object, which no other document uses. */
  readonly objectKey: string;
}

/** A delivery that waits for a signed mandate (D-28). */
export interface HeldDelivery {
  readonly id: string;
  /** Empty if it is not known. */
  readonly firmId: string;
  readonly product: Product;
  readonly uploadId: string;
  readonly sender: string;
  /** Null if the operator has to choose the link. */
  readonly linkId: string | null;
  readonly objectKey: string;
}

const columns = `id, firm_id as "firmId", product, upload_id as "uploadId",
                 coalesce(bank_account_id, payroll_link_id) as "linkId", object_key as "objectKey"`;

export function newHeldKey({ product }: Document): string {
  return `held/${newObjectId()}.${formats[product].extension}`;
}

/**
 * Holds documents. For one that is held already, the holding period starts again, and the object
 * just stored replaces the earlier one. They are sorted, so that two transactions do not deadlock.
 */
export async function holdDocuments(
  trx: Knex.Transaction,
  documents: readonly HeldDocument[],
  { uploadId, heldOn }: { readonly uploadId: string; readonly heldOn: Date },
): Promise<void> {
  const replacedKeys: string[] = [];
  const unlinked = documents.filter(({ linkId }) => linkId === undefined);
  const subjects = unlinked.map(({ document }) => document.subject);
  await rememberDelivered(trx, subjects, uploadId);
  for (const { document, linkId = null, firmId = '', objectKey } of documents.toSorted(byFirm)) {
    const { product, subject, contentHash } = document;
    // The upsert locks the row and returns the earlier key.
    const [held] = await trx('held_deliveries')
      .insert({
        id: newObjectId(),
        firm_id: firmId,
        upload_id: uploadId,
        product,
        ...('iban' in subject
          ? { iban: subject.iban, bank_account_id: linkId }
          : {
              enterprise_number: subject.enterpriseNumber,
              payroll_provider: storableText(subject.source),
              payroll_link_id: linkId,
            }),
        statement_number: document.key.statement_number,
        statement_date: document.statementDate,
        content_hash: contentHash,
        object_key: objectKey,
        held_on: heldOn,
      })
      .onConflict(
        trx.raw("(content_hash, coalesce(bank_account_id, payroll_link_id, ''), firm_id)"),
      )
      .merge(['held_on', 'upload_id'])
      .returning(['id', 'object_key']);
    if (held === undefined || held.object_key === objectKey) continue;
    replacedKeys.push(held.object_key);
    await trx('held_deliveries')
      .where({ id: held.id, firm_id: firmId })
      .update({ object_key: objectKey });
  }
  // First cancelled, then scheduled: a later document of the same file may have replaced an object.
  await cancelRemoval(
    trx,
    documents.map(({ objectKey }) => objectKey),
  );
  await scheduleRemoval(trx, replacedKeys, heldOn);
}

/**
 * Remembers the accounts, and the payroll providers of enterprises, for which something was
 * delivered before any firm had them: somebody else ordered that, so the first link is contested
 * too (D-66).
 */
async function rememberDelivered(
  trx: Knex.Transaction,
  subjects: readonly Document['subject'][],
  uploadId: string,
): Promise<void> {
  if (subjects.length === 0) return;
  const senders = await sendersOf(trx, [uploadId]);
  if (!senders.has(uploadId)) return;
  await trx.raw(
    `insert into link_holders (subject, holder)
     select hash, 'delivered'
       from unnest(?::text[]) subject, sha256(convert_to(subject, 'UTF8')) hash
      where not exists (select from link_holders h where h.subject = hash)
      order by hash
     on conflict do nothing`,
    [
      subjects.map((each) =>
        'iban' in each ? each.iban : `${each.enterpriseNumber} ${senders.get(uploadId)}`,
      ),
    ],
  );
}

export function findHeldFor(
  knex: Knex,
  { linkId, firmId }: { readonly linkId: string; readonly firmId: string },
): Promise<HeldDelivery[]> {
  const isForLink = 'firm_id = ? and (bank_account_id = ? or payroll_link_id = ?)';
  return select(knex, isForLink, [firmId, linkId, linkId]);
}

/** Without the firm, all are searched. */
export async function findHeld(
  knex: Knex,
  id: string,
  firmId?: string,
): Promise<HeldDelivery | undefined> {
  const [held] = await (firmId === undefined
    ? select(knex, 'id = ?', [id])
    : select(knex, 'id = ? and firm_id = ?', [id, firmId]));
  return held;
}

/** Returns false if it was already listed or deleted. */
export async function removeHeld(
  trx: Knex.Transaction,
  { id, firmId }: Pick<HeldDelivery, 'id' | 'firmId'>,
  now: Date,
): Promise<boolean> {
  return (await remove(trx, 'id = ?', id, now, [firmId])).length > 0;
}

/** Removes those that are still held. */
export function removeAllHeld(
  trx: Knex.Transaction,
  ids: readonly string[],
  now: Date,
): Promise<HeldDelivery[]> {
  return remove(trx, 'id = any(?)', [...ids], now);
}

export function removeExpired(
  trx: Knex.Transaction,
  heldBefore: Date,
  now: Date,
): Promise<HeldDelivery[]> {
  return remove(trx, 'held_on < ?', heldBefore, now);
}

async function remove(
  trx: Knex.Transaction,
  condition: string,
  value: string | Date | string[],
  now: Date,
  ofFirms?: readonly string[],
): Promise<HeldDelivery[]> {
  const query = trx('held_deliveries').whereRaw(condition, [value]).select('id', 'firm_id');
  const found = await (ofFirms ? query.whereIn('firm_id', ofFirms) : query);
  const ids = found.map(({ id }) => id);
  const removed: Omit<HeldDelivery, 'sender'>[] = [];
  for (const firmId of [...new Set(found.map(({ firm_id }) => firm_id))].sort()) {
    const { rows } = await trx.raw<{ rows: Omit<HeldDelivery, 'sender'>[] }>(
      `with removed as (
         select id from held_deliveries
          where firm_id = :firmId and id = any(:ids) and ${condition.replace('?', ':value')}
          order by content_hash, coalesce(bank_account_id, payroll_link_id, '') for no key update)
       delete from held_deliveries where firm_id = :firmId and id in (select id from removed)
       returning ${columns}`,
      { firmId, ids, value },
    );
    removed.push(...rows);
  }
  await scheduleRemoval(
    trx,
    removed.map(({ objectKey }) => objectKey),
    now,
  );
  return withSenders(trx, removed);
}

async function withSenders(
  knex: Knex,
  held: readonly Omit<HeldDelivery, 'sender'>[],
): Promise<HeldDelivery[]> {
  const senders = await sendersOf(
    knex,
    held.map(({ uploadId }) => uploadId),
  );
  return held.map((each) => ({ ...each, sender: senders.get(each.uploadId) ?? '' }));
}

/** Returns the senders of deliveries, which are of no firm, by their ids. */
async function sendersOf(knex: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const uploads = await knex('uploads')
    .where({ firm_id: '' })
    .whereIn('id', [...new Set(ids)])
    .select<{ id: string; sender: string }[]>('id', 'sender');
  return new Map(uploads.map(({ id, sender }) => [id, sender]));
}

function byFirm(one: HeldDocument, other: HeldDocument): number {
  const [firm = '', otherFirm = ''] = [one.firmId, other.firmId];
  if (firm !== otherFirm) return firm < otherFirm ? -1 : 1;
  const order = one.document.contentHash.compare(other.document.contentHash);
  if (order !== 0) return order;
  return (one.linkId ?? '') < (other.linkId ?? '') ? -1 : 1;
}

async function select(
  knex: Knex,
  condition: string,
  bindings: readonly Knex.RawBinding[],
): Promise<HeldDelivery[]> {
  const { rows } = await knex.raw<{ rows: Omit<HeldDelivery, 'sender'>[] }>(
    `select ${columns} from held_deliveries where ${condition} order by held_on, statement_date, statement_number, id`,
    [...bindings],
  );
  return withSenders(knex, rows);
}
