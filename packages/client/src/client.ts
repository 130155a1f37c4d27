import type * as contract from '@adx/contract';
import type { Caller, CallOptions } from './core/call.js';
import type { ChangesOptions } from './core/changes.js';
import type { Download, DownloadOptions } from './core/files/download.js';
import type { DatedFile, PendingFile, PendingOptions } from './core/files/pending.js';
import type { Upload, UploadContent } from './core/files/upload.js';
import type { Settled } from './core/files/upload-outcomes.js';
import type { Page } from './core/page.js';
import * as generated from './generated/client.gen.js';

export type * from './generated/client.gen.js';

// The methods that are more than one call. What they need is loaded with their first call, so that
// programs that follow no changes and transfer no files do not load it.

/** Every operation of the Accounting Data Exchange, by resource. */
export class Client extends generated.Client {
  declare readonly mandates: Mandates;
  declare readonly codaFiles: CodaFiles;
  declare readonly codbFiles: CodbFiles;

  constructor(caller: Caller) {
    super(caller);
    this.mandates = new Mandates(caller);
    this.codaFiles = new CodaFiles(caller);
    this.codbFiles = new CodbFiles(caller);
  }
}

/** `client.mandates` */
export class Mandates extends generated.Mandates {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    super(caller);
    this.#caller = caller;
  }

  // Mandates that are finished are left out by default, also where `status` names them (D-10).
  override search(
    body: contract.SearchMandatesRequest = {},
    options?: CallOptions,
  ): Page<contract.Mandate> {
    const asksForFinished = [body.status].flat().includes('finished');
    const isImplied = asksForFinished && body.includeFinished === undefined;
    return super.search(isImplied ? { ...body, includeFinished: true } : body, options);
  }

  /**
   * Follows the changes of *Search mandates*: gives each change once, oldest first.
   *
   * Polls until you leave the loop, or until the signal aborts, which throws its reason. Waits out
   * an outage, and throws every error that does not pass by itself. If a record changes several
   * times between two polls, you get the last change. A record that the search no longer finds is
   * not reported. To continue later, keep the last `updatedOn` and pass it as `since`: records that
   * changed at that very instant come once more.
   *
   * @param options The first instant (`since`), the interval of polls (`intervalMs`), filters.
   * @returns Every change from `since` on (`updatedSince`).
   * @throws {ApiError} For 501, and for every status except 429 and 5xx.
   * @throws {TypeError} If `intervalMs` is not positive.
   * @example
   * ```ts
   * const changes = client.mandates.changes({ since: '2026-03-01T00:00:00+01:00' });
   * for await (const mandate of changes) {
   *   console.log(mandate);
   * }
   * ```
   */
  async *changes(
    options: ChangesOptions<
      contract.SearchMandatesRequest,
      'updatedSince' | 'includeFinished' | 'sort' | 'sortDirection'
    >,
  ): AsyncIterableIterator<contract.Mandate> {
    const { changesOf } = await import('./core/changes.js');
    const all = { includeFinished: true, sort: 'updatedOn', sortDirection: 'asc' } as const;
    return yield* changesOf(this.#caller, options, 'updatedSince', 'updatedOn', (body, call) =>
      this.search({ ...body, ...all }, call),
    );
  }
}

/** An upload that was processed or rejected. */
export type UploadOutcome = Settled<contract.UploadRecord>;

/** The methods for the files of one kind. */
interface Files<File extends DatedFile, Filters, Customer extends object> {
  /**
   * Downloads a file of the list.
   *
   * The content comes from the object storage by a presigned URL, which gets neither the API key
   * nor the ID token. If the URL has expired, or if the PDF was not listed, the file is listed
   * again. Resolves when the response begins. The content must have the announced length.
   *
   * @param file A file as the list returned it.
   * @param options Can ask for the PDF (`kind`), cancel the call or limit its time.
   * @returns The name, the size and the content.
   * @throws {StorageError} If the storage refuses.
   * @throws {NetworkError} If the storage does not respond, or if the download is interrupted.
   * @throws {NotFoundError} If the file is no longer listed, or has no PDF.
   * @throws {ApiError} If listing the file again fails.
   * @example
   * ```ts
   * const { fileName, bytes } = await client.codaFiles.download(file);
   * await writeFile(fileName, await bytes());
   * ```
   */
  download(file: File, options?: DownloadOptions<File>): Promise<Download>;

  /**
   * Goes through the files of the list that are not acknowledged, oldest first.
   *
   * Store each file, then call its `acknowledge()`: the client acknowledges files in groups. A file
   * that was not acknowledged, because the program ended or a call failed, comes again. A file that
   * arrives during the loop comes in this loop or in the next one.
   *
   * @param options Filters. Can also cancel the loop or limit the time of each call.
   * @returns The files, each with its customer, `bytes()`, `save(path)` and `acknowledge()`.
   * @throws {ApiError} If listing or acknowledging files fails.
   * @example
   * ```ts
   * for await (const file of client.codaFiles.pending()) {
   *   await file.save(file.fileName);
   *   file.acknowledge();
   * }
   * ```
   */
  pending(options?: PendingOptions<Filters>): AsyncIterableIterator<PendingFile<File, Customer>>;

  /**
   * Uploads a file with the credentials that `uploadCredentials` gets.
   *
   * The client requests the credentials once and keeps them until 5 minutes before they expire.
   * It reads a stream to its end before it sends it; a stream may have at most 25 MiB. Every
   * upload gets its own key, which ends in the file name.
   *
   * Resolves when the storage has the file. `outcome()` then waits until the service has read
   * it, and returns what `uploads.get` does, `processed` or `rejected`.
   *
   * @param content The file.
   * @param fileName Its name. Characters that are unsafe in a key are replaced.
   * @param options Can cancel the upload or limit the time of each attempt.
   * @returns The bucket and the key of the object, and its outcome.
   * @throws {StorageError} If the storage refuses.
   * @throws {NetworkError} If the storage does not respond.
   * @throws {ApiError} If the service issues no credentials.
   * @throws {RangeError} If a stream has more than 25 MiB.
   * @throws {TypeError} If the client does not know where the storage is.
   * @example
   * ```ts
   * const upload = await client.codaFiles.upload(content, fileName);
   * console.log(await upload.outcome());
   * ```
   */
  upload(
    content: UploadContent,
    fileName: string,
    options?: CallOptions,
  ): Promise<Upload<UploadOutcome>>;
}

/** `client.codaFiles` */
export class CodaFiles
  extends generated.CodaFiles
  implements Files<contract.CodaFile, contract.ListCodaFilesRequest, contract.CodaCustomerGroup>
{
  readonly #caller: Caller;

  constructor(caller: Caller) {
    super(caller);
    this.#caller = caller;
  }

  async download(
    file: contract.CodaFile,
    options?: DownloadOptions<contract.CodaFile>,
  ): Promise<Download> {
    const { downloadFile } = await import('./core/files/download.js');
    return downloadFile(this.#caller, 'listCodaFiles', 'coda', this, file, options);
  }

  async *pending(
    options?: PendingOptions<contract.ListCodaFilesRequest>,
  ): AsyncIterableIterator<PendingFile<contract.CodaFile, contract.CodaCustomerGroup>> {
    const { pendingFiles } = await import('./core/files/pending.js');
    yield* pendingFiles(this, options);
  }

  async upload(
    content: UploadContent,
    fileName: string,
    options?: CallOptions,
  ): Promise<Upload<UploadOutcome>> {
    const { uploadFile } = await import('./core/files/upload.js');
    const operation = 'getCodaUploadCredentials';
    const uploads = new generated.Uploads(this.#caller);
    return uploadFile(this.#caller, operation, this, uploads, content, fileName, options);
  }
}

/** `client.codbFiles` */
export class CodbFiles
  extends generated.CodbFiles
  implements Files<contract.CodbFile, contract.ListCodbFilesRequest, contract.CodbCustomerGroup>
{
  readonly #caller: Caller;

  constructor(caller: Caller) {
    super(caller);
    this.#caller = caller;
  }

  async download(
    file: contract.CodbFile,
    options?: DownloadOptions<contract.CodbFile>,
  ): Promise<Download> {
    const { downloadFile } = await import('./core/files/download.js');
    return downloadFile(this.#caller, 'listCodbFiles', 'codb', this, file, options);
  }

  async *pending(
    options?: PendingOptions<contract.ListCodbFilesRequest>,
  ): AsyncIterableIterator<PendingFile<contract.CodbFile, contract.CodbCustomerGroup>> {
    const { pendingFiles } = await import('./core/files/pending.js');
    yield* pendingFiles(this, options);
  }

  async upload(
    content: UploadContent,
    fileName: string,
    options?: CallOptions,
  ): Promise<Upload<UploadOutcome>> {
    const { uploadFile } = await import('./core/files/upload.js');
    const operation = 'getCodbUploadCredentials';
    const uploads = new generated.Uploads(this.#caller);
    return uploadFile(this.#caller, operation, this, uploads, content, fileName, options);
  }
}
