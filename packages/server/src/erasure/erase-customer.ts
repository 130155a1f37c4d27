import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { removeDueObjects, scheduleRemoval } from '../uploads/object-removals.js';
import { scanUploads } from '../uploads/scan-uploads.js';
import { eraseRecords } from './erase-records.js';
import {
  type ErasureDependencies,
  eraseUploadRows,
  eraseUploadsNaming,
  removeFromBuckets,
} from './erase-uploads.js';
import { createNameSearch, namesOf } from './name-search.js';

/** The number of files that are erased at once. */
export const FILES = 500;

/** The result of erasing a customer, which the command prints. */
export interface ErasedCustomer {
  readonly id: string;
  readonly firmId: string;
  /** Uploads of its firm that were erased although they may contain statements of other customers. */
  readonly uploadIds: readonly string[];
  /** The mandates whose evidence is kept. */
  readonly mandateIds: readonly string[];
}

/**
 * Erases an archived customer, with its files and objects (D-63). Evidence is kept.
 *
 * It can be repeated if it was interrupted: the row of the customer, without which nothing is found, is
 * deleted last, once all its objects are gone.
 *
 * @param enterpriseNumber - that of the customer, so that a wrong id erases nothing
 * @returns a word if there is no such customer, it is not archived, or it has another number, or if so many
 *   uploads wait to be read that some are not recorded yet
 */
export async function eraseCustomer(
  dependencies: ErasureDependencies,
  id: string,
  enterpriseNumber: string,
): Promise<ErasedCustomer | 'noCustomer' | 'notArchived' | 'otherNumber' | 'uploadsWait'> {
  const { knex, now } = dependencies;
  const customer = await knex('customers')
    .where({ id })
    .first({
      ...{ firmId: 'firm_id', number: 'enterprise_number' },
      archivedOn: 'archived_on',
    });
  if (customer === undefined) return 'noCustomer';
  if (customer.number !== enterpriseNumber) return 'otherNumber';
  if (customer.archivedOn === null) return 'notArchived';
  if (!(await scanUploads(dependencies, now()))) return 'uploadsWait';
  const { numbers, names } = await namesOf(knex, { id });
  const uploadIds = await eraseUploadsNaming(dependencies, customer.firmId, {
    texts: createNameSearch([...numbers, ...names]),
    contents: createNameSearch(numbers),
  });
  const mandateIds = await eraseContents(dependencies, id);
  return { id, firmId: customer.firmId, uploadIds, mandateIds };
}

/**
 * Erases all of a customer but the uploads that only name it.
 *
 * @returns the ids of the mandates whose evidence is kept
 */
export async function eraseContents(
  dependencies: ErasureDependencies,
  customerId: string,
): Promise<string[]> {
  const { knex, now } = dependencies;
  const files = () => knex('files').where({ customer_id: customerId }).orderBy('arrival');
  while ((await eraseFileBatch(dependencies, files())) === FILES);
  await inTransaction(knex, (trx) => eraseHeld(trx, customerId, now()));
  await removeDueObjects(dependencies, now());
  return inTransaction(knex, (trx) => eraseRecords(trx, customerId, now()));
}

/** A listed file to erase. */
interface ErasedFile {
  readonly id: string;
  readonly object_key: string;
  readonly pdf_key: string;
  readonly upload_id: string | null;
}

/**
 * Erases a batch of files with their objects and uploads. If the process is killed, what is left of the batch
 * is in `object_removals`, from which workers and the next call remove it.
 *
 * @param files - the query of the files that are left
 * @param options.keepsUploads - true to leave the records of their uploads
 * @returns the number of files; fewer than a batch if none are left
 */
export async function eraseFileBatch(
  dependencies: ErasureDependencies,
  files: Knex.QueryBuilder,
  { keepsUploads = false } = {},
): Promise<number> {
  const { knex, now } = dependencies;
  const batch: ErasedFile[] = await files
    .select('id', 'object_key', 'pdf_key', 'upload_id')
    .limit(FILES);
  const uploads = keepsUploads ? [] : batch.flatMap(({ upload_id }) => upload_id ?? []);
  const uploadIds = [...new Set(uploads)];
  await removeFromBuckets(dependencies, uploadIds);
  await inTransaction(knex, async (trx) => {
    const ids = batch.map(({ id }) => id);
    await trx.raw('delete from file_acknowledgements where file_id = any(?)', [ids]);
    const { rows } = await trx.raw<{ rows: Pick<ErasedFile, 'object_key' | 'pdf_key'>[] }>(
      'delete from files where id = any(?) returning object_key, pdf_key',
      [ids],
    );
    const keys = rows.flatMap(({ object_key, pdf_key }) => [object_key, pdf_key]);
    await scheduleRemoval(trx, [...new Set(keys)], now());
    await eraseUploadRows(trx, uploadIds, now());
  });
  await removeDueObjects(dependencies, now());
  return batch.length;
}

/**
 * Erases what is held for a customer, and what arrived for its accounts or its number without being held for
 * anybody, unless another customer has or had the same one.
 */
async function eraseHeld(trx: Knex.Transaction, customerId: string, now: Date): Promise<void> {
  const { rows } = await trx.raw<{ rows: { object_key: string; upload_id: string }[] }>(
    `with erased as (
       select h.id from held_deliveries h
        where h.bank_account_id in (select id from bank_accounts where customer_id = :customerId)
           or h.payroll_link_id in (select id from customer_payroll_providers
                                     where customer_id = :customerId)
           or (h.bank_account_id is null and h.payroll_link_id is null
               and (h.iban in (select iban from bank_accounts where customer_id = :customerId)
                    or h.enterprise_number in (select enterprise_number from customers
                                                where id = :customerId))
               and not exists (select from bank_accounts b
                                where b.iban = h.iban and b.customer_id <> :customerId)
               and not exists (select from customers c
                                where c.enterprise_number = h.enterprise_number
                                  and c.id <> :customerId))
        order by h.content_hash, coalesce(h.bank_account_id, h.payroll_link_id, '') for no key update)
     delete from held_deliveries h using erased where h.id = erased.id
     returning h.object_key, h.upload_id`,
    { customerId },
  );
  await scheduleRemoval(
    trx,
    rows.map(({ object_key }) => object_key),
    now,
  );
  await eraseUploadRows(trx, [...new Set(rows.map(({ upload_id }) => upload_id))], now);
}
