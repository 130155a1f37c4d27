import type { Operation } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/js-doc.js';
import { quote } from '../text/names.js';

const width = 92;

/** The method that uploads a file, beside the method that gets the credentials for it. */
export function uploadMethod(
  operation: Operation,
  { method }: NonNullable<Operation['upload']>,
): string {
  const { id, client } = operation;
  // Loaded when first called: who transfers no files does not load it.
  return `${comment(operation, method)}  async ${method}(
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

function comment({ client, summary }: Operation, method: string): string {
  return jsDoc(
    [
      ...wrap(`Uploads a file with what *${summary}* gives.`, width),
      '',
      ...wrap(
        'The credentials are asked for once and kept until 5 minutes before they expire. A stream ' +
          'is read to its end before it is sent, and may have 25 MiB. Every upload gets a key of ' +
          'its own, which ends in the file name. Needs `storageUrl` or `storageRegion` of ' +
          '`createClient`.',
        width,
      ),
      '',
      ...wrap('@param content The file.', width),
      ...wrap('@param fileName Its name; what is unsafe in a key is replaced.', width),
      ...wrap('@param options Cancels the upload, or limits the time of each attempt.', width),
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
