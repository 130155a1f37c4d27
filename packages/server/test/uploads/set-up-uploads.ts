import type { Knex } from 'knex';
import { onTestFinished } from 'vitest';
import { createKnex } from '../../../src/db/knex.js';
import { type IngestParts, readUpload } from '../../../src/files/ingest/read-upload.js';
import { scanUploads } from '../../../src/files/ingest/scan-uploads.js';
import type { UploadFinding } from '../../../src/files/ingest/upload-finding.js';
import type { Principal } from '../../../src/identity/principal.js';
import { createFileMandates } from '../../../src/mandates/file-mandates.js';
import {
  createLinkedCustomer,
  type Links,
  mandatesOf,
  newPrincipal,
} from '../../mandates/linked-customer.js';
import { openTestStorage, type TestStorage } from '../../storage/open-test-storage.js';
import { createTestDatabase } from '../../support/database.js';
import { enterpriseNumber } from './sample-files.js';

export const buckets = { CODA: 'adx-coda-uploads', CODB: 'adx-codb-uploads' } as const;

/** A row of `uploads`, as far as tests look at it. */
export interface UploadRow {
  readonly id: string;
  readonly firm_id: string | null;
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
  readonly file_name: string;
  readonly object_key: string;
  readonly pdf_key: string;
  readonly statement_number: number;
  readonly upload_id: string;
}

/** A firm, a database and a storage of a test's own, and uploads that are read there. */
export interface IngestAtWork extends IngestParts {
  readonly url: string;
  readonly storage: TestStorage;
  readonly principal: Principal;
  readonly tenant: string;
  /** Creates a customer with links; the language and the enterprise number may be set. */
  create(links: Links, row?: Record<string, string>): Promise<string>;
  /** Puts an upload of the firm, or under another key. */
  upload(product: 'CODA' | 'CODB', name: string, bytes: Uint8Array): Promise<string>;
  /** Looks for uploads and reads every one that waits, as workers do. */
  ingest(parts?: Partial<IngestParts>): Promise<void>;
  files(): Promise<FileRow[]>;
  uploads(): Promise<UploadRow[]>;
  /** The codes of what was found in the only upload. */
  codes(): Promise<string[]>;
  statuses(customerId: string): Promise<string[]>;
  /** Sets the mandates of a customer to a status. */
  setStatus(customerId: string, status: string): Promise<void>;
}

/** Puts the ingest to work for one test, with the storage of a new data folder or of another. */
export async function putIngestToWork(dataDir?: string): Promise<IngestAtWork> {
  const database = await createTestDatabase();
  const knex = createKnex(database.url, { poolSize: 10 });
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
  const storage = await openTestStorage(dataDir);
  const now = () => new Date();
  const parts: IngestParts = { knex, storage, follower: createFileMandates(now), now };
  const principal = await newPrincipal(knex);
  const { tenant } = await knex('firms').where({ id: principal.firmId }).first('tenant');
  return {
    ...parts,
    ...{ url: database.url, storage, principal, tenant },
    async create(links, row = {}) {
      const id = await createLinkedCustomer(knex, principal, links);
      await knex('customers')
        .where({ id })
        .update({ enterprise_number: enterpriseNumber(), ...row });
      return id;
    },
    async upload(product, name, bytes) {
      const key = name.startsWith('uploads/') ? name : `uploads/${tenant}/${name}`;
      await storage.store.put(buckets[product], key, bytes, 'application/octet-stream');
      return key;
    },
    async ingest(others = {}) {
      await scanUploads({ knex, storage, ...others }, now());
      for (const { id } of await knex('uploads').where({ status: 'received' }).orderBy('id')) {
        await readUpload({ ...parts, ...others }, id);
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
    setStatus: (customerId, status) => setStatus(knex, customerId, status),
  };
}

async function setStatus(knex: Knex, customerId: string, status: string): Promise<void> {
  await knex('mandates').where({ customer_id: customerId }).update({ status });
}
