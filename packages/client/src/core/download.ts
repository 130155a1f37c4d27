import type { OperationId } from '@adx/contract';
import type { StorageError } from '../errors.js';
import type { Caller, CallOptions } from './call.js';
import { checkedBody } from './checked-body.js';
import { readBytes } from './read-bytes.js';
import { requestStorage } from './request-storage.js';

/** A file of a listing: what it is found by, and its pre-signed URLs by kind. */
export interface ListedFile {
  readonly id: string;
  readonly fileName: string;
  readonly statementDate: string;
  readonly statementNumber: number;
  readonly urls: object;
}

/** Which form of a file to download, and the options of a call. */
export interface DownloadOptions<File extends ListedFile> extends CallOptions {
  /** `pdf` for the PDF; the file itself where absent. */
  kind?: keyof File['urls'] | undefined;
}

/** A download whose answer has begun. Its content can be taken once: as bytes, or as a stream. */
export interface Download {
  /** That of the listing, or with `.pdf` at its end. */
  readonly fileName: string;
  /** Bytes the content has. */
  readonly size: number;
  /**
   * The content as it arrives. It fails with a `NetworkError` where the connection ends early, and
   * with a `TimeoutError` where nothing comes for `timeoutMs`. What is not read has to be cancelled.
   */
  readonly body: ReadableStream<Uint8Array>;
  /** The whole content, or the failure of `body`. */
  bytes(): Promise<Uint8Array>;
}

/** The filters that list one file again, with those of the same number and date. */
interface SameFile {
  redownload: true;
  includePdf: boolean;
  statementDate: { from: string; to: string };
  statementNumber: { from: number; to: number };
}

/**
 * Downloads a file of a listing from the object storage.
 *
 * @param operation the one that lists
 * @param ownKind the kind of URL that every listing holds
 * @param list lists again: for a URL in place of one that has expired, or of a kind not listed
 */
export async function downloadFile<File extends ListedFile>(
  caller: Caller,
  operation: OperationId,
  ownKind: keyof File['urls'] & string,
  list: (body: SameFile, options: CallOptions) => Promise<readonly object[]>,
  file: File,
  { kind = ownKind, ...options }: DownloadOptions<File> = {},
): Promise<Download> {
  const { id, fileName, statementDate, statementNumber, urls } = file;

  async function newUrl(): Promise<string> {
    const body: SameFile = {
      redownload: true,
      includePdf: kind !== ownKind,
      statementDate: { from: statementDate, to: statementDate },
      statementNumber: { from: statementNumber, to: statementNumber },
    };
    const url = urlOf(findFile(await list(body, options), id), kind);
    if (url) return url;
    const facts = { status: 404, code: undefined, fields: [], details: [] };
    throw new caller.errors.NotFoundError(operation, `${fileName} is no longer listed`, {
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
        // Compressed on the way, the content would not have the length that is announced.
        const headers = { 'accept-encoding': 'identity' };
        return requestStorage(caller, operation, url, { headers, signal });
      },
      options,
    );

  const listed = urlOf({ urls }, kind);
  const url = listed && !hasExpired(listed) ? listed : await newUrl();
  const response = await request(url).catch(async (error: unknown) => {
    const isRefusal = error instanceof caller.errors.StorageError;
    if (url !== listed || !isRefusal || !isExpiry(error)) throw error;
    return request(await newUrl());
  });

  const { headers } = response;
  const announced = headers.get('content-encoding') ? null : headers.get('content-length');
  if (announced === null) {
    await response.body?.cancel();
    throw new caller.errors.NetworkError(operation, 'the storage did not say how long the file is');
  }
  const size = Number(announced);
  const body = checkedBody(caller, operation, response.body, size, options);
  return {
    fileName: kind === ownKind ? fileName : `${fileName.replace(/\.[^.]*$/, '')}.${String(kind)}`,
    size,
    body,
    bytes: () => readBytes(body),
  };
}

/** Whether the time of a pre-signed URL is up by this machine's clock. */
function hasExpired(url: string): boolean {
  const { searchParams } = new URL(url);
  const signed = (searchParams.get('X-Amz-Date') ?? '').replace(
    /^(....)(..)(..T..)(..)(..Z)$/,
    '$1-$2-$3:$4:$5',
  );
  // Without a time it is not a number, which is never less.
  return Date.parse(signed) + Number(searchParams.get('X-Amz-Expires')) * 1000 <= Date.now();
}

/** S3 says `AccessDenied` where a URL has expired, and `ExpiredToken` where its key has. */
function isExpiry({ status, code }: StorageError): boolean {
  return status === 403 || code === 'ExpiredToken';
}

/** The file with an `id` among groups of files, however they are nested. */
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
