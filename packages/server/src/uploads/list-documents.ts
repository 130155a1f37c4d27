import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { type Document, formats } from './documents/document.js';
import { cancelRemoval } from './object-removals.js';
import type { Recipient } from './recipients.js';

/** A document and the customer whose list it goes into. */
export interface Listing {
  readonly document: Document;
  readonly recipient: Recipient;
  /** The key of a new object, which no other listing uses. */
  readonly objectKey: string;
}

/** Creates a key for the object of a document to list. */
export function newListedKey({ product }: Document, { customerId }: Recipient): string {
  const { extension } = formats[product];
  return `${product.toLowerCase()}/${customerId}/${newObjectId()}.${extension}`;
}

/** Returns true if the list of the customer already has the document: same number, same content (D-27). */
export async function isListed(knex: Knex, listing: Listing): Promise<boolean> {
  return (await findVersions(knex, listing)).some((version) => isSame(version, listing));
}

/**
 * Inserts into `files` the documents that are not there yet. Transactions lock customers in the
 * same order, so that they do not deadlock.
 *
 * @returns those that were already listed
 */
export async function listDocuments(
  trx: Knex.Transaction,
  listings: readonly Listing[],
  { uploadId, processedOn }: { readonly uploadId: string; readonly processedOn: Date },
): Promise<Listing[]> {
  const repeated: Listing[] = [];
  const recordedKeys: string[] = [];
  let lockedCustomer = '';
  for (const listing of listings.toSorted(byCustomer)) {
    const { customerId, firmId } = listing.recipient;
    const { product, statementDate, contentHash, key, fileStem } = listing.document;
    if (lockedCustomer !== customerId) await lockArrivals(trx, customerId, product);
    lockedCustomer = customerId;
    const versions = await findVersions(trx, listing);
    if (versions.some((version) => isSame(version, listing))) {
      repeated.push(listing);
      continue;
    }
    const number = versions.filter(({ file_name }) => isNamed(file_name, fileStem)).length + 1;
    const name = number === 1 ? fileStem : `${fileStem}_${number}`;
    const { objectKey } = listing;
    recordedKeys.push(objectKey);
    // A trigger sets `arrival`.
    await trx('files').insert({
      id: newObjectId(),
      product,
      firm_id: firmId,
      customer_id: customerId,
      ...key,
      statement_date: statementDate,
      content_hash: contentHash,
      file_name: `${name}.${formats[product].extension}`,
      processed_on: processedOn,
      object_key: objectKey,
      pdf_key: objectKey.replace(/[^.]*$/, 'pdf'),
      pdf_status: 'missing',
      upload_id: uploadId,
    });
  }
  await cancelRemoval(trx, recordedKeys);
  return repeated;
}

/** A listed file with the same key as a document, such as account, year and number. */
interface Version {
  readonly file_name: string;
  readonly content_hash: Buffer;
}

function findVersions(knex: Knex, { document, recipient }: Listing): Promise<Version[]> {
  const { product, key } = document;
  return knex('files')
    .where({ customer_id: recipient.customerId, product, ...key })
    .select('file_name', 'content_hash');
}

/** Compares the content, which includes the date. */
function isSame({ content_hash }: Version, { document }: Listing): boolean {
  return content_hash.equals(document.contentHash);
}

/** Returns true if the file name is the stem, with or without a version number. */
function isNamed(fileName: string, stem: string): boolean {
  return fileName.startsWith(`${stem}.`) || fileName.startsWith(`${stem}_`);
}

/** Locks the arrival counter of a customer and product until the transaction ends. */
async function lockArrivals(
  trx: Knex.Transaction,
  customerId: string,
  product: string,
): Promise<void> {
  await trx.raw(
    `insert into file_arrivals as arrivals (customer_id, product, latest) values (?, ?, 0)
     on conflict (customer_id, product) do update set latest = arrivals.latest`,
    [customerId, product],
  );
}

/** Compares customer ids. They are hexadecimal, so PostgreSQL sorts them in the same order. */
function byCustomer({ recipient: one }: Listing, { recipient: other }: Listing): number {
  if (one.customerId === other.customerId) return 0;
  return one.customerId < other.customerId ? -1 : 1;
}
