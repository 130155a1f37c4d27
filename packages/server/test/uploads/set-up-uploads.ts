import type { Product } from '@adx/contract';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { newIban } from '../../../../test/support/numbers.js';
import { type Nodes, oneServer } from '../../src/db/nodes.js';
import { createFilePrinter, type FilePrinter } from '../../src/files/print-files.js';
import type { Principal } from '../../src/identity/principal.js';
import type { Part } from '../../src/jobs/repeating-tasks.js';
import { createLogger } from '../../src/logger.js';
import { createCoverage } from '../../src/mandates/coverage.js';
import { reportStep } from '../../src/mandates/report-step.js';
import type { ObjectStore } from '../../src/storage/object-store.js';
import { uploadBuckets } from '../../src/storage/storage-settings.js';
import type { FileOutcome } from '../../src/uploads/deliveries/ingest-folder.js';
import type { UploadFinding } from '../../src/uploads/documents/finding.js';
import type { UploadDependencies } from '../../src/uploads/process-documents.js';
import { readUpload } from '../../src/uploads/reading/read-upload.js';
import { scanUploads } from '../../src/uploads/scan-uploads.js';
import { createUploadTasks } from '../../src/uploads/tasks.js';
import { createUploadGrants } from '../../src/uploads/upload-grants.js';
import { findUpload } from '../../src/uploads/upload-store.js';
import {
  createLinkedCustomer,
  type Links,
  mandatesOf,
  newPrincipal,
} from '../mandates/linked-customer.js';
import { type AtEnd, openTestStorage, type TestStorage } from '../storage/open-test-storage.js';
import { asAuthor } from '../support/as-author.js';
import { listedFiles, printMissing } from '../support/files.js';
import { reuseTestDatabase } from '../support/knex-for-file.js';
import { completeRows, insertApiKey } from '../support/rows.js';
import { deliverFile } from './deliver-file.js';
import { enterpriseNumber } from './sample-files.js';

/** The columns of `uploads` that tests use. */
export interface UploadRow {
  readonly id: string;
  readonly source: string;
  readonly sender: string | null;
  readonly grant_id: string | null;
  readonly status: string;
  readonly object_key: string;
  readonly findings: readonly UploadFinding[];
}

/** The columns of `files` that tests use. */
export interface FileRow {
  readonly id: string;
  readonly customer_id: string;
  readonly firm_id: string;
  readonly product: string;
  readonly content_hash: Buffer;
  readonly file_name: string;
  readonly object_key: string;
  readonly pdf_key: string;
  readonly pdf_status: string;
  readonly statement_number: number;
  readonly upload_id: string;
}

/** The whole of a repeated work, which no other worker shares. */
export const wholeWork: Part = { rest: undefined, share: async () => false };

/** A firm with its own database and storage, and functions that upload and deliver files. */
export interface Uploads extends UploadDependencies {
  readonly url: string;
  readonly nodes: Nodes;
  readonly storage: TestStorage;
  readonly principal: Principal;
  readonly apiKeyId: string;
  readonly printer: FilePrinter;
  /** Creates a customer of the firm with links; `row` overrides columns. */
  create(links: Links, row?: Record<string, string>): Promise<string>;
  /** Issues upload credentials and returns their prefix. */
  grant(product: Product, principal?: Principal): Promise<string>;
  /**
   * Puts an upload below the prefix of the firm, or under a full key that begins with `uploads/`.
   */
  upload(product: Product, name: string, bytes: Uint8Array): Promise<string>;
  /** Scans the buckets and reads all received uploads to their ends, one after the other. */
  readAll(changed?: Partial<UploadDependencies>): Promise<void>;
  /** Prints all listed files that have not been printed, as workers do. */
  printAll(): Promise<void>;
  /**
   * Delivers a file, by default of the bank of its first statement or SD Worx, as `adx-server
   * ingest` does.
   */
  deliver(
    bytes: Uint8Array,
    changed?: Partial<UploadDependencies> & { readonly from?: string },
  ): Promise<FileOutcome>;
  files(): Promise<FileRow[]>;
  uploads(): Promise<UploadRow[]>;
  /** The codes of the findings of the only upload. */
  codes(): Promise<string[]>;
  statuses(customerId: string): Promise<string[]>;
  /** Sets the mandates of a customer to a status. */
  setStatus(customerId: string, status: string): Promise<void>;
}

/**
 * Sets up uploads for one test, or with `afterAll` for a file, with its own database and buckets.
 */
export async function setUpUploads(atEnd: AtEnd = onTestFinished): Promise<Uploads> {
  const { url, knex } = await reuseTestDatabase(atEnd);
  const storage = await openTestStorage(undefined, atEnd);
  const now = () => new Date();
  const dependencies: UploadDependencies = { knex, storage, coverage: createCoverage(now), now };
  const logger = createLogger('silent');
  const principal = await newPrincipal(knex);
  const apiKeyId = await insertApiKey(knex);
  await knex('firms').where({ id: principal.firmId }).update({ codb_upload: true });
  const grants = createUploadGrants({ knex, ...storage, now });
  const grant = async (product: Product, user = principal) => {
    const credentials = await grants.issue(product, { ...asAuthor(user), apiKeyId });
    return credentials === 'notAllowed' ? expect.fail() : credentials.prefix;
  };
  const printer = createFilePrinter({ ...dependencies, logger });
  const printAll = () => printMissing(knex, printer);
  const prefixes = { CODA: await grant('CODA'), CODB: await grant('CODB') };
  return {
    ...dependencies,
    nodes: oneServer,
    ...{ url, storage, principal, apiKeyId, printer, grant },
    async create(links, row = {}) {
      const id = await createLinkedCustomer(knex, principal, links);
      await knex('customers')
        .where({ id })
        .update({ enterprise_number: enterpriseNumber(), ...row });
      await completeRows(knex);
      return id;
    },
    async upload(product, name, bytes) {
      const key = name.startsWith('uploads/') ? name : `${prefixes[product]}/${name}`;
      const bucket = uploadBuckets(storage.buckets)[product];
      await storage.store.put(bucket, key, bytes, 'application/octet-stream');
      return key;
    },
    async readAll(changed = {}) {
      await scanUploads({ knex, storage, nodes: oneServer, ...changed }, now());
      const received = knex('uploads').where({ status: 'received' });
      for (const { id } of await received.orderBy(['received_on', 'object_key'])) {
        await readById({ ...dependencies, ...changed }, id);
      }
      await printAll();
    },
    printAll,
    deliver: (bytes, { from, ...changed } = {}) =>
      deliverFile({ ...dependencies, ...changed }, bytes, from),
    files: () => listedFiles(knex).orderBy(['customer_id', 'arrival']),
    uploads: () => knex('uploads').orderBy(['received_on', 'object_key']),
    async codes() {
      const [upload, ...others] = await knex('uploads');
      if (upload === undefined || others.length > 0)
        throw new Error('There is not exactly one upload');
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

/** Sets up uploads with a customer of one account, and its mandate in a status. */
export async function setUpAccount(status = 'created') {
  const work = await setUpUploads();
  const iban = newIban();
  const customerId = await work.create({ ibans: [iban] });
  await work.setStatus(customerId, status);
  return { work, iban, customerId };
}

/** Reads an upload to its end. Removes it from its bucket if it already has an outcome. */
export async function readById(dependencies: UploadDependencies, id: string): Promise<void> {
  const upload = await findUpload(dependencies.knex, id);
  if (upload !== undefined) await readUpload(dependencies, upload);
}

/** Signs a mandate, without mail and signing page. */
export async function sign(work: Uploads, mandateId: string): Promise<void> {
  await work.knex('mandates').where({ id: mandateId }).update({ status: 'waitingForSigner' });
  await reportStep(work.knex, {
    ...{ mandateId, actor: { kind: 'operator' }, now: new Date() },
    // Operators cannot report this step, but it works in the same way.
    trigger: 'signed' as 'bankConfirmed',
  });
}

/** Creates the tasks of uploads, which keep held deliveries and rejected copies for 90 days. */
export function uploadTasks(
  work: Uploads,
  changes: Partial<Parameters<typeof createUploadTasks>[0]> = {},
) {
  const days = { heldDeliveryDays: 90, rejectedUploadDays: 90 };
  return createUploadTasks({ ...work, ...days, logger: createLogger('silent'), ...changes });
}

/** Returns a logger, and the lines that it has written. */
export function recordLines() {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: pino({}, { write: (line) => lines.push(JSON.parse(line)) }) };
}

/** Runs the enqueued jobs that release deliveries, as a worker does. */
export async function runReleaseJobs(work: Uploads): Promise<void> {
  const { tasks } = uploadTasks(work);
  const { rows } = await work.knex.raw(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'releaseDeliveries' returning j.payload`,
  );
  for (const { payload } of rows) await tasks.releaseDeliveries.run(payload);
}

/** Replaces methods of the storage. */
export function withStore(work: Uploads, methods: Partial<ObjectStore>): Uploads {
  const { storage } = work;
  return { ...work, storage: { ...storage, store: { ...storage.store, ...methods } } };
}

/** Issues upload credentials of another firm with this tenant, and returns their prefix. */
export async function grantOfTenant(work: Uploads, tenant: string): Promise<string> {
  const principal = await newPrincipal(work.knex);
  await work.knex('firms').where({ id: principal.firmId }).update({ tenant });
  return work.grant('CODA', principal);
}
