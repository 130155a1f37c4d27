import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import type { Storage } from '../../storage/open-storage.js';
import { type Document, formats, type Product } from '../documents/document.js';
import { storableText } from '../documents/finding.js';

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
  /** When it was listed, or its time was over. */
  readonly settledOn: Date | null;
}

const columns = `id, product, upload_id as "uploadId",
                 coalesce(bank_account_id, payroll_link_id) as "linkId",
                 object_key as "objectKey", settled_on as "settledOn"`;

/** Where the objects of held documents are, in the bucket of listed files. */
export const heldPrefix = 'held/';

/** A key for the object of a held document. */
export function newHeldKey({ product }: Document): string {
  return `${heldPrefix}${newObjectId()}.${formats[product].extension}`;
}

/**
 * Records documents as held, in the order of their content, so that two transactions that hold the
 * same ones wait for each other. Of one that is held already the time until it is deleted starts
 * again, with the object that has just been stored.
 *
 * @returns the keys of the objects that were replaced
 */
export async function holdDocuments(
  trx: Knex.Transaction,
  holdings: readonly Holding[],
  { uploadId, heldOn }: { readonly uploadId: string; readonly heldOn: Date },
): Promise<string[]> {
  const formerKeys: string[] = [];
  for (const { document, linkId = null, objectKey } of holdings.toSorted(byContent)) {
    const { product, subject, contentHash: content_hash } = document;
    formerKeys.push(
      ...(await trx('held_deliveries')
        .where({ content_hash })
        .whereRaw("coalesce(bank_account_id, payroll_link_id, '') = ?", [linkId ?? ''])
        .whereNull('settled_on')
        .pluck<string[]>('object_key')),
    );
    await trx('held_deliveries')
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
        content_hash,
        object_key: objectKey,
        held_on: heldOn,
      })
      .onConflict(
        trx.raw(
          "(content_hash, coalesce(bank_account_id, payroll_link_id, '')) where settled_on is null",
        ),
      )
      .merge(['held_on', 'object_key']);
  }
  return formerKeys;
}

/** The deliveries that are held for a link, the oldest first. */
export function findHeldFor(knex: Knex, linkId: string): Promise<HeldDelivery[]> {
  return select(knex, 'settled_on is null and (bank_account_id = ? or payroll_link_id = ?)', [
    linkId,
    linkId,
  ]);
}

export async function findHeld(knex: Knex, id: string): Promise<HeldDelivery | undefined> {
  const [held] = await select(knex, 'id = ?', [id]);
  return held;
}

/** Locks a held delivery until the transaction ends; false where it has been listed or deleted. */
export async function lockHeld(trx: Knex.Transaction, id: string): Promise<boolean> {
  const row = await trx('held_deliveries')
    .where({ id })
    .whereNull('settled_on')
    .forNoKeyUpdate()
    .first('id');
  return row !== undefined;
}

/** Marks a delivery as held no longer; its object and row are removed afterwards. */
export async function settleHeld(trx: Knex.Transaction, id: string, on: Date): Promise<void> {
  await trx('held_deliveries').where({ id }).update({ settled_on: on });
}

/** Marks the deliveries that were held last before an instant as held no longer. */
export async function settleHeldBefore(
  trx: Knex.Transaction,
  before: Date,
  on: Date,
): Promise<HeldDelivery[]> {
  const { rows } = await trx.raw<{ rows: HeldDelivery[] }>(
    `with expired as (
       select id from held_deliveries where settled_on is null and held_on < ?
        order by content_hash, coalesce(bank_account_id, payroll_link_id, '') for no key update)
     update held_deliveries set settled_on = ? where id in (select id from expired)
     returning ${columns}`,
    [before, on],
  );
  return rows;
}

/** Deliveries that are held no longer and have not been removed. */
export function findSettled(knex: Knex): Promise<HeldDelivery[]> {
  return select(knex, 'settled_on is not null', []);
}

/** Removes a delivery that is held no longer: its object, and then its row. */
export async function removeHeld(
  knex: Knex,
  { store, buckets }: Storage,
  { id, objectKey }: HeldDelivery,
): Promise<void> {
  await store.remove(buckets.files, objectKey);
  await knex('held_deliveries').where({ id }).delete();
}

/** Of some keys below `held/`, those that belong to no delivery. */
export async function keysWithoutDelivery(knex: Knex, keys: readonly string[]): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { key: string }[] }>(
    `select key from unnest(?::text[]) as key
      where not exists (select from held_deliveries h where h.object_key = key)`,
    [[...keys]],
  );
  return rows.map(({ key }) => key);
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
    `select ${columns} from held_deliveries where ${condition} order by held_on, id`,
    [...bindings],
  );
  return rows;
}
