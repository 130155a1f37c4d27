import type { Download, Operation } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/comment.js';
import { quote, typeText } from '../text/typescript.js';

/** The method that downloads a file of a listing, beside the method that lists. */
export function downloadMethod(operation: Operation, download: Download): string {
  const { id, client } = operation;
  const { method, kind } = download;
  const file = typeText(download.file);
  // Loaded when first called: who transfers no files does not load it.
  return `${downloadComment(operation, download)}  async ${method}(
    file: ${file},
    options?: DownloadOptions<${file}>,
  ): Promise<Download> {
    const { downloadFile } = await import('../core/download.js');
    return downloadFile(
      this.#caller,
      ${quote(id)},
      ${quote(kind)},
      (body, call) => this.${client.method}(body, call),
      file,
      options,
    );
  }
`;
}

function downloadComment({ client, summary }: Operation, { method }: Download): string {
  return jsDoc(
    [
      ...wrap(`Downloads a file that *${summary}* lists.`),
      '',
      ...wrap(
        'The content comes from the object storage, by a pre-signed URL: neither API key nor ID ' +
          'token is sent there. A URL that has expired, or one of a PDF that was not listed, is ' +
          'asked for by listing the file again. Resolves when the answer begins; what is then ' +
          'read is held against the length announced.',
      ),
      '',
      ...wrap('@param file A file of the listing, as it was listed.'),
      ...wrap('@param options The PDF (`kind`); cancels the call, or limits its time.'),
      '@returns Name, size and content.',
      '@throws {StorageError} The storage refused.',
      '@throws {NetworkError} The storage did not answer, or the content broke off.',
      '@throws {NotFoundError} The file is no longer listed.',
      '@throws {ApiError} Listing again failed.',
      '@example',
      '```ts',
      `const { fileName, bytes } = await client.${client.resource}.${method}(file);`,
      'await writeFile(fileName, await bytes());',
      '```',
    ],
    '  ',
  );
}

/** The method that uploads a file, beside the method that gets the credentials for it. */
export function uploadMethod(
  operation: Operation,
  { method }: NonNullable<Operation['upload']>,
): string {
  const { id, client } = operation;
  // Loaded when first called: who transfers no files does not load it.
  return `${uploadComment(operation, method)}  async ${method}(
    content: UploadContent,
    fileName: string,
    options?: CallOptions,
  ): Promise<Upload> {
    const { uploadFile } = await import('../core/upload.js');
    return uploadFile(
      this.#caller,
      ${quote(id)},
      () => this.${client.method}(),
      content,
      fileName,
      options,
    );
  }
`;
}

function uploadComment({ client, summary }: Operation, method: string): string {
  return jsDoc(
    [
      ...wrap(`Uploads a file with what *${summary}* gives.`),
      '',
      ...wrap(
        'The credentials are asked for once and kept until 5 minutes before they expire. A stream ' +
          'is read to its end before it is sent, and may have 25 MiB. Every upload gets a key of ' +
          'its own, which ends in the file name. Needs `storageUrl` or `storageRegion` of ' +
          '`createClient`.',
      ),
      '',
      ...wrap('@param content The file.'),
      ...wrap('@param fileName Its name; what is unsafe in a key is replaced.'),
      ...wrap('@param options Cancels the upload, or limits the time of each attempt.'),
      '@returns Bucket and key of the object.',
      '@throws {StorageError} The storage refused.',
      '@throws {NetworkError} The storage did not answer.',
      '@throws {ApiError} The service gave no credentials.',
      '@throws {RangeError} A stream has more than 25 MiB.',
      '@throws {TypeError} The client does not know where the storage is.',
      '@example',
      '```ts',
      `const { key } = await client.${client.resource}.${method}(content, fileName);`,
      '```',
    ],
    '  ',
  );
}
