import { buffer } from 'node:stream/consumers';
import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { listedKeys } from '../files/document.js';
import { hasPdf } from '../files/unprinted-files.js';
import { orUnreadable } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import { readDocuments } from './documents/read-documents.js';

export type FileFault = 'missing' | 'unreadable' | 'changed' | 'pdfMissing';

/** A listed file or a held delivery, and what the bucket lacks of it. */
export interface FaultyFile {
  readonly id: string;
  readonly kind: 'file' | 'heldDelivery';
  readonly objectKey: string;
  readonly fault: FileFault;
}

export interface CheckedFiles {
  readonly checked: number;
  readonly faulty: readonly FaultyFile[];
}

interface Row {
  readonly id: string;
  readonly kind: FaultyFile['kind'];
  readonly product: Product;
  /** Null for a held delivery. */
  readonly customerId: string | null;
  /** The key of the object of a held delivery; null for a listed file. */
  readonly heldKey: string | null;
  readonly isPrinted: boolean;
  readonly contentHash: Buffer;
}

const ROWS_PER_PAGE = 500;

const READS = 8;

/**
 * Compares all listed files and held deliveries with the objects of the bucket (D-62): each has to
 * exist, with the content that the database knows, and each printed file needs its PDF. It reads
 * every object and changes nothing.
 *
 * @param since - only what was listed or held from then on
 */
export async function checkFiles(
  knex: Knex,
  storage: Storage,
  since?: Date,
): Promise<CheckedFiles> {
  let checked = 0;
  const faulty: FaultyFile[] = [];
  let page: Row[];
  let after = '';
  do {
    page = await readPage(knex, after, since);
    for (let from = 0; from < page.length; from += READS) {
      const rows = page.slice(from, from + READS);
      const faults = await Promise.all(rows.map((row) => findFault(storage, row)));
      for (const [index, row] of rows.entries()) {
        const fault = faults[index];
        if (fault === undefined || !(await isStored(knex, row))) continue;
        const { objectKey } = keysOf(row);
        faulty.push({ id: row.id, kind: row.kind, objectKey, fault });
      }
    }
    checked += page.length;
    after = page.at(-1)?.id ?? '';
  } while (page.length === ROWS_PER_PAGE);
  return { checked, faulty };
}

async function readPage(knex: Knex, after: string, since: Date | undefined): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select f.id, 'file' as kind, product, customer_id as "customerId", null as "heldKey",
            ${hasPdf} as "isPrinted",
            content_hash as "contentHash"
       from files f where f.id > :after and processed_on >= :since
     union all
     select id, 'heldDelivery', product, null, object_key, false, content_hash
       from held_deliveries where id > :after and held_on >= :since
      order by id limit :limit`,
    { after, since: since ?? new Date(0), limit: ROWS_PER_PAGE },
  );
  return rows;
}

function keysOf({ customerId, heldKey, ...row }: Row) {
  if (customerId === null) return { objectKey: heldKey ?? '', pdfKey: '' };
  return listedKeys({ ...row, customerId });
}

/** Returns false if the delivery was released, or the file removed, since its row was read. */
async function isStored(knex: Knex, { id, kind, heldKey }: Row): Promise<boolean> {
  const stored =
    kind === 'file'
      ? knex('files').where({ id })
      : knex('held_deliveries').where({ id, object_key: heldKey });
  return (await stored.first('id')) !== undefined;
}

async function findFault({ store, buckets }: Storage, row: Row): Promise<FileFault | undefined> {
  const { objectKey, pdfKey } = keysOf(row);
  const stored = await store.get(buckets.files, objectKey).catch(orUnreadable);
  if (stored === undefined) return 'missing';
  if (stored === 'unreadable') return stored;
  const { documents } = await readDocuments(row.product, await buffer(stored.bytes));
  if (!documents[0]?.contentHash.equals(row.contentHash)) return 'changed';
  const hasPdf = !row.isPrinted || (await store.find(buckets.files, pdfKey)) !== undefined;
  return hasPdf ? undefined : 'pdfMissing';
}
