import type { Knex } from 'knex';
import {
  type ChainNotice,
  followAccounts,
  type NewStatement,
} from '../continuity/follow-accounts.js';
import { newObjectId } from '../identifiers/object-id.js';
import { type Document, formats } from './document.js';
import { enqueuePrinting, type ListedFile } from './enqueue-printing.js';
import { cancelRemoval } from './object-removals.js';

/** A customer with its firm. */
interface ListOwner {
  readonly customerId: string;
  readonly firmId: string;
}

/** A document and the customer whose list it goes into. */
export interface Listing {
  readonly document: Document;
  readonly recipient: ListOwner;
  /** The key of a new object, which no other listing uses. */
  readonly objectKey: string;
}

/** Creates a key for the object of a document to list. */
export function newListedKey({ product }: Document, { customerId }: ListOwner): string {
  const { extension } = formats[product];
  return `${product.toLowerCase()}/${customerId}/${newObjectId()}.${extension}`;
}

/**
 * Returns those of the documents that their lists already have, however they were delivered (D-29).
 */
export async function findListed(
  knex: Knex,
  listings: readonly Listing[],
): Promise<ReadonlySet<Listing>> {
  const contents = await findContents(knex, listings);
  return new Set(listings.filter((listing) => contents.has(contentOf(listing))));
}

/** The result of listing documents, in the order of the file. */
interface ListedDocuments {
  /** The new files by their ids. */
  readonly files: ReadonlyMap<string, ListedFile>;
  /** Those that were already listed. */
  readonly repeated: readonly Listing[];
  /** Those that do not fit into the chains of their accounts (D-30). */
  readonly notices: readonly { readonly listing: Listing; readonly kind: ChainNotice['kind'] }[];
}

/**
 * Inserts into `files` the documents that are not there yet, and follows the chains of their
 * accounts. Transactions lock customers in the same order, so that they do not deadlock.
 */
export async function listDocuments(
  trx: Knex.Transaction,
  listings: readonly Listing[],
  {
    uploadId,
    isDelivered,
    processedOn,
    printsItself = false,
  }: {
    readonly uploadId: string;
    readonly isDelivered: boolean;
    readonly processedOn: Date;
    /** True if the caller prints the files; otherwise jobs do. */
    readonly printsItself?: boolean;
  },
): Promise<ListedDocuments> {
  await lockArrivals(trx, listings);
  const contents = await findContents(trx, listings);
  const repeated = new Set<Listing>();
  const listed = new Map<string, Listing>();
  for (const listing of listings) {
    if (contents.has(contentOf(listing))) repeated.add(listing);
    else listed.set(newObjectId(), listing);
    contents.add(contentOf(listing));
  }
  await insertFiles(trx, listed, {
    ...{ upload_id: uploadId, is_delivered: isDelivered, processed_on: processedOn },
  });
  const files = new Map(
    [...listed].map(
      ([
        id,
        {
          document: { bytes },
          recipient: { firmId },
        },
      ]) => [id, { firmId, bytes }],
    ),
  );
  if (!printsItself) await enqueuePrinting(trx, files);
  await cancelRemoval(
    trx,
    [...listed.values()].map(({ objectKey }) => objectKey),
  );
  const statements = [...listed].flatMap(([id, listing]) => statementOf(id, listing));
  const notices = await followAccounts(trx, statements, processedOn);
  return {
    files,
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

/**
 * Inserts files under names that are unique within their firm (D-50). Another transaction may take
 * a name for another customer of the firm meanwhile: then the next one is tried.
 *
 * @param listed the documents by the ids of their files
 */
async function insertFiles(
  trx: Knex.Transaction,
  listed: ReadonlyMap<string, Listing>,
  upload: Readonly<Record<'upload_id' | 'is_delivered' | 'processed_on', unknown>>,
): Promise<void> {
  let rest = [...listed];
  // Most files have one document, whose name is free.
  const guesses = listed.size === 1 ? 1 : 0;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    const named = rest.map(([, listing]) => listing);
    const names =
      attempt < guesses
        ? new Map(named.map((listing) => [listing, fileName(listing, 1)]))
        : await versionNames(trx, named, attempt - guesses);
    const rows = rest.map(([id, listing]) => {
      const { product, statementDate, key, contentHash, balances } = listing.document;
      // A trigger sets `arrival`.
      return {
        id,
        product,
        ...upload,
        ...key,
        firm_id: listing.recipient.firmId,
        customer_id: listing.recipient.customerId,
        statement_date: statementDate,
        content_hash: contentHash,
        created_on: balances?.createdOn,
        old_balance: balances?.old.toString(),
        new_balance: balances?.new.toString(),
        file_name: names.get(listing),
        object_key: listing.objectKey,
        pdf_key: listing.objectKey.replace(/[^.]*$/, 'pdf'),
        pdf_status: 'missing',
      };
    });
    const inserted = new Set<string>();
    for (let from = 0; from < rows.length; from += rowsPerInsert) {
      const ids: { id: string }[] = await trx('files')
        .insert(rows.slice(from, from + rowsPerInsert))
        .onConflict(trx.raw('(firm_id, lower(file_name collate "C"))'))
        .ignore()
        .returning('id');
      for (const { id } of ids) inserted.add(id);
    }
    rest = rest.filter(([id]) => !inserted.has(id));
  }
}

/**
 * Returns a name for the file of each document that no file of its firm has: `…_2.cod` for the
 * second one with a name. The versions are counted and never read, because there may be any number
 * of them.
 *
 * @param further added to the number of each version, because these names were taken meanwhile
 */
async function versionNames(
  trx: Knex.Transaction,
  listings: readonly Listing[],
  further: number,
): Promise<Map<Listing, string>> {
  const stems = new Map(
    listings.map((listing) => {
      const { fileStem } = listing.document;
      const { firmId } = listing.recipient;
      return [
        stemOf(listing),
        { stem: stemOf(listing), firm_id: firmId, own: fileStem.toLowerCase() },
      ];
    }),
  );
  const { rows } = await trx.raw<{ rows: { stem: string; versions: number }[] }>(
    // `/` follows the dot, and the backtick the underscore.
    `select w.stem,
            (select count(*)::int from files f
              where f.firm_id = w.firm_id and lower(f.file_name collate "C") >= w.own || '.'
                and lower(f.file_name collate "C") < w.own || '/')
          + (select count(*)::int from files f
              where f.firm_id = w.firm_id and lower(f.file_name collate "C") >= w.own || '_'
                and lower(f.file_name collate "C") < w.own || '\`') as versions
       from jsonb_to_recordset(?::jsonb) as w (stem text, firm_id text, own text)`,
    [JSON.stringify([...stems.values()])],
  );
  const versions = new Map(rows.map(({ stem, versions }) => [stem, versions + further]));
  return new Map(
    listings.map((listing) => {
      const number = (versions.get(stemOf(listing)) ?? 0) + 1;
      versions.set(stemOf(listing), number);
      return [listing, fileName(listing, number)];
    }),
  );
}

/** Returns the name of the file of a document, for the version of this number, from 1. */
function fileName({ document: { product, fileStem } }: Listing, number: number): string {
  const version = number === 1 ? '' : `_${number}`;
  return `${fileStem}${version}.${formats[product].extension}`;
}

/**
 * Returns the same text for two documents whose file names differ in the number of their version at
 * most.
 */
function stemOf({ document: { fileStem }, recipient: { firmId } }: Listing): string {
  return `${firmId} ${fileStem.toLowerCase()}`;
}

/** Finds those of the documents that are listed, by `contentOf` (D-29). */
async function findContents(knex: Knex, listings: readonly Listing[]): Promise<Set<string>> {
  const wanted = listings.map((listing) => ({
    content: contentOf(listing),
    product: listing.document.product,
    customer_id: listing.recipient.customerId,
    hash: listing.document.contentHash.toString('hex'),
  }));
  const { rows } = await knex.raw<{ rows: { content: string }[] }>(
    `select w.content
       from jsonb_to_recordset(?::jsonb) as w (content text, product text, customer_id text, hash text)
       join files f on f.customer_id = w.customer_id and f.product = w.product
                   and f.content_hash = decode(w.hash, 'hex')`,
    [JSON.stringify(wanted)],
  );
  return new Set(rows.map(({ content }) => content));
}

/** Returns the same text for two documents with the same customer, product and content. */
function contentOf({ document: { product, contentHash }, recipient }: Listing): string {
  return `${product} ${recipient.customerId} ${contentHash.toString('hex')}`;
}

/**
 * Locks the arrival counters of customers until the transaction ends, in the order of their ids.
 */
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
