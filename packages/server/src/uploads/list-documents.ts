import type { Knex } from 'knex';
import { newObjectId } from '../../identifiers/object-id.js';
import type { NewFile } from './new-file.js';
import { formats } from './uploaded-document.js';

/** Whether a file is listed already: the same statement of the customer, with the same content. */
export async function isListed(knex: Knex, file: NewFile): Promise<boolean> {
  return (await readNamesakes(knex, file)).some((row) => hasContentOf(row, file));
}

/**
 * Lists the files that are not listed yet, in the order of their customers, so that two transactions
 * that list files of the same ones wait for each other.
 *
 * @returns those that had been listed before
 */
export async function listFiles(
  trx: Knex.Transaction,
  files: readonly NewFile[],
  { uploadId, processedOn }: { readonly uploadId: string; readonly processedOn: Date },
): Promise<NewFile[]> {
  const repeated: NewFile[] = [];
  let held = '';
  for (const file of files.toSorted(byCustomer)) {
    const { customerId, firmId } = file.recipient;
    const { product, statementDate, contentHash, key, fileStem } = file.document;
    if (held !== customerId) await holdArrivals(trx, customerId, product);
    held = customerId;
    const namesakes = await readNamesakes(trx, file);
    if (namesakes.some((row) => hasContentOf(row, file))) {
      repeated.push(file);
      continue;
    }
    const version = namesakes.filter(({ file_name }) => isNamed(file_name, fileStem)).length + 1;
    const name = version === 1 ? fileStem : `${fileStem}_${version}`;
    await trx('files').insert({
      id: newObjectId(),
      ...{ product, firm_id: firmId, customer_id: customerId, ...key },
      ...{ statement_date: statementDate, content_hash: contentHash },
      file_name: `${name}.${formats[product].extension}`,
      processed_on: processedOn,
      ...{ object_key: file.objectKey, pdf_key: file.pdfKey, upload_id: uploadId },
    });
  }
  return repeated;
}

interface Namesake {
  readonly file_name: string;
  readonly content_hash: Buffer;
}

/** The files of the customer with the same account, year and number. */
function readNamesakes(knex: Knex, { document, recipient }: NewFile): Promise<Namesake[]> {
  const { product, key } = document;
  return knex('files')
    .where({ customer_id: recipient.customerId, product, ...key })
    .select('file_name', 'content_hash');
}

/** The content has the date in it, and with it the whole key. */
function hasContentOf({ content_hash }: Namesake, { document }: NewFile): boolean {
  return content_hash.equals(document.contentHash);
}

/** Whether a name is made of a stem, perhaps with the number of a version behind it. */
function isNamed(fileName: string, stem: string): boolean {
  return fileName.startsWith(`${stem}.`) || fileName.startsWith(`${stem}_`);
}

/** Lets nobody else list files of a customer and product until the transaction ends. */
async function holdArrivals(
  trx: Knex.Transaction,
  customerId: string,
  product: string,
): Promise<void> {
  await trx.raw(
    `insert into file_arrivals as arrivals (customer_id, product, latest) values (?, ?, 0)
     on conflict (customer_id, product) do update set latest = arrivals.latest`,
    [customerId, product],
  );
}

/** Ids are compared as PostgreSQL's and JavaScript's both do: they are hexadecimal. */
function byCustomer({ recipient: one }: NewFile, { recipient: other }: NewFile): number {
  if (one.customerId === other.customerId) return 0;
  return one.customerId < other.customerId ? -1 : 1;
}
