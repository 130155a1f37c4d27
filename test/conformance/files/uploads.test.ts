import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type ListUploadsRequest, type UploadRecord } from '@adx/client';
import { spec, specYaml } from '@adx/contract/spec';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCodegen } from '../../../codegen/test/support/run-codegen.js';
import { transferCustomer } from '../../../packages/server/src/customers/transfer-customer.js';
import { operatorScope } from '../../../packages/server/src/identity/operator-scope.js';
import { createCustomerMandates } from '../../../packages/server/src/mandates/customer-mandates.js';
import { insertCodaFile } from '../../../packages/server/test/support/files.js';
import { codaFile } from '../../../packages/server/test/uploads/sample-files.js';
import { insertUpload } from '../../support/insert-upload.js';
import { newCustomer } from '../../support/new-customer.js';
import { newIban } from '../../support/numbers.js';
import { repository } from '../../support/run-command.js';
import { useTestService } from '../../support/use-service.js';
import { validatingFetch } from '../../support/validating-fetch.js';

const service = useTestService({ settings: { JOBS_CONCURRENCY: '2' } });

/** A client that knows only the address of the service, and the calls that it has made. */
interface Partner {
  readonly client: Client;
  readonly userId: string;
  readonly calls: readonly string[];
  account(): Promise<string>;
}

async function newPartner(): Promise<Partner> {
  const firmId = await service.createFirm(undefined, { codbUpload: true });
  const { id: userId, username, password } = await service.createUser({ firmId });
  const { key: apiKey } = await service.issueApiKey();
  const calls: string[] = [];
  const { baseUrl } = service;
  const client = createClient({
    ...{ baseUrl, apiKey, username, password },
    fetch(url, init) {
      if (!url.startsWith(baseUrl)) return fetch(url, init);
      calls.push(url.slice(baseUrl.length));
      return validatingFetch(url, init);
    },
  });
  const account = async () => {
    const iban = newIban();
    await client.customers.create(newCustomer({ bankAccounts: [{ iban }] }));
    return iban;
  };
  return { client, userId, calls, account };
}

async function outcomeOf({ client }: Partner, bytes: Uint8Array): Promise<UploadRecord> {
  return (await client.codaFiles.upload(bytes, 'march.cod')).outcome();
}

describe('D-32 client: the outcome of an upload', () => {
  test('D-32 it names the listed file', async () => {
    const partner = await newPartner();
    const { client } = partner;
    const iban = await partner.account();
    const upload = await client.codaFiles.upload(codaFile({ iban }), 'march.cod');
    const outcome = await upload.outcome();
    const groups = await client.codaFiles.list();
    const [file] = groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
    expect(outcome).toMatchObject({
      ...{ product: 'CODA', status: 'processed', fileCount: 1, findingCount: 0, findings: [] },
      files: [{ id: file?.id, fileName: `${iban}_EUR_2026_014.cod` }],
    });
    expect(file?.source).toBe('upload');
    expect(upload.key).toBe(`${outcome.prefix}/${outcome.key}`);
    expect(await client.uploads.get(outcome.id)).toEqual(outcome);
  });

  test('D-32 a partner that waits for 20 uploads at once makes a few calls', {
    tags: 'long',
  }, async () => {
    const partner = await newPartner();
    const { client, calls } = partner;
    const iban = await partner.account();
    const before = calls.length;
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const outcomes = await Promise.all(
      numbers.map((number) => outcomeOf(partner, codaFile({ iban, number }))),
    );
    const names = outcomes.flatMap(({ files }) => files.map(({ fileName }) => fileName));
    expect(names).toEqual(
      numbers.map((number) => `${iban}_EUR_2026_${String(number).padStart(3, '0')}.cod`),
    );
    const made = calls.slice(before);
    expect(made.filter((path) => path === '/coda-files/upload-credentials')).toHaveLength(1);
    expect(made.filter((path) => path !== '/uploads')).toHaveLength(1);
    // One call for 20 uploads and each pause of 2 seconds and more.
    expect(made.length).toBeLessThan(20);
    const { recordsTotal, recordsFiltered } = await client.uploads.list({ status: 'processed' });
    expect([recordsTotal, recordsFiltered]).toEqual([20, 20]);
  });

  test('§5 rule 3, D-31 the account of another firm is refused like an unknown one', async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const [foreign, unknown] = [await other.account(), newIban()];
    const [one, two] = await Promise.all(
      [foreign, unknown].map((iban) => outcomeOf(partner, codaFile({ iban }))),
    );
    const comparable = (record: UploadRecord | undefined) => {
      const { id, key, etag, receivedOn, settledOn, ...rest } = record ?? expect.fail();
      return JSON.stringify(rest);
    };
    expect(one).toMatchObject({
      ...{ status: 'rejected', fileCount: 0, findingCount: 1 },
      findings: [{ severity: 'error', code: 'unknownAccount', record: 1 }],
    });
    expect(comparable(one)).toBe(comparable(two).replaceAll(unknown, foreign));
    expect((await other.client.uploads.list()).recordsTotal).toBe(0);
  });

  test('D-32 a key that was used twice has an outcome for each content', {
    tags: 'long',
  }, async () => {
    const partner = await newPartner();
    const iban = await partner.account();
    const { bucketName, prefix, endpoint, region, ...credentials } =
      await partner.client.codaFiles.uploadCredentials();
    // A partner with an SDK puts files like this.
    const s3 = new S3Client({
      ...{ endpoint: endpoint ?? '', region: region ?? '', credentials, forcePathStyle: true },
    });
    const settled = () => partner.client.uploads.list({ status: ['processed', 'rejected'] });
    const etags: string[] = [];
    for (const bytes of [codaFile({ iban }), Buffer.from('no CODA')]) {
      const Key = `${prefix}/mine/march.cod`;
      const command = new PutObjectCommand({ Bucket: bucketName, Key, Body: bytes });
      const { ETag = '' } = await s3.send(command);
      etags.push(ETag.replaceAll('"', ''));
      await expect
        .poll(async () => (await settled()).recordsFiltered, { interval: 300 })
        .toBe(etags.length);
    }
    s3.destroy();
    const { records } = await settled();
    expect(records.map(({ key, etag }) => [key, etag])).toEqual(
      etags.toReversed().map((etag) => ['mine/march.cod', etag]),
    );
    expect(records.map(({ status }) => status)).toEqual(['rejected', 'processed']);
    expect((await partner.client.uploads.list({ prefix })).records).toEqual(records);
    const other = await partner.client.codaFiles.uploadCredentials();
    expect(await partner.client.uploads.list({ prefix: other.prefix })).toEqual({
      ...{ records: [], recordsTotal: 2, recordsFiltered: 0 },
    });
    await expect(partner.client.uploads.list({ prefix: `${prefix}/` })).rejects.toMatchObject({
      ...{ code: 'validationFailed', details: [{ path: 'prefix' }] },
    });
  });
});

describe('D-32 the list of uploads', () => {
  test('D-32 filters, order and pages', async () => {
    const { client, userId } = await newPartner();
    const products = ['CODA', 'CODB'] as const;
    const statuses = ['received', 'failed', 'processed', 'rejected'] as const;
    const instants = [1, 2, 3].map((day) => `2026-03-0${day}T05:12:41.120Z`);
    const rows = products.flatMap((product) =>
      statuses.flatMap((status) => instants.map((receivedOn) => ({ product, status, receivedOn }))),
    );
    for (const row of rows) await insertUpload(service.knex, { userId, ...row });
    const all = (await client.uploads.list({ limit: 200 })).records;
    const expected = rows.toSorted((a, b) => (a.receivedOn < b.receivedOn ? 1 : -1));
    expect(all.map(({ receivedOn }) => receivedOn)).toEqual(
      expected.map(({ receivedOn }) => receivedOn),
    );
    for (const [index, { id }] of all.entries()) {
      const next = all[index + 1];
      if (next?.receivedOn === all[index]?.receivedOn) expect(id > (next?.id ?? '')).toBe(true);
    }
    for (const product of [undefined, ...products]) {
      for (const status of [undefined, ...statuses, [...statuses], statuses.slice(1)]) {
        for (const receivedSince of [undefined, '2026-03-02T06:12:41.120999+01:00', instants[2]]) {
          const body = { ...(product && { product }), ...(status && { status }) };
          const since = receivedSince && new Date(receivedSince.replace('999', '')).toISOString();
          const matching = all.filter(
            (each) =>
              (product === undefined || each.product === product) &&
              (status === undefined || [status].flat().includes(each.status)) &&
              (since === undefined || each.receivedOn >= since),
          );
          const request: ListUploadsRequest = { ...body, ...(receivedSince && { receivedSince }) };
          expect(await client.uploads.list(request)).toEqual({
            ...{ records: matching, recordsTotal: all.length, recordsFiltered: matching.length },
          });
        }
      }
    }
    const pages: UploadRecord[] = [];
    for await (const record of client.uploads.list({ limit: 5 })) pages.push(record);
    expect(pages).toEqual(all);
    expect(await client.uploads.list({ offset: 24 })).toEqual({
      ...{ records: [], recordsTotal: 24, recordsFiltered: 24 },
    });
    await expect(
      client.uploads.list({ receivedSince: '2026-02-30T00:00:00Z' }),
    ).rejects.toMatchObject({
      ...{ code: 'validationFailed', details: [{ path: 'receivedSince' }] },
    });
  });

  test('D-32 it shows 10 files and findings of an upload, and Get upload up to 1000', async () => {
    const { client, userId } = await newPartner();
    const { id: customerId } = await client.customers.create(newCustomer());
    const files: string[] = [];
    for (let number = 1; number <= 12; number += 1) {
      files.push(await insertCodaFile(service.knex, customerId, { statementNumber: number }));
    }
    const findings = Array.from({ length: 12 }, (_, index) => ({
      ...{ severity: 'error', code: 'badDate', record: index + 1, position: 6 },
      // A file can contain anything.
      ...{
        message: `Invalid date: \u202e${index}`,
        found: `\u202e${index}`,
        expected: '\u202e',
        field: 'a\u202e',
      },
    }));
    const id = await insertUpload(service.knex, {
      ...{ userId, files, findings, status: 'rejected', name: 'a/\u202etxt.cod' },
    });
    const whole = await client.uploads.get(id);
    expect(whole).toMatchObject({ key: 'a/\ufffdtxt.cod', fileCount: 12, findingCount: 12 });
    expect(whole.files.map((file) => file.id)).toEqual(files);
    expect(whole.findings).toEqual(
      JSON.parse(JSON.stringify(findings).replaceAll('\u202e', '\ufffd')),
    );
    const { records } = await client.uploads.list();
    expect(records).toEqual([
      { ...whole, files: whole.files.slice(0, 10), findings: whole.findings.slice(0, 10) },
    ]);
  });

  test('D-32 a file of a customer that was archived since then is no longer shown', async () => {
    const { client, userId } = await newPartner();
    const { id: customerId } = await client.customers.create(newCustomer());
    const file = await insertCodaFile(service.knex, customerId);
    const id = await insertUpload(service.knex, { userId, files: [file] });
    expect(await client.uploads.get(id)).toMatchObject({ fileCount: 1, files: [{ id: file }] });
    await client.customers.archive(customerId);
    expect(await client.uploads.get(id)).toMatchObject({ fileCount: 0, files: [] });
  });

  test('D-31, D-48 a file of a customer that was transferred since then is still shown', async () => {
    const { client, userId } = await newPartner();
    const { id: customerId } = await client.customers.create(newCustomer());
    const file = await insertCodaFile(service.knex, customerId);
    const id = await insertUpload(service.knex, { userId, files: [file] });
    const toFirmId = await service.createFirm();
    await transferCustomer(service.knex, operatorScope(), createCustomerMandates(), {
      ...{ customerId, toFirmId, agreedBy: 'Jan Peeters' },
    });
    expect(await client.uploads.get(id)).toMatchObject({ fileCount: 1, files: [{ id: file }] });
  });
});

test('D-32, D-40 another product breaks no caller', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adx-product-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.yaml');
  const products = spec.components.schemas['Product']?.enum?.join(', ');
  const around = specYaml.split(`enum: [${products}]`);
  expect(around, 'The products stand once, in one line').toHaveLength(2);
  writeFileSync(file, around.join(`enum: [${products}, ANOTHER]`));
  const { stdout } = await runCodegen(repository, 'diff', 'openapi.yaml', file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ bump: 'minor' });
});
