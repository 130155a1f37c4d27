import type { Knex } from 'knex';
import type { CustomerOfFirm } from '../customers/claims.js';
import { oneServer } from '../db/nodes.js';
import { inTransaction } from '../db/transaction.js';
import { type ListedDocument, listedKeys } from '../files/document.js';
import { STORED_MS, scheduleRemoval } from '../files/object-removals.js';
import { deleteJobsOf } from '../jobs/job.js';
import { recordNewUploads } from '../uploads/scan-uploads.js';
import { eraseRecords } from './erase-records.js';
import {
  type ErasureDependencies,
  eraseUploadRows,
  eraseUploads,
  findUploadsNaming,
  removeFromBuckets,
} from './erase-uploads.js';
import { searchFor } from './name-search.js';

const FILES = 500;

interface ErasedCustomer {
  readonly id: string;
  readonly firmId: string;
  /** Uploads that were erased although they may contain statements of other customers. */
  readonly uploadIds: readonly string[];
  /** The mandates whose evidence is kept. */
  readonly mandateIds: readonly string[];
}

/**
 * Erases an archived customer with its files (D-63), except for evidence. Objects in the bucket of
 * files are scheduled for removal, others are removed. The row of the customer, without which
 * nothing is found, is deleted last, so it can be repeated.
 *
 * @param enterpriseNumber - that of the customer, so that a wrong id erases nothing
 * @param options.withUnread - true to erase also uploads that name it and are not read yet
 */
export async function eraseCustomer(
  dependencies: ErasureDependencies,
  id: string,
  enterpriseNumber: string,
  { withUnread = false } = {},
): Promise<ErasedCustomer | 'noCustomer' | 'notArchived' | 'otherNumber' | UnreadUploads> {
  const { knex, now } = dependencies;
  const customer = await knex('customers').where({ id }).first({
    firmId: 'firm_id',
    number: 'enterprise_number',
    archivedOn: 'archived_on',
  });
  if (customer === undefined) return 'noCustomer';
  if (customer.number !== enterpriseNumber) return 'otherNumber';
  if (customer.archivedOn === null) return 'notArchived';
  const { firmId } = customer;
  const own = { customerId: id, firmId };
  const before = await eraseUploadsNaming(dependencies, { id, firmId }, withUnread);
  if ('unreadIds' in before) return before;
  await eraseFiles(dependencies, own);
  // Again, because uploads that arrived meanwhile may name the customer too.
  const after = await eraseUploadsNaming(dependencies, { id, firmId }, withUnread);
  if ('unreadIds' in after) return { ...after, uploadIds: before.uploadIds };
  // Twice, if its row is kept and its copy is not removed yet.
  const uploadIds = [...new Set([...before.uploadIds, ...after.uploadIds])];
  const mandateIds = await inTransaction(knex, (trx) => eraseRecords(trx, own, now()));
  return { id, firmId, uploadIds, mandateIds };
}

/** The customer is not erased, because uploads that name it are not read yet. */
export interface UnreadUploads {
  readonly unreadIds: readonly string[];
  /** Uploads that were erased already. */
  readonly uploadIds: readonly string[];
}

async function eraseUploadsNaming(
  dependencies: ErasureDependencies,
  { id, firmId }: Pick<ErasedCustomer, 'id' | 'firmId'>,
  withUnread: boolean,
): Promise<Pick<ErasedCustomer, 'uploadIds'> | UnreadUploads> {
  const { knex, now } = dependencies;
  const parts = { ...dependencies, nodes: oneServer };
  await recordNewUploads(parts, now(), { wholeFirmId: firmId });
  const search = await searchFor(knex, { id, firm_id: firmId });
  const { read, unread } = await findUploadsNaming(dependencies, firmId, search);
  if (unread.length > 0 && !withUnread) return { unreadIds: unread, uploadIds: [] };
  const uploadIds = [...read, ...unread];
  await eraseUploads(dependencies, uploadIds);
  return { uploadIds };
}

/**
 * Erases all of a customer but the uploads that only name it.
 *
 * @returns the ids of the mandates whose evidence is kept
 */
export async function eraseContents(
  dependencies: ErasureDependencies,
  customer: CustomerOfFirm,
): Promise<string[]> {
  const { knex, now } = dependencies;
  await eraseFiles(dependencies, customer);
  return inTransaction(knex, (trx) => eraseRecords(trx, customer, now()));
}

async function eraseFiles(
  dependencies: ErasureDependencies,
  { customerId, firmId }: CustomerOfFirm,
): Promise<void> {
  const own = { customer_id: customerId, firm_id: firmId };
  const files = () => dependencies.knex('files').where(own);
  while ((await eraseFileBatch(dependencies, files())) === FILES);
}

/**
 * Erases a batch of files, with their uploads. Their objects are scheduled for removal.
 *
 * @param files - the query of the files that are left
 * @returns the number of files; fewer than a batch if none are left
 */
export async function eraseFileBatch(
  dependencies: ErasureDependencies,
  files: Knex.QueryBuilder,
  { keepsUploads = false } = {},
): Promise<number> {
  const { knex, now } = dependencies;
  const batch: { id: string; firm_id: string; upload_id: string }[] = await files
    .select('id', 'firm_id', 'upload_id')
    .limit(FILES);
  const uploadIds = keepsUploads ? [] : [...new Set(batch.map(({ upload_id }) => upload_id))];
  await removeFromBuckets(dependencies, uploadIds);
  await inTransaction(knex, async (trx) => {
    const ids = batch.map(({ id }) => id);
    const firmIds = [...new Set(batch.map(({ firm_id }) => firm_id))];
    await deleteJobsOf(trx, ids);
    await trx.raw(
      // The watermarks of the customer are named, so that the primary key finds them.
      `delete from file_acknowledgements a
        using files f join acknowledged_arrivals w using (firm_id, customer_id, product)
        where f.id = any(:ids) and f.firm_id = any(:firmIds) and a.firm_id = any(:firmIds)
          and a.api_key_id = w.api_key_id and a.user_id = w.user_id
          and a.firm_id = f.firm_id and a.customer_id = f.customer_id
          and a.product = f.product and a.arrival = f.arrival`,
      { ids, firmIds },
    );
    const { rows } = await trx.raw<{ rows: (ListedDocument & { isPrinting: boolean })[] }>(
      // A process that begins to print one waits for this, and then finds nothing.
      `with unprinted as (
         delete from unprinted_files where file_id = any(:ids) and firm_id = any(:firmIds)
         returning file_id, attempts),
       erased as (
         delete from files where id = any(:ids) and firm_id = any(:firmIds)
         returning id, product, customer_id)
       select e.id, e.product, e.customer_id as "customerId",
              coalesce(p.attempts, 0) > 0 as "isPrinting"
         from erased e left join unprinted p on p.file_id = e.id`,
      { ids, firmIds },
    );
    const keys = rows.map((file) => ({ ...file, ...listedKeys(file) }));
    const printing = keys.flatMap(({ isPrinting, pdfKey }) => (isPrinting ? pdfKey : []));
    const others = keys.flatMap(({ isPrinting, objectKey, pdfKey }) =>
      isPrinting ? objectKey : [objectKey, pdfKey],
    );
    await scheduleRemoval(trx, others, now());
    await scheduleRemoval(trx, printing, new Date(now().getTime() + STORED_MS));
    await eraseUploadRows(trx, uploadIds, now());
  });
  return batch.length;
}
