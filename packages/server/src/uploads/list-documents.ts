import type { Knex } from 'knex';
import {
  type ChainNotice,
  followAccounts,
  type NewStatement,
} from '../continuity/follow-accounts.js';
import { newObjectId } from '../identifiers/object-id.js';
import type { Storage } from '../storage/open-storage.js';
import { type Document, formats, type Product } from './documents/document.js';
import { cancelRemoval } from './object-removals.js';
import type { Recipient } from './recipients.js';
import { type FormerFile, rehash, toColumns } from './rehash-files.js';

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

/** Returns those of the documents that their lists already have, however they were delivered (D-29). */
export async function findListed(
  knex: Knex,
  storage: Storage,
  listings: readonly Listing[],
): Promise<ReadonlySet<Listing>> {
  const contents = await findContents(knex, storage, listings);
  return new Set(listings.filter((listing) => contents.has(contentOf(listing))));
}

/** The result of listing documents, in the order of the file. */
interface ListedDocuments {
  /** Those that were already listed. */
  readonly repeated: readonly Listing[];
  /** Those that do not fit into the chains of their accounts (D-30). */
  readonly notices: readonly { readonly listing: Listing; readonly kind: ChainNotice['kind'] }[];
}

/**
 * Inserts into `files` the documents that are not there yet, and follows the chains of their accounts.
 * Transactions lock customers in the same order, so that they do not deadlock.
 */
export async function listDocuments(
  trx: Knex.Transaction,
  storage: Storage,
  listings: readonly Listing[],
  { uploadId, processedOn }: { readonly uploadId: string; readonly processedOn: Date },
): Promise<ListedDocuments> {
  await lockArrivals(trx, listings);
  const contents = await findContents(trx, storage, listings);
  const versions = await countVersions(trx, listings);
  const repeated = new Set<Listing>();
  const rows: object[] = [];
  const listed = new Map<string, Listing>();
  for (const listing of listings) {
    const { document, recipient, objectKey } = listing;
    if (contents.has(contentOf(listing))) {
      repeated.add(listing);
      continue;
    }
    const { product, statementDate, key, fileStem } = document;
    const number = (versions.get(nameOf(listing)) ?? 0) + 1;
    versions.set(nameOf(listing), number);
    contents.add(contentOf(listing));
    const name = number === 1 ? fileStem : `${fileStem}_${number}`;
    const id = newObjectId();
    listed.set(id, listing);
    // A trigger sets `arrival`.
    rows.push({
      id,
      product,
      firm_id: recipient.firmId,
      customer_id: recipient.customerId,
      ...key,
      statement_date: statementDate,
      ...toColumns(document),
      content_hash: document.contentHash,
      file_name: `${name}.${formats[product].extension}`,
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
  await cancelRemoval(
    trx,
    [...listed.values()].map(({ objectKey }) => objectKey),
  );
  const statements = [...listed].flatMap(([id, listing]) => statementOf(id, listing));
  const notices = await followAccounts(trx, statements, processedOn);
  return {
    repeated: [...repeated],
    notices: notices.flatMap(({ id, kind }) => {
      const listing = listed.get(id);
      return listing === undefined ? [] : [{ listing, kind }];
    }),
  };
}

/** Returns the statement of a document for the chain of its account, if it has balances. */
function statementOf(id: string, { document, recipient }: Listing): NewStatement[] {
  const { subject, key, balances, statementDate: date } = document;
  if (balances === undefined || !('iban' in subject)) return [];
  const { currency = '', extension = '' } = key;
  const { customerId } = recipient;
  return [
    {
      id,
      date,
      customerId,
      iban: subject.iban,
      currency: String(currency),
      extension: String(extension),
    },
  ];
}

/** A statement of PostgreSQL has at most 65,535 parameters. */
const rowsPerInsert = 500;

/** The columns of `files` that the versions of a document share. */
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

/**
 * Finds those of the documents that are listed, by `contentOf`. First rehashes the files of a former
 * version that have the customer and number of one of them, and so may be the same (D-29).
 */
async function findContents(
  knex: Knex,
  storage: Storage,
  listings: readonly Listing[],
): Promise<Set<string>> {
  const wanted = listings.map((listing) => ({
    content: contentOf(listing),
    product: listing.document.product,
    customer_id: listing.recipient.customerId,
    hash: listing.document.contentHash.toString('hex'),
    statement_number: listing.document.key.statement_number,
  }));
  const { rows } = await knex.raw<{ rows: (FormerFile & { content: string | null })[] }>(
    `with w as (select * from jsonb_to_recordset(?::jsonb) as w (content text, product text,
                       customer_id text, hash text, statement_number bigint))
     select w.content, null as id, null as product, null as "objectKey"
       from w join files f on f.customer_id = w.customer_id and f.product = w.product
                          and f.content_hash = decode(w.hash, 'hex')
      union
     select null, f.id, f.product, f.object_key
       from w join files f using (customer_id, product, statement_number) where f.hash_version = 1
      order by id`,
    [JSON.stringify(wanted)],
  );
  const former = rows.filter(({ content }) => content === null);
  if (former.length === 0) return new Set(rows.flatMap(({ content }) => content ?? []));
  await rehash(knex, storage, former);
  return findContents(knex, storage, listings);
}

/**
 * Counts the listed versions of the documents, by `nameOf`. They are never read, because a customer may
 * have any number of files with the same account, year and number.
 */
async function countVersions(
  knex: Knex,
  listings: readonly Listing[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { isVersion, wanted, of } of byProduct(listings)) {
    const byName = new Map(of.map((listing) => [nameOf(listing), wantedOf(listing)]));
    const { rows } = await knex.raw<{ rows: { name: string; versions: number }[] }>(
      `select w.name, (select count(*)::int from files f where ${isVersion}
                          and (starts_with(f.file_name, w.stem || '.')
                               or starts_with(f.file_name, w.stem || '_'))) as versions
         from ${wanted}`,
      [JSON.stringify([...byName.values()])],
    );
    for (const { name, versions } of rows) counts.set(name, versions);
  }
  return counts;
}

/** Returns the listings of each product, with the SQL that joins them as `w` with files `f` of the same key. */
function byProduct(listings: readonly Listing[]) {
  return (['CODA', 'CODB'] as const).flatMap((product) => {
    const of = listings.filter(({ document }) => document.product === product);
    if (of.length === 0) return [];
    const columns = Object.entries(keyColumns[product]);
    return {
      of,
      wanted: `jsonb_to_recordset(?::jsonb) as w (name text, stem text, customer_id text,
              ${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`,
      isVersion: [
        `f.product = '${product}' and f.customer_id = w.customer_id`,
        ...columns.map(([name]) => `f.${name} = w.${name}`),
      ].join(' and '),
    };
  });
}

function wantedOf(listing: Listing): object {
  const { document, recipient } = listing;
  return {
    ...document.key,
    name: nameOf(listing),
    customer_id: recipient.customerId,
    stem: document.fileStem,
  };
}

/** Returns the same text for two documents with the same customer, product and content. */
function contentOf({ document: { product, contentHash }, recipient }: Listing): string {
  return `${product} ${recipient.customerId} ${contentHash.toString('hex')}`;
}

/** Returns the same text for two documents whose files differ in the number of their version only. */
function nameOf(listing: Listing): string {
  return `${keyOf(listing)} ${listing.document.fileStem}`;
}

/** Returns the same text for two documents with the same customer, product and key. */
function keyOf({ document: { product, key }, recipient: { customerId } }: Listing): string {
  return JSON.stringify([
    product,
    customerId,
    Object.keys(keyColumns[product]).map((name) => key[name]),
  ]);
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
