import { spec } from '@adx/contract/spec';
import { writeCoda } from '@adx/statements';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.js';
import { type Document, type NewFile, newFile } from '../../src/files/document.js';
import { listDocuments } from '../../src/files/list-documents.js';
import { scheduleRemoval } from '../../src/files/object-removals.js';
import { newObjectId } from '../../src/identifiers/object-id.js';
import { readCodaDocuments } from '../../src/uploads/documents/coda-documents.js';
import { readCodbDocuments } from '../../src/uploads/documents/codb-documents.js';
import { waitUntilBlocked } from '../mandates/wait-until-blocked.js';
import { codbFile } from '../uploads/sample-files.js';
import { setUpUploads, type Uploads } from '../uploads/set-up-uploads.js';

let work: Uploads;
let customers: string[];
const uploadId = newObjectId();
const upload = { uploadId, isDelivered: true, processedOn: new Date() };
beforeAll(async () => {
  work = await setUpUploads(afterAll);
  customers = [await work.create({}), await work.create({})];
  await work.knex('uploads').insert({
    ...{ id: uploadId, source: 'bank', bucket: 'operator', product: 'CODA', object_key: 'a' },
    ...{ etag: 'e', size: 1, received_on: new Date() },
  });
});

let contents = 0;

/** Returns a new document of a customer of the firm, as it is before it is listed. */
function fileNamed(
  fileStem: string,
  customer = 0,
  product: Document['product'] = 'CODA',
  source = 'SD Worx',
): NewFile {
  contents += 1;
  const key =
    product === 'CODA'
      ? { iban: 'BE71096123456769', currency: 'EUR', extension: '', year: 2026 }
      : { payroll_provider: source, account_period: 202602, year: 2026 };
  const document: Document = {
    ...{ product, bytes: new Uint8Array(), record: 1, statementDate: '2026-03-02' },
    contentHash: Buffer.alloc(32, `${contents}.`),
    key: { ...key, statement_number: 14 },
    fileStem,
    subject: { enterpriseNumber: '0765432146', source },
    label: fileStem,
  };
  return fileOf(document, customer);
}

function fileOf(document: Document, customer = 0): NewFile {
  const recipient = { firmId: work.principal.firmId, customerId: customers[customer] ?? '' };
  return newFile(document, recipient);
}

/** Records the objects of documents as stored, and lists the documents. */
async function list(...newFiles: NewFile[]) {
  await stored(newFiles);
  await inTransaction(work.knex, (trx) => listDocuments(trx, newFiles, upload));
}

const stored = (newFiles: readonly NewFile[]) =>
  scheduleRemoval(
    work.knex,
    newFiles.map(({ objectKey }) => objectKey),
    new Date('2100-01-01'),
  );

async function names(): Promise<string[]> {
  const { firmId } = work.principal;
  return work.knex('files').where({ firm_id: firmId }).orderBy('id').pluck('file_name');
}

test('D-50 a name is unique within the firm, also of another customer, provider or case', async () => {
  const before = (await names()).length;
  const stem = 'BE71096123456769_EUR_2026_014';
  await list(fileNamed(stem), fileNamed(stem), fileNamed(stem, 1));
  await list(fileNamed(stem, 1));
  const booking = '0765432146_SD-Worx_202602_7';
  await list(
    fileNamed(booking, 0, 'CODB'),
    fileNamed(booking.toUpperCase(), 0, 'CODB', 'SD WORX'),
    fileNamed(booking, 0, 'CODB', 'SD-Worx'),
  );
  expect((await names()).slice(before)).toEqual([
    `${stem}.cod`,
    `${stem}_2.cod`,
    `${stem}_3.cod`,
    `${stem}_4.cod`,
    `${booking}.xml`,
    `${booking.toUpperCase()}_2.xml`,
    `${booking}_3.xml`,
  ]);
});

test('D-50 two customers whose statements are listed at the same moment get different names', async () => {
  const before = (await names()).length;
  const stem = 'BE71096123456769_EUR_2026_015';
  const first = [fileNamed(stem)];
  await stored(first);
  const trx = await work.knex.transaction();
  await listDocuments(trx, first, upload);
  const second = list(fileNamed(stem, 1), fileNamed(stem, 1));
  await waitUntilBlocked(work.knex);
  await trx.commit();
  await second;
  const listed = (await names()).slice(before);
  expect(new Set(listed).size).toBe(3);
  expect(listed[0]).toBe(`${stem}.cod`);
});

test('D-09 workers that list files for the same customers in opposite order do not deadlock', async () => {
  const errors: unknown[] = [];
  const note = (error: Error) => errors.push(error.message);
  work.knex.on('query-error', note);
  const before = (await names()).length;
  const rounds = Array.from({ length: 8 }, (_, round) => `BE71096123456769_EUR_2027_${round}`);
  await Promise.all(
    rounds.flatMap((stem) => [
      list(fileNamed(`${stem}a`, 0), fileNamed(`${stem}b`, 1)),
      list(fileNamed(`${stem}c`, 1), fileNamed(`${stem}d`, 0)),
    ]),
  );
  work.knex.off('query-error', note);
  expect(errors).toEqual([]);
  expect(await names()).toHaveLength(before + 4 * rounds.length);
});

test('D-50 two workers that take the same names in opposite order deadlock once, and both list their files', async () => {
  const before = (await names()).length;
  const stems = ['BE71096123456769_EUR_2026_016', 'BE71096123456769_EUR_2026_017'];
  let attempts = 0;
  let begin = () => {};
  const bothBegan = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const worker = async (customer: number, order: string[]) => {
    const newFiles = order.map((stem) => fileNamed(stem, customer));
    await stored(newFiles);
    await inTransaction(work.knex, async (trx) => {
      for (const each of newFiles) {
        await listDocuments(trx, [each], upload);
        if (each !== newFiles[0]) continue;
        attempts += 1;
        if (attempts === 2) begin();
        await bothBegan;
      }
    });
  };
  await Promise.all([worker(0, stems), worker(1, stems.toReversed())]);
  expect(attempts).toBe(3);
  const listed = (await names()).slice(before);
  expect(new Set(listed).size).toBe(4);
});

test('D-50 whatever is listed in whatever order, the names of a firm differ, whatever their case', async () => {
  const one = fc.record({
    stem: fc.constantFrom('BE1_EUR_2026_001', 'be1_eur_2026_001', 'BE1_EUR_2026_001_2', 'BE1_EUR'),
    customer: fc.integer({ min: 0, max: 1 }),
    product: fc.constantFrom('CODA' as const, 'CODB' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(one, { minLength: 1, maxLength: 6 }), { maxLength: 4 }),
      async (uploads) => {
        for (const upload of uploads) {
          await list(
            ...upload.map(({ stem, customer, product }) => fileNamed(stem, customer, product)),
          );
        }
        const listed = await names();
        expect(new Set(listed.map((name) => name.toLowerCase())).size).toBe(listed.length);
      },
    ),
    { numRuns: 15 },
  );
});

/**
 * Texts with characters that mean something in a path, or that a file system does not have or reads
 * as another.
 */
const nastyText = (maxLength: number, unit: fc.Arbitrary<string>) =>
  fc.string({ maxLength, unit: fc.oneof(fc.constantFrom(...'/\\:*?"<>|. -_~$%&\'é'), unit) });
const latin = fc.integer({ min: 0xa1, max: 0xff }).map((code) => String.fromCharCode(code));

test('D-50 whatever banks and payroll providers write, a file has a name that the spec describes', async () => {
  const texts = fc.array(
    fc.record({
      source: nastyText(60, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
      extension: nastyText(15, latin).filter((text) => text.trim() === text),
      isNumbered: fc.boolean(),
    }),
    { minLength: 8, maxLength: 8 },
  );
  const patternOf = (schema: string) => {
    const { fileName } = spec.components.schemas[schema]?.properties ?? {};
    return new RegExp(String(fileName?.['pattern']), 'u');
  };
  const before = (await names()).length;
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const documents: (Document | undefined)[] = [];
      for (const { source, extension, isNumbered } of all) {
        // Without other characters, the reader finds no text.
        const bytes = codbFile({ enterpriseNumber: '0403019261', source: `a${source}` });
        documents.push(...[...readCodbDocuments(bytes, 1)].map(({ document }) => document));
        const statement = writeCoda([
          {
            header: { creationDate: '2026-02-04', bic: 'GKCCBEBB' },
            account: { structure: 0, number: '096123456769', currency: 'EUR', extension },
            statementNumber: isNumbered ? 14 : 0,
            oldBalance: { amount: 0n, date: '2026-02-02' },
            newBalance: { date: '2026-02-03' },
            movements: [],
          },
        ]);
        for await (const { document } of readCodaDocuments([statement], 0))
          documents.push(document);
      }
      expect(documents).not.toContain(undefined);
      expect(documents).toHaveLength(16);
      await list(...documents.flatMap((document) => (document ? [fileOf(document)] : [])));
    }),
    { numRuns: 10 },
  );
  const listed = (await names()).slice(before);
  expect(listed.length).toBeGreaterThan(20);
  for (const name of listed) {
    const schema = name.endsWith('.cod') ? 'CodaFile' : 'CodbFile';
    expect(name).toMatch(patternOf(schema));
    expect(name).toMatch(patternOf('ListedUploadFile'));
  }
});
