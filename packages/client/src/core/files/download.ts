import type { OperationId } from '@adx/contract';
import type { StorageError } from '../../errors.js';
import type { Caller, CallOptions } from '../call.js';
import { checkedBody } from './checked-body.js';
import { readBytes } from './read-bytes.js';
import { requestStorage } from './request-storage.js';

/** A file of a list, with its presigned URLs by kind. */
export interface ListedFile {
  readonly id: string;
  readonly fileName: string;
  readonly statementDate: string;
  readonly statementNumber: number;
  readonly urls: object;
}

/** The kind of file to download, and the options of a call. */
export interface DownloadOptions<File extends ListedFile> extends CallOptions {
  /** `pdf` for the PDF; by default the file itself. */
  kind?: keyof File['urls'] | undefined;
}

/** A download that has started. Its content can be read once: as bytes, or as a stream. */
export interface Download {
  /** The name in the list, or the same with `.pdf`. */
  readonly fileName: string;
  /** The length of the content in bytes. */
  readonly size: number;
  /**
   * The content as a stream. It fails with a `NetworkError` if the connection ends early, and with
   * a `TimeoutError` if nothing arrives for `timeoutMs`. Cancel it if you do not read it to its
   * end.
   */
  readonly body: ReadableStream<Uint8Array>;
  /** Reads the whole content. Fails like `body`. */
  bytes(): Promise<Uint8Array>;
}

/** The filters that list a file again, together with others of the same number and date. */
interface SameFile {
  redownload: true;
  includePdf: boolean;
  statementDate: { from: string; to: string };
  statementNumber: { from: number; to: number };
}

/**
 * Downloads a file of a list from the object storage.
 *
 * @param operation the operation that lists files
 * @param ownKind the kind of URL that every file of the list has
 * @param files lists files again, to get a URL that has not expired, or one of another kind
 */
export async function downloadFile<File extends ListedFile>(
  caller: Caller,
  operation: OperationId,
  ownKind: keyof File['urls'] & string,
  files: { list(body: SameFile, options: CallOptions): Promise<readonly object[]> },
  file: File,
  given: DownloadOptions<File> = {},
): Promise<Download> {
  if (!file?.urls) throw new TypeError('download takes a file of a list');
  if (Object(given) !== given) {
    throw new TypeError("download takes an object with options, such as { kind: 'pdf' }");
  }
  const { kind = ownKind, ...options } = given;
  const { id, fileName, statementDate, statementNumber, urls } = file;

  async function newUrl(): Promise<string> {
    const body: SameFile = {
      redownload: true,
      includePdf: kind !== ownKind,
      statementDate: { from: statementDate, to: statementDate },
      statementNumber: { from: statementNumber, to: statementNumber },
    };
    const found = findFile(await files.list(body, options), id);
    const url = urlOf(found, kind);
    if (url) return url;
    const facts = { status: 404, code: undefined, fields: [], details: [] };
    const why = found ? `has no ${String(kind)}` : 'is no longer listed';
    throw new caller.errors.NotFoundError(operation, `${fileName} ${why}`, {
      ...facts,
      requestId: undefined,
      retryAfter: undefined,
    });
  }

  const request = (url: string) =>
    caller.repeat(
      operation,
      true,
      (signal) => {
        // If a proxy compressed the content, its length would not be that of the file.
        const headers = { 'accept-encoding': 'identity' };
        return requestStorage(caller, operation, url, { method: 'GET', headers, signal });
      },
      { ...options, host: new URL(url).host },
    );

  // The storage says that a URL has expired, because the clock of this machine may be wrong.
  const listed = urlOf({ urls }, kind);
  let url = listed ?? (await newUrl());
  const response = await request(url).catch(async (error: unknown) => {
    const isRefusal = error instanceof caller.errors.StorageError;
    if (url !== listed || !isRefusal || !isExpiry(error)) throw error;
    url = await newUrl();
    return request(url);
  });

  const { headers } = response;
  const announced = headers.get('content-encoding') ? null : headers.get('content-length');
  if (announced === null) {
    await response.body?.cancel();
    throw caller.networkErrorOf(operation, url, 'the storage did not say how long the file is');
  }
  const size = Number(announced);
  const body = checkedBody(caller, operation, url, response.body, size, options);
  return {
    fileName: kind === ownKind ? fileName : `${fileName.replace(/\.[^.]*$/, '')}.${String(kind)}`,
    size,
    body,
    bytes: () => readBytes(body),
  };
}

/** S3 responds with `AccessDenied` if the URL has expired, and `ExpiredToken` if its key has. */
function isExpiry({ status, code }: StorageError): boolean {
  return status === 403 || code === 'ExpiredToken';
}

/** Finds the file with an id in groups of files, at any depth. */
function findFile(groups: unknown, id: string): object | undefined {
  if (typeof groups !== 'object' || groups === null) return undefined;
  if ('urls' in groups) return 'id' in groups && groups.id === id ? groups : undefined;
  for (const member of Object.values(groups)) {
    const file = findFile(member, id);
    if (file) return file;
  }
  return undefined;
}

function urlOf(file: object | undefined, kind: PropertyKey): string | undefined {
  const { urls }: { urls?: Partial<Record<PropertyKey, unknown>> } = file ?? {};
  const url = urls?.[kind];
  return typeof url === 'string' ? url : undefined;
}
