import type { Knex } from 'knex';
import {
  type ChainNotice,
  followAccounts,
  type NewStatement,
} from '../continuity/follow-accounts.js';
import { runPrepared } from '../db/prepared-statements.js';
import { listOf, returnArrivals, takeArrivals } from './arrivals.js';
import type { NewFile } from './document.js';
import { enqueuePrinting, type ListedFile } from './enqueue-printing.js';
import { fileName, versionNames } from './file-names.js';
import { cancelRemoval } from './object-removals.js';

/** Returns the documents that their lists have already, however they were delivered (D-29). */
export async function findListed(
  knex: Knex,
  newFiles: readonly NewFile[],
): Promise<ReadonlySet<NewFile>> {
  const contents = await findContents(knex, newFiles);
  return new Set(newFiles.filter((file) => contents.has(contentOf(file))));
}

interface ListedDocuments {
  readonly files: ReadonlyMap<string, ListedFile>;
  readonly repeated: readonly NewFile[];
  /** The documents that do not fit into the chains of their accounts (D-30). */
  readonly notices: readonly { readonly file: NewFile; readonly kind: ChainNotice['kind'] }[];
}

/** Lists documents. All transactions lock the lists in one order, so that they do not deadlock. */
export async function listDocuments(
  trx: Knex.Transaction,
  newFiles: readonly NewFile[],
  {
    uploadId,
    isDelivered,
    processedOn,
    printsItself = false,
  }: {
    readonly uploadId: string;
    readonly isDelivered: boolean;
    readonly processedOn: Date;
    /** True if the caller prints the files; otherwise jobs do. */
    readonly printsItself?: boolean;
  },
): Promise<ListedDocuments> {
  if (newFiles.length === 0) return { files: new Map(), repeated: [], notices: [] };
  const arrivals = await takeArrivals(trx, newFiles);
  const contents = await findContents(trx, newFiles);
  const repeated: NewFile[] = [];
  const listed = new Map<string, NewFile>();
  for (const file of newFiles) {
    if (contents.has(contentOf(file))) repeated.push(file);
    else listed.set(file.id, file);
    contents.add(contentOf(file));
  }
  if (repeated.length > 0) await returnArrivals(trx, repeated);
  await insertFiles(trx, [...listed.values()], arrivals, {
    ...{ upload_id: uploadId, is_delivered: isDelivered, processed_on: processedOn },
  });
  const files = new Map(
    [...listed].map(([id, { document, recipient }]) => [
      id,
      { firmId: recipient.firmId, bytes: document.bytes },
    ]),
  );
  if (!printsItself) await enqueuePrinting(trx, files);
  const statements = [...listed.values()].flatMap(statementOf);
  const notices = await followAccounts(trx, statements, processedOn);
  return {
    files,
    repeated,
    notices: notices.flatMap(({ id, kind }) => {
      const file = listed.get(id);
      return file === undefined ? [] : [{ file, kind }];
    }),
  };
}

function statementOf({ id, document, recipient }: NewFile): NewStatement[] {
  const { subject, key, balances, statementDate: date } = document;
  if (balances === undefined || !('iban' in subject)) return [];
  const { currency = '', extension = '' } = key;
  const account = { iban: subject.iban, currency: String(currency), extension: String(extension) };
  const { firmId, customerId } = recipient;
  return [{ id, date, firmId, customerId, ...account }];
}

/**
 * Inserts files under names that are unique within their firm (D-50), and cancels the removal of
 * their objects. If another transaction takes a name meanwhile, the next one is tried.
 *
 * @param arrivals - the next arrival of each list, by `listOf`
 */
async function insertFiles(
  trx: Knex.Transaction,
  newFiles: readonly NewFile[],
  arrivals: Map<string, number>,
  upload: Readonly<Record<'upload_id' | 'is_delivered' | 'processed_on', unknown>>,
): Promise<void> {
  const rows = newFiles.map((file) => {
    const { id, document, recipient } = file;
    const { product, statementDate, key, contentHash, balances } = document;
    const arrival = arrivals.get(listOf(file)) ?? 1;
    arrivals.set(listOf(file), arrival + 1);
    return {
      ...{ id, product, arrival, ...upload, ...key },
      firm_id: recipient.firmId,
      customer_id: recipient.customerId,
      statement_date: statementDate,
      content_hash: `\\x${contentHash.toString('hex')}`,
      created_on: balances?.createdOn,
      old_balance: balances?.old.toString(),
      new_balance: balances?.new.toString(),
    };
  });
  await cancelRemoval(
    trx,
    newFiles.map(({ objectKey }) => objectKey),
  );
  let rest = newFiles;
  // Most files have one document, whose name is free.
  const guesses = newFiles.length === 1 ? 1 : 0;
  for (let attempt = 0; rest.length > 0; attempt += 1) {
    const names =
      attempt < guesses
        ? new Map(rest.map((file) => [file.id, fileName(file, 1)]))
        : await versionNames(trx, rest, attempt - guesses);
    const named = rows.flatMap((row) => {
      const name = names.get(row.id);
      return name === undefined ? [] : [{ ...row, file_name: name }];
    });
    const files = await runPrepared<{ id: string; firm_id: string }>(trx, {
      sql: insertion,
      bindings: [JSON.stringify(named)],
    });
    await runPrepared(trx, { sql: unprinted, bindings: [JSON.stringify(files)] });
    const ids = new Set(files.map(({ id }) => id));
    rest = rest.filter(({ id }) => !ids.has(id));
  }
}

const columns = `id, firm_id, customer_id, product, arrival, processed_on, statement_number,
    old_balance, new_balance, year, statement_date, created_on, account_period, is_delivered, iban,
    currency, extension, payroll_provider, file_name, content_hash, upload_id`;

// Not one statement, which Citus would send to all nodes (D-72).
const insertion = `
  insert into files (${columns})
  select ${columns} from jsonb_populate_recordset(null::files, ?::jsonb)
  on conflict (firm_id, lower(file_name collate "C")) do nothing returning id, firm_id`;

const unprinted = `
  insert into unprinted_files (file_id, firm_id)
  select id, firm_id from json_to_recordset(?::json) as f (id text, firm_id text)`;

/** Finds those of the documents that are listed, by `contentOf` (D-29). */
async function findContents(knex: Knex, newFiles: readonly NewFile[]): Promise<Set<string>> {
  const wanted = newFiles.map((file) => ({
    content: contentOf(file),
    product: file.document.product,
    firm_id: file.recipient.firmId,
    customer_id: file.recipient.customerId,
    hash: file.document.contentHash.toString('hex'),
  }));
  if (newFiles.length === 0) return new Set();
  const { rows } = await knex.raw<{ rows: { content: string }[] }>(
    `select w.content
       from jsonb_to_recordset(?::jsonb) as w (content text, product text,
            firm_id text, customer_id text, hash text)
       join files f on f.content_hash = decode(w.hash, 'hex') and f.firm_id = w.firm_id
                   and f.customer_id = w.customer_id and f.product = w.product
      -- So that only the partitions of these firms are planned and locked.
      where f.firm_id = any(?)`,
    [JSON.stringify(wanted), [...new Set(wanted.map(({ firm_id }) => firm_id))]],
  );
  return new Set(rows.map(({ content }) => content));
}

function contentOf({ document: { product, contentHash }, recipient }: NewFile): string {
  return `${product} ${recipient.customerId} ${contentHash.toString('hex')}`;
}
