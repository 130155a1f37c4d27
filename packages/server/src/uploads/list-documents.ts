import type { Knex } from 'knex';
import { newObjectId } from '../identifiers/object-id.js';
import { type Document, formats, type Product } from './documents/document.js';
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

/** Returns those of the documents that their lists already have: same number, same content (D-27). */
export async function findListed(
  knex: Knex,
  listings: readonly Listing[],
): Promise<ReadonlySet<Listing>> {
  const versions = await findVersions(knex, listings);
  return new Set(
    listings.filter((listing) =>
      versions.get(keyOf(listing))?.some((version) => isSame(version, listing)),
    ),
  );
}

/**
 * Inserts into `files` the documents that are not there yet. Transactions lock customers in the
 * same order, so that they do not deadlock.
 *
 * @returns those that were already listed, in the order of the file
 */
export async function listDocuments(
  trx: Knex.Transaction,
  listings: readonly Listing[],
  { uploadId, processedOn }: { readonly uploadId: string; readonly processedOn: Date },
): Promise<Listing[]> {
  await lockArrivals(trx, listings);
  const versions = await findVersions(trx, listings);
  const repeated = new Set<Listing>();
  const rows: object[] = [];
  for (const listing of listings) {
    const { document, recipient, objectKey } = listing;
    const known = versions.get(keyOf(listing)) ?? [];
    if (known.some((version) => isSame(version, listing))) {
      repeated.add(listing);
      continue;
    }
    const { product, statementDate, contentHash, key, fileStem } = document;
    const number = known.filter(({ file_name }) => isNamed(file_name, fileStem)).length + 1;
    const name = number === 1 ? fileStem : `${fileStem}_${number}`;
    const file = { file_name: `${name}.${formats[product].extension}`, content_hash: contentHash };
    versions.set(keyOf(listing), [...known, file]);
    // A trigger sets `arrival`.
    rows.push({
      id: newObjectId(),
      product,
      firm_id: recipient.firmId,
      customer_id: recipient.customerId,
      ...key,
      statement_date: statementDate,
      ...file,
      processed_on: processedOn,
      object_key: objectKey,
      pdf_key: objectKey.replace(/[^.]*$/, 'pdf'),
      pdf_status: 'missing',
      upload_id: uploadId,
    });
  }
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await trx('files').insert(rows.slice(from, from + rowsPerInsert));
  }
  const listed = listings.filter((listing) => !repeated.has(listing));
  await cancelRemoval(
    trx,
    listed.map(({ objectKey }) => objectKey),
  );
  return [...repeated];
}

/** A statement of PostgreSQL has at most 65,535 parameters. */
const rowsPerInsert = 500;

/** A listed file with the same key as a document, such as account, year and number. */
interface Version {
  readonly file_name: string;
  readonly content_hash: Buffer;
}

/** The columns of `files` that identify a document of a customer. */
const keyColumns: Readonly<Record<Product, Readonly<Record<string, string>>>> = {
  CODA: {
    iban: 'text',
    currency: 'text',
    extension: 'text',
    year: 'integer',
    statement_number: 'bigint',
  },
  CODB: {
    payroll_provider: 'text',
    account_period: 'integer',
    year: 'integer',
    statement_number: 'bigint',
  },
};

/** Finds the listed files with the keys of these documents, by `keyOf`. */
async function findVersions(
  knex: Knex,
  listings: readonly Listing[],
): Promise<Map<string, readonly Version[]>> {
  const found = new Map<string, readonly Version[]>();
  for (const product of ['CODA', 'CODB'] as const) {
    const wanted = new Map(
      listings
        .filter(({ document }) => document.product === product)
        .map((each) => [
          keyOf(each),
          { key: keyOf(each), customer_id: each.recipient.customerId, ...each.document.key },
        ]),
    );
    if (wanted.size === 0) continue;
    const columns = Object.entries(keyColumns[product]);
    const { rows } = await knex.raw<{ rows: (Version & { readonly key: string })[] }>(
      `select w.key, f.file_name, f.content_hash
         from jsonb_to_recordset(?::jsonb) as w (key text, customer_id text,
              ${columns.map(([name, type]) => `${name} ${type}`).join(', ')})
         join files f on f.product = '${product}' and f.customer_id = w.customer_id
              and ${columns.map(([name]) => `f.${name} = w.${name}`).join(' and ')}`,
      [JSON.stringify([...wanted.values()])],
    );
    for (const { key, ...version } of rows) found.set(key, [...(found.get(key) ?? []), version]);
  }
  return found;
}

/** Returns the same text for two documents with the same customer, product and key. */
function keyOf({ document: { product, key }, recipient: { customerId } }: Listing): string {
  return JSON.stringify([customerId, Object.keys(keyColumns[product]).map((name) => key[name])]);
}

/** Compares the content, which includes the date. */
function isSame({ content_hash }: Version, { document }: Listing): boolean {
  return content_hash.equals(document.contentHash);
}

/** Returns true if the file name is the stem, with or without a version number. */
function isNamed(fileName: string, stem: string): boolean {
  return fileName.startsWith(`${stem}.`) || fileName.startsWith(`${stem}_`);
}

/** Locks the arrival counters of customers until the transaction ends, in the order of their ids. */
async function lockArrivals(trx: Knex.Transaction, listings: readonly Listing[]): Promise<void> {
  const counters = listings.map(({ recipient: { customerId }, document: { product } }) => ({
    customer_id: customerId,
    product,
  }));
  await trx.raw(
    `insert into file_arrivals as arrivals (customer_id, product, latest)
     select distinct customer_id, product, 0
       from jsonb_to_recordset(?::jsonb) as counter (customer_id text, product text)
      order by customer_id, product
     on conflict (customer_id, product) do update set latest = arrivals.latest`,
    [JSON.stringify(counters)],
  );
}
