import type { Knex } from 'knex';
import { inTransaction } from '../db/transaction.js';
import { createFirmStore, type Firm } from '../identity/firms.js';
import { deleteJobsOf } from '../jobs/job.js';
import { uploadSeconds } from '../storage/assume-role.js';
import { uploadBuckets } from '../storage/storage-settings.js';
import { grantIdOf } from '../uploads/record-uploads.js';
import { eraseContents } from './erase-customer.js';
import {
  type ErasureDependencies,
  eraseUploadRows,
  eraseUploads,
  findUploadsNaming,
  pagesOfGrant,
} from './erase-uploads.js';
import { searchFor } from './name-search.js';

const BATCH = 500;

interface ErasedFirm {
  readonly id: string;
  readonly customers: number;
  /** The mandates whose evidence is kept. */
  readonly mandateIds: readonly string[];
}

/**
 * Erases a disabled firm with its customers, users and uploads (D-63), except for evidence. The row
 * of the firm is deleted last, so it can be repeated.
 *
 * @param name - that of the firm, so that a wrong id erases nothing
 * @returns `uploadsUntil` if upload credentials are still valid, with which it could upload again
 */
export async function eraseFirm(
  dependencies: ErasureDependencies,
  id: string,
  name: string,
): Promise<ErasedFirm | 'noFirm' | 'notDisabled' | 'otherName' | { readonly uploadsUntil: Date }> {
  const { knex, now } = dependencies;
  const firm = await createFirmStore(knex).find(id);
  if (firm === undefined) return 'noFirm';
  if (firm.name !== name) return 'otherName';
  if (firm.disabledOn === null) return 'notDisabled';
  const [grant] = await knex('upload_grants').where({ firm_id: id }).max('issued_on');
  const issuedOn: Date | null = grant?.['max'] ?? null;
  const uploadsUntil = new Date((issuedOn?.getTime() ?? 0) + uploadSeconds * 1000);
  if (uploadsUntil > now()) return { uploadsUntil };

  const search = await searchFor(knex, { firm_id: id });
  const eraseNaming = async () => {
    const found = await findUploadsNaming(dependencies, null, search);
    await eraseUploads(dependencies, [...found.read, ...found.unread]);
  };
  await eraseNaming();
  const mandateIds: string[] = [];
  let customers = 0;
  for (;;) {
    const ids = await knex('customers').where({ firm_id: id }).limit(BATCH).pluck<string[]>('id');
    if (ids.length === 0) break;
    for (const customerId of ids) {
      mandateIds.push(...(await eraseContents(dependencies, { customerId, firmId: id })));
    }
    customers += ids.length;
  }
  // Again, because deliveries that arrived meanwhile may name customers too.
  await eraseNaming();
  await removeUploadObjects(dependencies, firm);
  await eraseUploadsOf(dependencies, firm);
  await inTransaction(knex, (trx) => deleteFirm(trx, id));
  return { id, customers, mandateIds };
}

/** Removes a firm's objects in the upload buckets, except for those of another firm's grant. */
async function removeUploadObjects(
  { knex, storage: { store, buckets } }: ErasureDependencies,
  firm: Firm,
): Promise<void> {
  for (const bucket of Object.values(uploadBuckets(buckets))) {
    // These are the prefixes of its grants, and of what no grant covers (D-31).
    for (const prefix of [`uploads/${firm.tenant}-`, `uploads/${firm.tenant}/`]) {
      for await (const { key } of store.list(bucket, prefix)) {
        const grant = await knex('upload_grants')
          .where({ id: grantIdOf(key) })
          .first('firm_id');
        if (grant === undefined ? isOwnPrefix(firm, key) : grant.firm_id === firm.id) {
          await store.remove(bucket, key);
        }
      }
    }
  }
}

/**
 * Returns true if a key without a grant is of the firm, and not of one whose tenant begins in the
 * same way.
 */
function isOwnPrefix({ tenant }: Firm, key: string): boolean {
  const [root, folder = ''] = key.split('/');
  if (root !== 'uploads' || !folder.startsWith(tenant)) return false;
  return folder === tenant || /^-[0-9a-f]{24}$/.test(folder.slice(tenant.length));
}

async function eraseUploadsOf(dependencies: ErasureDependencies, firm: Firm): Promise<void> {
  const { knex, now } = dependencies;
  const erase = (ids: readonly string[]) =>
    inTransaction(knex, (trx) => eraseUploadRows(trx, ids, now()));
  const grantIds = await knex('upload_grants').where({ firm_id: firm.id }).pluck<string[]>('id');
  for (const grantId of grantIds) {
    for await (const ids of pagesOfGrant(knex, grantId)) await erase(ids);
  }
  for await (const ids of pagesOfGrant(knex, null)) {
    const keys: { id: string; object_key: string }[] = await knex('uploads')
      .whereRaw('id = any(?)', [ids])
      .select('id', 'object_key');
    await erase(keys.flatMap((each) => (isOwnPrefix(firm, each.object_key) ? each.id : [])));
  }
}

async function deleteFirm(trx: Knex.Transaction, firmId: string): Promise<void> {
  // Tables without an index on the firm are read as a whole.
  await trx.raw('set local statement_timeout = 0');
  await deleteJobsOf(trx, [firmId]);
  for (const statement of [
    'delete from rate_limit_windows where position(:firmId in caller) > 0',
    'delete from refresh_tokens where firm_id = :firmId',
    'delete from idempotent_answers where firm_id = :firmId',
    'delete from upload_grants where firm_id = :firmId',
    'delete from mandate_clocks where firm_id = :firmId',
    // Its links stay contested for others (D-66).
    `insert into link_holders (subject, holder)
     select subject, 'erased' from link_holders where holder = :firmId on conflict do nothing`,
    'delete from link_holders where holder = :firmId',
    'delete from users where firm_id = :firmId',
    'delete from firms where id = :firmId',
  ]) {
    await trx.raw(statement, { firmId });
  }
}
