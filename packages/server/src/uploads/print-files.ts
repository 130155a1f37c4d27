import { buffer } from 'node:stream/consumers';
import {
  type PrintedLanguage,
  readCoda,
  readCodb,
  renderPayrollPdf,
  renderStatementPdf,
} from '@adx/statements';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Storage } from '../storage/open-storage.js';
import type { Product } from './documents/document.js';

/** The number of files that are read from the database at once. */
const batchSize = 20;

/** A listed file that has not been printed. */
interface UnprintedFile {
  readonly id: string;
  readonly product: Product;
  readonly objectKey: string;
  readonly pdfKey: string;
  /** French if the contact of the customer reads French, Dutch otherwise (D-13). */
  readonly language: PrintedLanguage;
  /** Null for payroll files and unknown banks. */
  readonly bankName: string | null;
}

/**
 * Creates the printer of listed files, which renders and stores their PDFs. Files are listed first,
 * because rendering takes most of the CPU time of an upload (D-38). A printer renders one file at a
 * time, so that other work is not delayed by more than that. A file may be printed twice, by two
 * processes or after a kill: the second PDF replaces the first.
 */
export function createFilePrinter(dependencies: {
  readonly knex: Knex;
  readonly storage: Storage;
  readonly logger: Logger;
}) {
  const { knex, storage, logger } = dependencies;
  const { store, buckets } = storage;
  let last: Promise<unknown> = Promise.resolve();

  /** Prints a file after all that wait already. */
  function printInTurn(file: UnprintedFile): Promise<void> {
    const printed = last.then(() => print(file));
    last = printed.catch(() => {});
    return printed;
  }

  async function print(file: UnprintedFile): Promise<void> {
    const { id, pdfKey } = file;
    // Another call or process may have printed it while this one waited.
    const current = await knex('files').where({ id, pdf_status: 'missing' }).first('id');
    if (current === undefined) return;
    const stored = await store.get(buckets.files, file.objectKey);
    const content = stored === undefined ? undefined : await buffer(stored.bytes);
    let pdf: Uint8Array | undefined;
    try {
      if (content === undefined) throw new Error('The object of the file is missing');
      pdf = await render(file, content);
    } catch (error) {
      logger.error({ file: id, err: error }, 'a listed file cannot be printed');
    }
    if (pdf !== undefined) await store.put(buckets.files, pdfKey, pdf, 'application/pdf');
    await knex('files')
      .where({ id, pdf_status: 'missing' })
      .update({ pdf_status: pdf === undefined ? 'failed' : 'present' });
  }

  return {
    /** Prints those of the files that have not been printed. Returns the ids of all that have a PDF then. */
    async printFiles(ids: readonly string[]): Promise<ReadonlySet<string>> {
      for (const file of await findUnprinted(knex, 'f.id = any(?)', [[...ids]])) {
        await printInTurn(file);
      }
      const printed = await knex('files')
        .whereRaw("id = any(?) and pdf_status = 'present'", [[...ids]])
        .pluck<string[]>('id');
      return new Set(printed);
    },

    /**
     * Prints files that have not been printed, oldest first, for some time. One that fails does not
     * prevent the others.
     *
     * @returns true if some may be left
     * @throws Error if some could not be printed now, for example because the storage is unreachable
     */
    async printOldest(durationMs: number): Promise<boolean> {
      const end = performance.now() + durationMs;
      const failures: unknown[] = [];
      let files: UnprintedFile[] = [];
      do {
        const after = files.at(-1)?.id ?? '';
        files = await findUnprinted(knex, `f.id > ? order by f.id limit ${batchSize}`, [after]);
        for (const file of files) {
          if (performance.now() > end) break;
          await printInTurn(file).catch((error: unknown) => failures.push(error));
        }
      } while (files.length === batchSize && performance.now() <= end);
      if (failures.length > 0) throw failures[0];
      return files.length > 0 && performance.now() > end;
    },
  };
}

async function findUnprinted(
  knex: Knex,
  condition: string,
  bindings: readonly Knex.RawBinding[],
): Promise<UnprintedFile[]> {
  const { rows } = await knex.raw<{ rows: UnprintedFile[] }>(
    `select f.id, f.product, f.object_key as "objectKey", f.pdf_key as "pdfKey",
            case c.contact_language when 'fr' then 'fr' else 'nl' end as language,
            b.name as "bankName"
       from files f
       join customers c on c.id = f.customer_id
       left join banks_by_code b on b.bank_code = substr(f.iban, 5, 3) and f.iban like 'BE%'
      where f.pdf_status = 'missing' and ${condition}`,
    [...bindings],
  );
  return rows;
}

/** Renders the only document of a listed file. */
async function render(
  { product, language, bankName }: UnprintedFile,
  content: Uint8Array,
): Promise<Uint8Array> {
  if (product === 'CODB') {
    const [booking] = readCodb(content).documents ?? [];
    if (booking !== undefined) return renderPayrollPdf(booking, { language });
  } else {
    for await (const { statement } of readCoda(content)) {
      const bank = bankName === null ? {} : { bankName };
      if (statement !== undefined) return renderStatementPdf(statement, { language, ...bank });
    }
  }
  throw new Error('The file has no document');
}
