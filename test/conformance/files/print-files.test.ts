import type { CodaFile, CodbFile } from '@adx/contract';
import { expect, test } from 'vitest';
import {
  insertCodaFile,
  insertCodbFile,
  listedFiles,
  unprint,
} from '../../../packages/server/test/support/files.js';
import { codaFile, codbFile } from '../../../packages/server/test/uploads/sample-files.js';
import { newCustomer } from '../../support/new-customer.js';
import { useTestService } from '../../support/use-service.js';

// It runs no jobs, so nothing else prints files.
const service = useTestService();

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
