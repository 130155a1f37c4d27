import { buffer } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { allOf, condition } from '../api/sql-fragment.js';
import { attemptEach, type RepeatingWork } from '../jobs/repeating-tasks.js';
import { orUnreadable } from '../storage/object-store.js';
import type { Storage } from '../storage/open-storage.js';
import type { Document, Product } from './documents/document.js';
import { readDocuments } from './documents/read-documents.js';

/*
 * Files that a former version listed have a hash that depends on how they were delivered, and no
 * balances (hash version 1). Both are read from their objects: at once for the files that a new document
 * may repeat, and by a worker for all others (D-29).
 */

/** The columns of `files` that are read from the content of a document, as JSON for PostgreSQL. */
export interface DocumentColumns {
  readonly hash_version: number;
  /** In hexadecimal digits; null if it is not known. */
  readonly content_hash: string | null;
  readonly created_on: string | null;
  readonly old_balance: string | null;
  readonly new_balance: string | null;
}

export function toColumns({ contentHash, balances }: Document): DocumentColumns {
  return {
    hash_version: 2,
    content_hash: contentHash.toString('hex'),
    created_on: balances?.createdOn ?? null,
    old_balance: balances === undefined ? null : String(balances.old),
    new_balance: balances === undefined ? null : String(balances.new),
  };
}

/** A file of a former version. */
export interface FormerFile {
  readonly id: string;
  readonly product: Product;
  readonly objectKey: string;
}

/** The number of files that one run rehashes. */
const FILES_PER_RUN = 200;

/** The number of files that are read at once before a document is listed. */
const READS = 4;

/** Rehashes all files of a former version, the latest first and then anew, as repeated work of workers. */
export function rehashingWork(knex: Knex, storage: Storage): RepeatingWork {
  let before: string | undefined;
  return {
    name: 'rehashing files of a former version',
    pauseMs: 60_000,
    async run() {
      const { sql, bindings } = allOf([
        { sql: 'hash_version = 1', bindings: [] },
        ...condition('id < ?', before),
      ]);
      const { rows } = await knex.raw<{ rows: FormerFile[] }>(
        `select id, product, object_key as "objectKey" from files where ${sql}
          order by id desc limit ${FILES_PER_RUN}`,
        [...bindings],
      );
      // Those that fail now do not keep the next run from the others.
      before = rows.length === FILES_PER_RUN ? rows.at(-1)?.id : undefined;
      await attemptEach(
        rows,
        ({ id }) => `file ${id}`,
        (file) => rehash(knex, storage, [file]),
      );
      return before === undefined ? 'done' : 'moreLeft';
    },
  };
}

/** Rehashes files of a former version. None of them is one of a former version then. */
export async function rehash(
  knex: Knex,
  storage: Storage,
  files: readonly FormerFile[],
): Promise<void> {
  for (let from = 0; from < files.length; from += READS) {
    const read = await Promise.all(
      files.slice(from, from + READS).map(async (file) => ({
        ...(await readColumns(storage, file)),
        id: file.id,
      })),
    );
    for (const file of read) await recordColumns(knex, file);
  }
}

/** A file with the content of another one, which a former version listed twice, keeps its former hash. */
async function recordColumns(
  knex: Knex,
  columns: DocumentColumns & { readonly id: string },
): Promise<void> {
  await knex.raw(
    `update files f
        set hash_version = :hash_version, created_on = :created_on,
            old_balance = :old_balance, new_balance = :new_balance,
            content_hash = coalesce((select decode(:content_hash, 'hex')
                                      where not exists (select from files other
                                                         where other.customer_id = f.customer_id
                                                           and other.product = f.product
                                                           and other.content_hash = decode(:content_hash, 'hex'))),
                                    f.content_hash)
      where f.id = :id and f.hash_version = 1`,
    { ...columns },
  );
}

/** The columns of a file whose object is missing, archived, or no longer accepted. It keeps its hash. */
const unreadable: DocumentColumns = {
  hash_version: 0,
  content_hash: null,
  created_on: null,
  old_balance: null,
  new_balance: null,
};

async function readColumns(
  { store, buckets }: Storage,
  { product, objectKey }: FormerFile,
): Promise<DocumentColumns> {
  const stored = await store.get(buckets.files, objectKey).catch(orUnreadable);
  if (stored === undefined || stored === 'unreadable') return unreadable;
  const { documents } = await readDocuments(product, await buffer(stored.bytes));
  const [document] = documents;
  return document === undefined ? unreadable : toColumns(document);
}
