import type { Download, Operation } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/js-doc.js';
import { quote } from '../text/names.js';
import { typeText } from '../text/type-text.js';

const width = 92;

/** The method that downloads a file of a listing, beside the method that lists. */
export function downloadMethod(operation: Operation, download: Download): string {
  const { id, client } = operation;
  const { method, kind } = download;
  const file = typeText(download.file);
  // Loaded when first called: who transfers no files does not load it.
  return `${comment(operation, download)}  async ${method}(
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

function comment({ client, summary }: Operation, { method }: Download): string {
  return jsDoc(
    [
      ...wrap(`Downloads a file that *${summary}* lists.`, width),
      '',
      ...wrap(
        'The content comes from the object storage, by a pre-signed URL: neither API key nor ID ' +
          'token is sent there. A URL that has expired, or one of a PDF that was not listed, is ' +
          'asked for by listing the file again. Resolves when the answer begins; what is then ' +
          'read is held against the length announced.',
        width,
      ),
      '',
      ...wrap('@param file A file of the listing, as it was listed.', width),
      ...wrap('@param options The PDF (`kind`); cancels the call, or limits its time.', width),
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
