import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createKnex } from '../../src/db/knex.js';
import type { Principal } from '../../src/identity/principal.js';
import { createConsents } from '../../src/mandates/consents.js';
import { type FolderFile, ingestFile } from '../../src/uploads/deliveries/ingest-folder.js';
import type { UploadFinding } from '../../src/uploads/documents/finding.js';
import type { UploadParts } from '../../src/uploads/process-documents.js';
import { readUpload } from '../../src/uploads/read-upload.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { createUploadGrants } from '../../src/uploads/upload-grants.js';
import {
  createLinkedCustomer,
  type Links,
  mandatesOf,
  newPrincipal,
} from '../mandates/linked-customer.js';
import { openTestStorage, type TestStorage } from '../storage/open-test-storage.js';
import { createTestDatabase } from '../support/database.js';
import { insertApiKey } from '../support/rows.js';
import { enterpriseNumber } from './sample-files.js';

/** A row of `uploads`, as far as tests look at it. */
export interface UploadRow {
  readonly id: string;
  readonly source: string;
  readonly grant_id: string | null;
  readonly status: string;
  readonly object_key: string;
  readonly findings: readonly UploadFinding[];
}

/** A row of `files`, as far as tests look at it. */
export interface FileRow {
  readonly id: string;
  readonly customer_id: string;
  readonly firm_id: string;
  readonly product: string;
  readonly content_hash: Buffer;
  readonly file_name: string;
  readonly object_key: string;
  readonly pdf_key: string;
  readonly statement_number: number;
  readonly upload_id: string;
}

/** A firm, a database and a storage of a test's own, with functions to bring files there. */
export interface Uploads extends UploadParts {
  readonly url: string;
  readonly storage: TestStorage;
  readonly principal: Principal;
  readonly apiKeyId: string;
  /** Creates a customer of the firm with links; columns of its row may be set. */
  create(links: Links, row?: Record<string, string>): Promise<string>;
  /** Issues upload credentials, and returns the prefix that they allow. */
  grant(product: 'CODA' | 'CODB', principal?: Principal): Promise<string>;
  /** Puts an upload below the prefix of the firm, or under a key that begins with `uploads/`. */
  upload(product: 'CODA' | 'CODB', name: string, bytes: Uint8Array): Promise<string>;
  /** Scans the buckets and reads every upload that waits, as workers do. */
  readAll(parts?: Partial<UploadParts>): Promise<void>;
  /** Delivers a file of a bank or payroll provider, as `adx-server ingest` does. */
  deliver(bytes: Uint8Array, parts?: Partial<UploadParts>): Promise<FolderFile>;
  files(): Promise<FileRow[]>;
  uploads(): Promise<UploadRow[]>;
  /** The codes of the findings of the only upload. */
  codes(): Promise<string[]>;
  statuses(customerId: string): Promise<string[]>;
  /** Sets the mandates of a customer to a status. */
  setStatus(customerId: string, status: string): Promise<void>;
}

/** Sets up uploads for one test, with a database and buckets of its own. */
export async function setUpUploads(): Promise<Uploads> {
  const database = await createTestDatabase();
  const knex = createKnex(database.url, { poolSize: 10 });
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  const storage = await openTestStorage();
  const now = () => new Date();
  const parts: UploadParts = { knex, storage, consents: createConsents(now), now };
  const principal = await newPrincipal(knex);
  const apiKeyId = await insertApiKey(knex);
  const { tenant } = await knex('firms').where({ id: principal.firmId }).first('tenant');
  const grants = createUploadGrants({
    ...{ knex, ...storage, now },
    findFirm: async () => ({ tenant, codbUpload: true }),
  });
  const grant = async (product: 'CODA' | 'CODB', user = principal) => {
    const grantee = { principal: user, apiKeyId };
    const credentials = product === 'CODA' ? grants.forCoda(grantee) : grants.forCodb(grantee);
    return (await credentials).prefix;
  };
  const prefixes = { CODA: await grant('CODA'), CODB: await grant('CODB') };
  return {
    ...parts,
    ...{ url: database.url, storage, principal, apiKeyId, grant },
    async create(links, row = {}) {
      const id = await createLinkedCustomer(knex, principal, links);
      await knex('customers')
        .where({ id })
        .update({ enterprise_number: enterpriseNumber(), ...row });
      return id;
    },
    async upload(product, name, bytes) {
      const key = name.startsWith('uploads/') ? name : `${prefixes[product]}/${name}`;
      const { codaUploads, codbUploads } = storage.buckets;
      const bucket = product === 'CODA' ? codaUploads : codbUploads;
      await storage.store.put(bucket, key, bytes, 'application/octet-stream');
      return key;
    },
    async readAll(others = {}) {
      await scanUploads({ knex, storage, ...others }, now());
      for (const { id } of await knex('uploads').where({ status: 'received' }).orderBy('id')) {
        await readUpload({ ...parts, ...others }, id);
      }
    },
    async deliver(bytes, others = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'adx-delivery-'));
      try {
        writeFileSync(join(folder, 'delivery'), bytes);
        return await ingestFile({ ...parts, ...others }, folder, 'delivery');
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    files: () => knex('files').orderBy(['customer_id', 'arrival']),
    uploads: () => knex('uploads').orderBy('id'),
    async codes() {
      const [upload, ...others] = await knex('uploads');
      if (upload === undefined || others.length > 0) throw new Error('There is not one upload');
      return upload.findings.map(({ code }: UploadFinding) => code);
    },
    statuses: async (customerId) =>
      (await mandatesOf(knex, customerId)).map(({ status }) => status),
    async setStatus(customerId, status) {
      const error = { error_code: 'deliveryFailed', error_message: 'It came back.' };
      await knex('mandates')
        .where({ customer_id: customerId })
        .update({ status, ...(status === 'error' && error) });
    },
  };
}
