import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import { type Document, formats, type Product } from '../documents/document.js';
import { storableText } from '../documents/finding.js';
import { cancelRemoval, scheduleRemoval } from '../object-removals.js';

/** A document that is to be held for a link, or for none where it is not known which. */
export interface Holding {
  readonly document: Document;
  readonly linkId: string | undefined;
  /** Its object belongs to this holding alone. */
  readonly objectKey: string;
}

/** A delivery that waits for a signed mandate (D-28). */
export interface HeldDelivery {
  readonly id: string;
  readonly product: Product;
  /** The file that it was delivered in. */
  readonly uploadId: string;
  /** Absent where the operator has to say which link it is for. */
  readonly linkId: string | null;
  readonly objectKey: string;
}

const columns = `id, product, upload_id as "uploadId",
                 coalesce(bank_account_id, payroll_link_id) as "linkId", object_key as "objectKey"`;

/** A key for the object of a document that is to be held. */
export function newHeldKey({ product }: Document): string {
  return `held/${newObjectId()}.${formats[product].extension}`;
}

/**
 * Records documents as held, in the order of their content, so that two transactions that hold the
 * same ones wait for each other. If a document is held already, its time starts again and its object
 * is replaced by the one just stored.
 */
export async function holdDocuments(
  trx: Knex.Transaction,
  holdings: readonly Holding[],
  { uploadId, heldOn }: { readonly uploadId: string; readonly heldOn: Date },
): Promise<void> {
  const replacedKeys: string[] = [];
  for (const { document, linkId = null, objectKey } of holdings.toSorted(byContent)) {
    const { product, subject, contentHash } = document;
    // The upsert locks the row, so the key that it returns is the one to replace.
    const [held] = await trx('held_deliveries')
      .insert({
        id: newObjectId(),
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
      .onConflict(trx.raw("(content_hash, coalesce(bank_account_id, payroll_link_id, ''))"))
      .merge(['held_on', 'upload_id'])
      .returning(['id', 'object_key']);
    if (held === undefined || held.object_key === objectKey) continue;
    replacedKeys.push(held.object_key);
    await trx('held_deliveries').where({ id: held.id }).update({ object_key: objectKey });
  }
  // In this order: an object of this file may have been replaced by the next one.
  await cancelRemoval(
    trx,
    holdings.map(({ objectKey }) => objectKey),
  );
  await scheduleRemoval(trx, replacedKeys, heldOn);
}

/** The deliveries that are held for a link, in the order in which they came and are numbered. */
export function findHeldFor(knex: Knex, linkId: string): Promise<HeldDelivery[]> {
  return select(knex, 'bank_account_id = ? or payroll_link_id = ?', [linkId, linkId]);
}

export async function findHeld(knex: Knex, id: string): Promise<HeldDelivery | undefined> {
  const [held] = await select(knex, 'id = ?', [id]);
  return held;
}

/** Ends the holding of a delivery; returns false where it had been listed or deleted before. */
export async function endHolding(trx: Knex.Transaction, id: string, now: Date): Promise<boolean> {
  const keys = await trx('held_deliveries').where({ id }).delete().returning('object_key');
  await scheduleRemoval(
    trx,
    keys.map(({ object_key }) => object_key),
    now,
  );
  return keys.length > 0;
}

/** Ends the holding of deliveries that were held last before an instant, and returns them. */
export async function expireHeld(
  trx: Knex.Transaction,
  heldBefore: Date,
  now: Date,
): Promise<HeldDelivery[]> {
  const { rows } = await trx.raw<{ rows: HeldDelivery[] }>(
    `with expired as (
       select id from held_deliveries where held_on < ?
        order by content_hash, coalesce(bank_account_id, payroll_link_id, '') for no key update)
     delete from held_deliveries where id in (select id from expired)
     returning ${columns}`,
    [heldBefore],
  );
  await scheduleRemoval(
    trx,
    rows.map(({ objectKey }) => objectKey),
    now,
  );
  return rows;
}

function byContent(one: Holding, other: Holding): number {
  const order = one.document.contentHash.compare(other.document.contentHash);
  if (order !== 0) return order;
  return (one.linkId ?? '') < (other.linkId ?? '') ? -1 : 1;
}

async function select(
  knex: Knex,
  condition: string,
  bindings: readonly Knex.RawBinding[],
): Promise<HeldDelivery[]> {
  const { rows } = await knex.raw<{ rows: HeldDelivery[] }>(
    `select ${columns} from held_deliveries where ${condition} order by held_on, statement_date, statement_number, id`,
    [...bindings],
  );
  return rows;
}
