import type { Knex } from 'knex';
import { listedKeys } from '../files/document.js';
import type { Firm } from '../identity/firms.js';
import type { Storage } from '../storage/open-storage.js';
import { createExportFolder, type ExportFolder } from './export-folder.js';
import { type ExportedFile, filesOf, recordsOf } from './exported-records.js';

/**
 * Exports all that a firm has into a new folder, in open formats (D-63): its files, and its records
 * as JSON Lines, with the fields of the interface where it has them. There are no hashes of
 * passwords and tokens. Records are as they are when they are read.
 *
 * @throws Error of the file system, for example if the folder exists already
 */
export async function exportFirm(
  { knex, storage }: { readonly knex: Knex; readonly storage: Storage },
  firm: Firm,
  folder: string,
) {
  const exported = await createExportFolder(folder);
  try {
    /** The number of records by the name of their file. */
    const records: Record<string, number> = {};
    records['firm.jsonl'] = await exported.writeLines('firm.jsonl', [firm]);
    for (const [name, read] of Object.entries(recordsOf(knex, firm.id))) {
      records[name] = await exported.writeLines(name, read);
    }
    /** The keys of objects that the storage does not have. */
    const missing: string[] = [];
    const copied = copyFiles(exported, storage, filesOf(knex, firm.id), missing);
    records['files.jsonl'] = await exported.writeLines('files.jsonl', copied);
    return { id: firm.id, files: await exported.complete(), records, missing };
  } catch (error) {
    await exported.close();
    throw error;
  }
}

async function* copyFiles(
  folder: ExportFolder,
  storage: Storage,
  files: AsyncIterable<ExportedFile>,
  missing: string[],
): AsyncGenerator<object> {
  async function copy(key: string, path: string): Promise<string | null> {
    const object = await storage.store.get(storage.buckets.files, key);
    if (object === undefined) {
      missing.push(key);
      return null;
    }
    await folder.write(path, object.bytes);
    return path;
  }
  for await (const { isPrinted, ...file } of files) {
    const { objectKey, pdfKey } = listedKeys(file);
    const stem = `files/${file.customerId}/${file.id}`;
    yield {
      ...file,
      path: await copy(objectKey, `${stem}${objectKey.slice(objectKey.lastIndexOf('.'))}`),
      pdfPath: isPrinted ? await copy(pdfKey, `${stem}.pdf`) : null,
    };
  }
}
