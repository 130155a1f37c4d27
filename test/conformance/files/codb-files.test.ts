import type { Client } from '@adx/client';
import type { CodaFile, CodbCustomerGroup, CodbFile, ListCodbFilesRequest } from '@adx/contract';
import { describe, expect, test } from 'vitest';
import {
  insertCodaFile,
  insertCodbFile,
  listedFiles,
  type NewCodbFile,
  unprint,
} from '../../../packages/server/test/support/files.js';
import { codaFile, codbFile } from '../../../packages/server/test/uploads/sample-files.js';
import { newCustomer } from '../../support/new-customer.js';
import { useTestService } from '../../support/use-service.js';
import { newFirm } from './listed-coda-files.js';

const service = useTestService();

async function customerWith(...files: Partial<NewCodbFile>[]) {
  const firm = await newFirm(service);
  const customer = await firm.client.customers.create(newCustomer());
  const ids: string[] = [];
  for (const file of files) ids.push(await insertCodbFile(service.knex, customer.id, file));
  return { ...firm, customer, ids };
}

const filesOf = (groups: readonly CodbCustomerGroup[]): CodbFile[] =>
  groups.flatMap(({ payrollProviders }) => payrollProviders.flatMap(({ files }) => files));

async function listed(client: Client, request: ListCodbFilesRequest = {}): Promise<string[]> {
  return filesOf(await client.codbFiles.list(request)).map(({ id }) => id);
}

describe('§2.4 listed files', () => {
  test('§2.4 the documented fields of customer, provider and file, and no others', async () => {
    const { client, customer, ids } = await customerWith({
      fileName: 'SDWorx_202602_7.xml',
      statementNumber: 7,
      statementDate: '2026-02-28',
    });
    expect(await client.codbFiles.list()).toEqual([
      {
        id: customer.id,
        name: customer.name,
        accountingRef: customer.accountingRef,
        enterpriseNumber: customer.enterpriseNumber,
        isConfidential: false,
        payrollProviders: [
          {
            payrollProvider: 'SD Worx',
            year: 2026,
            files: [
              {
                id: ids[0],
                fileName: 'SDWorx_202602_7.xml',
                statementDate: '2026-02-28',
                statementNumber: 7,
                accountPeriod: 202602,
                processedOn: '2026-03-03T05:12:44.310Z',
                urls: { codb: expect.any(String) },
              },
            ],
          },
        ],
      },
    ]);
  });

  test('§4.18 one entry per provider and year, files by statement number', async () => {
    const { client } = await customerWith(
      { payrollProvider: 'SD Worx', statementNumber: 10 },
      { payrollProvider: 'Acerta', accountPeriod: 202512 },
      { payrollProvider: 'SD Worx', statementNumber: 9 },
      { payrollProvider: 'Acerta', accountPeriod: 202601 },
    );
    const [group, ...others] = await client.codbFiles.list();
    expect(others).toEqual([]);
    expect(
      group?.payrollProviders.map(({ payrollProvider, year, files }) => [
        payrollProvider,
        year,
        files.map(({ statementNumber }) => statementNumber),
      ]),
    ).toEqual([
      ['Acerta', 2025, [1]],
      ['Acerta', 2026, [1]],
      ['SD Worx', 2026, [9, 10]],
    ]);
  });

  test('§4.18 a customer with CODA files only is not listed', async () => {
    const { client, customer } = await customerWith();
    await insertCodaFile(service.knex, customer.id);
    expect(await client.codbFiles.list()).toEqual([]);
  });

  test('§4.18 urls.codb and, with includePdf, urls.pdf download the file', async () => {
    const { client, ids } = await customerWith({ fileName: 'SDWorx_7.xml' });
    const { store, buckets } = service.storage;
    const { object_key, pdf_key } = await listedFiles(service.knex).where({ id: ids[0] }).first();
    await store.put(buckets.files, object_key, Buffer.from('<a/>'), 'application/xml');
    await store.put(buckets.files, pdf_key, Buffer.from('%PDF'), 'application/pdf');
    const [without] = filesOf(await client.codbFiles.list());
    expect(Object.keys(without?.urls ?? {})).toEqual(['codb']);
    const [file] = filesOf(await client.codbFiles.list({ includePdf: true }));
    expect(await (await fetch(file?.urls.codb ?? '')).text()).toBe('<a/>');
    const pdf = await fetch(file?.urls.pdf ?? '');
    expect(await pdf.text()).toBe('%PDF');
    expect(pdf.headers.get('content-disposition')).toContain('SDWorx_7.pdf');
  });
});

describe('§4.18 filters', () => {
  test('§4.18 payrollProvider: the name in the files', async () => {
    const { client, ids } = await customerWith(
      { payrollProvider: 'SD Worx' },
      { payrollProvider: 'Acerta' },
    );
    expect(await listed(client, { payrollProvider: 'SD Worx' })).toEqual([ids[0]]);
    expect(await listed(client, { payrollProvider: 'sdworx' })).toEqual([]);
  });

  test('§4.18 accountPeriod: exact', async () => {
    const { client, ids } = await customerWith(
      { accountPeriod: 202601 },
      { accountPeriod: 202602 },
      { accountPeriod: 202603 },
    );
    expect(await listed(client, { accountPeriod: 202602 })).toEqual([ids[1]]);
    expect(await listed(client, { accountPeriod: 202600 })).toEqual([]);
  });

  test('§4.18 customer and enterpriseNumber', async () => {
    const { client, customer, ids } = await customerWith({});
    const other = await client.customers.create(newCustomer({ name: 'Een ander' }));
    await insertCodbFile(service.knex, other.id);
    const { name, enterpriseNumber } = customer;
    expect(await listed(client, { customer: name.toUpperCase() })).toEqual(ids);
    expect(await listed(client, { customer: name.slice(1) })).toEqual([]);
    expect(await listed(client, { enterpriseNumber })).toEqual(ids);
  });

  test('§4.18, D-08 ranges: both ends inclusive', async () => {
    const { client, ids } = await customerWith(
      ...[1, 2, 3, 4].map((day) => ({
        statementNumber: day,
        statementDate: `2026-03-0${day}`,
        processedOn: `2026-03-0${day}T12:00:00Z`,
      })),
    );
    const days = { from: '2026-03-02', to: '2026-03-03' };
    const middle = ids.slice(1, 3);
    expect(await listed(client, { statementDate: days })).toEqual(middle);
    expect(await listed(client, { processingDate: days })).toEqual(middle);
    expect(await listed(client, { statementNumber: { from: 2, to: 3 } })).toEqual(middle);
  });
});

describe('D-01 acknowledge CODB file', () => {
  test('§4.18 the file is listed only with redownload, for this API key and user', async () => {
    const { firmId, user, client, ids } = await customerWith({}, { statementNumber: 2 });
    const [first = '', second = ''] = ids;
    const confirmation = { message: 'The file is acknowledged.' };
    expect(await client.codbFiles.acknowledge(first)).toEqual(confirmation);
    expect(await client.codbFiles.acknowledge(first)).toEqual(confirmation);
    expect(await listed(client)).toEqual([second]);
    expect(await listed(client, { redownload: true })).toEqual([first, second]);
    const { key } = await service.issueApiKey();
    expect(await listed(await service.client(user, key))).toEqual([first, second]);
    const colleague = await service.createUser({ firmId });
    expect(await listed(await service.client(colleague))).toEqual([first, second]);
  });

  test('D-01 a CODA file is 404 here and does not change', async () => {
    const { client, customer } = await customerWith();
    const coda = await insertCodaFile(service.knex, customer.id);
    await expect(client.codbFiles.acknowledge(coda)).rejects.toMatchObject({ code: 'notFound' });
    expect(await client.codaFiles.list()).toHaveLength(1);
  });
});

async function storeUnprinted(id: string, content: Uint8Array): Promise<void> {
  await unprint(service.knex, id);
  const { object_key } = await listedFiles(service.knex).where({ id }).first('object_key');
  await service.storage.store.put(service.storage.buckets.files, object_key, content, 'text/plain');
}

test('§4.17, §4.18, D-38 a call with includePdf prints the files that are not printed yet; every link works', async () => {
  const firmId = await service.createFirm();
  const client = await service.client(await service.createUser({ firmId }));
  const { id: customerId } = await client.customers.create(newCustomer());
  const coda = codaFile({ iban: 'BE71096123456769' });
  const [printable, unprintable] = [
    await insertCodaFile(service.knex, customerId, { statementNumber: 1 }),
    await insertCodaFile(service.knex, customerId, { statementNumber: 2 }),
  ];
  await storeUnprinted(printable, coda);
  await storeUnprinted(unprintable, Buffer.from('neither a statement nor a payroll file'));
  const booking = await insertCodbFile(service.knex, customerId);
  await storeUnprinted(booking, codbFile({ enterpriseNumber: '0123456749' }));

  const codaFiles = async (includePdf: boolean): Promise<CodaFile[]> => {
    const groups = await client.codaFiles.list({ includePdf });
    return groups.flatMap(({ ibans }) => ibans.flatMap(({ files }) => files));
  };
  const codbFiles = async (): Promise<CodbFile[]> => {
    const groups = await client.codbFiles.list({ includePdf: true });
    return groups.flatMap((group) => group.payrollProviders.flatMap(({ files }) => files));
  };
  const startOf = async (url: string | undefined) =>
    (await (await fetch(url ?? expect.fail('no link'))).text()).slice(0, 5);

  const unprinted = await codaFiles(false);
  expect(unprinted.map(({ urls }) => Object.keys(urls))).toEqual([['coda'], ['coda']]);
  const [first, second] = await codaFiles(true);
  expect([first?.id, second?.id]).toEqual([printable, unprintable]);
  expect(await startOf(first?.urls.pdf)).toBe('%PDF-');
  expect(second?.urls).toEqual({ coda: expect.any(String) });
  const [payroll] = await codbFiles();
  expect(await startOf(payroll?.urls.pdf)).toBe('%PDF-');
  const statuses = await listedFiles(service.knex).where({ customer_id: customerId }).orderBy('id');
  expect(statuses.map(({ pdf_status }) => pdf_status)).toEqual(['present', 'failed', 'present']);
});
