import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { type Document, formats } from './documents/document.js';
import { cancelRemoval } from './object-removals.js';
import type { Recipient } from './recipients.js';

/** A document and the customer it is listed for. */
export interface Listing {
  readonly document: Document;
  readonly recipient: Recipient;
  /** Its objects belong to this listing alone. */
  readonly objectKeys: { readonly bytes: string; readonly pdf: string };
}

/** Keys for the objects of a document that is to be listed. */
export function newListedKeys(
  { product }: Document,
  { customerId }: Recipient,
): Listing['objectKeys'] {
  const key = `${product.toLowerCase()}/${customerId}/${newObjectId()}`;
  return { bytes: `${key}.${formats[product].extension}`, pdf: `${key}.pdf` };
}

/** True if the customer's list has the document already: the same statement, with the same content. */
export async function isListed(knex: Knex, listing: Listing): Promise<boolean> {
  return (await findVersions(knex, listing)).some((version) => isSame(version, listing));
}

/**
 * Lists the documents that are not listed yet, in the order of their customers, so that two
 * transactions that list files for the same customers wait for each other.
 *
 * @returns those that had been listed before
 */
export async function listDocuments(
  trx: Knex.Transaction,
  listings: readonly Listing[],
  { uploadId, processedOn }: { readonly uploadId: string; readonly processedOn: Date },
): Promise<Listing[]> {
  const repeated: Listing[] = [];
  const recordedKeys: string[] = [];
  let locked = '';
  for (const listing of listings.toSorted(byCustomer)) {
    const { customerId, firmId } = listing.recipient;
    const { product, statementDate, contentHash, key, fileStem } = listing.document;
    if (locked !== customerId) await lockArrivals(trx, customerId, product);
    locked = customerId;
    const versions = await findVersions(trx, listing);
    if (versions.some((version) => isSame(version, listing))) {
      repeated.push(listing);
      continue;
    }
    const number = versions.filter(({ file_name }) => isNamed(file_name, fileStem)).length + 1;
    const name = number === 1 ? fileStem : `${fileStem}_${number}`;
    const { bytes, pdf } = listing.objectKeys;
    recordedKeys.push(bytes, pdf);
    await trx('files').insert({
      id: newObjectId(),
      ...{ product, firm_id: firmId, customer_id: customerId, ...key },
      ...{ statement_date: statementDate, content_hash: contentHash },
      file_name: `${name}.${formats[product].extension}`,
      processed_on: processedOn,
      ...{ object_key: bytes, pdf_key: pdf, upload_id: uploadId },
    });
  }
  await cancelRemoval(trx, recordedKeys);
  return repeated;
}

/** A listed file with the account, year and number of a document. */
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

/** The content includes the date, so the hash completes the key. */
function isSame({ content_hash }: Version, { document }: Listing): boolean {
  return content_hash.equals(document.contentHash);
}

/** True for a file name that is the stem, or the stem with a version number. */
function isNamed(fileName: string, stem: string): boolean {
  return fileName.startsWith(`${stem}.`) || fileName.startsWith(`${stem}_`);
}

/** Locks the arrivals of a customer and product until the transaction ends. */
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

/** Ids are hexadecimal, so PostgreSQL and JavaScript order them alike. */
function byCustomer({ recipient: one }: Listing, { recipient: other }: Listing): number {
  if (one.customerId === other.customerId) return 0;
  return one.customerId < other.customerId ? -1 : 1;
}
