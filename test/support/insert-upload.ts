import type { Product } from '@adx/contract';
import type { Knex } from 'knex';
import { newObjectId } from '../../packages/server/src/identifiers/object-id.js';
import { insertApiKey } from '../../packages/server/test/support/rows.js';

/** The fields of an upload that tests set. The other fields have defaults. */
interface NewUpload {
  readonly userId: string;
  readonly product?: Product;
  /** `failed`: workers have given it up. */
  readonly status?: 'received' | 'failed' | 'processed' | 'rejected';
  readonly name?: string;
  readonly receivedOn?: string;
  readonly findings?: readonly object[];
  /** False for a delivery, and for an object that no grant covers. */
  readonly isGranted?: boolean;
  readonly files?: readonly string[];
}

/** Stores a grant and its upload like a scan and a worker; returns the upload's id. */
export async function insertUpload(knex: Knex, upload: NewUpload): Promise<string> {
  const { userId, product = 'CODA', name = 'march.cod', status = 'processed' } = upload;
  const {
    receivedOn = '2026-03-03T05:12:41.000Z',
    findings = [],
    files = [],
    isGranted = true,
  } = upload;
  const [id, grantId] = [newObjectId(), newObjectId()];
  const user = await knex('users').where({ id: userId }).first();
  const { tenant } = await knex('firms').where({ id: user.firm_id }).first('tenant');
  const prefix = `uploads/${tenant}-${grantId}`;
  const api_key_id = await insertApiKey(knex);
  const { firm_id, access_level, sees_customers } = user;
  await knex('upload_grants').insert({
    ...{ id: grantId, firm_id, user_id: userId, api_key_id, product, prefix },
    ...{ access_level, sees_customers, issued_on: receivedOn },
    upload_count: isGranted ? 1 : 0,
  });
  const isSettled = status === 'processed' || status === 'rejected';
  await knex('uploads').insert({
    firm_id: isGranted ? firm_id : '',
    ...{ id, source: 'upload', grant_id: isGranted ? grantId : null, product, size: 640, etag: id },
    ...{ bucket: `adx-${product}`, object_key: `${prefix}/${name}`, received_on: receivedOn },
    ...{ status, findings: JSON.stringify(findings) },
    settled_on: isSettled ? '2026-03-03T05:12:44.310Z' : null,
  });
  await knex('files').whereIn('id', files).update({ upload_id: id });
  return id;
}
