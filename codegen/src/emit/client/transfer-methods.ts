import type { Download, Operation, Upload } from '../../model/api-model.js';
import { className } from '../../model/names.js';
import { jsDoc, wrap } from '../text/comment.js';
import { contractType, quote } from '../text/typescript.js';

/** The method that downloads a file of a list, in addition to the list itself. */
export function downloadMethod(operation: Operation, download: Download): string {
  const { id, client } = operation;
  const { method, kind } = download;
  const file = contractType(download.file);
  // Loaded on the first call, so that programs that transfer no files do not load it.
  return `${downloadComment(operation, download)}  async ${method}(
    file: ${file},
    options?: DownloadOptions<${file}>,
  ): Promise<Download> {
    const { downloadFile } = await import('../core/files/download.js');
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
      ...wrap(`Downloads a file of *${summary}*.`),
      '',
      ...wrap(
        'The content comes from the object storage by a presigned URL, which gets neither the API ' +
          'key nor the ID token. If the URL has expired, or if the PDF was not listed, the file is ' +
          'listed again. Resolves when the response begins. The content must have the announced ' +
          'length.',
      ),
      '',
      ...wrap('@param file A file as the list returned it.'),
      ...wrap('@param options Can ask for the PDF (`kind`), cancel the call or limit its time.'),
      '@returns The name, the size and the content.',
      '@throws {StorageError} If the storage refuses.',
      '@throws {NetworkError} If the storage does not respond, or if the download is interrupted.',
      '@throws {NotFoundError} If the file is no longer listed, or has no PDF.',
      '@throws {ApiError} If listing the file again fails.',
      '@example',
      '```ts',
      `const { fileName, bytes } = await client.${client.resource}.${method}(file);`,
      'await writeFile(fileName, await bytes());',
      '```',
    ],
    '  ',
  );
}

/** The method that uploads a file, in addition to the method that gets the credentials. */
export function uploadMethod(
  operation: Operation,
  { method, list, get }: Upload,
  operations: readonly Operation[],
): string {
  const { id, client } = operation;
  const named = (name: string) => {
    const found = operations.find((each) => each.id === name);
    if (!found) throw new Error(`There is no operation ${name}`);
    const { resource } = found.client;
    return { ...found, call: `new ${className(resource)}(this.#caller).${found.client.method}` };
  };
  const outcome = named(get);
  // Loaded on the first call, so that programs that transfer no files do not load it.
  return `${uploadComment(operation, outcome, method)}  async ${method}(
    content: UploadContent,
    fileName: string,
    options?: CallOptions,
  ): Promise<Upload<${contractType(outcome.success.type)}>> {
    const { uploadFile } = await import('../core/files/upload.js');
    return uploadFile(
      this.#caller,
      ${quote(id)},
      () => this.${client.method}(),
      {
        operation: ${quote(list)},
        list: (body, call) => ${named(list).call}(body, call),
        get: (id, call) => ${outcome.call}(id, call),
      },
      content,
      fileName,
      options,
    );
  }
`;
}

function uploadComment({ client, summary }: Operation, outcome: Operation, method: string): string {
  return jsDoc(
    [
      ...wrap(`Uploads a file with the credentials of *${summary}*.`),
      '',
      ...wrap(
        'The client requests the credentials once and keeps them until 5 minutes before they ' +
          'expire. It reads a stream to its end before it sends it; a stream may have at most ' +
          '25 MiB. Every upload gets its own key, which ends in the file name.',
      ),
      '',
      ...wrap(
        `Resolves when the storage has the file. \`outcome()\` then waits until the service has read ` +
          `it, and returns what *${outcome.summary}* does.`,
      ),
      '',
      ...wrap('@param content The file.'),
      ...wrap('@param fileName Its name. Characters that are unsafe in a key are replaced.'),
      ...wrap('@param options Can cancel the upload or limit the time of each attempt.'),
      '@returns The bucket and the key of the object, and its outcome.',
      '@throws {StorageError} If the storage refuses.',
      '@throws {NetworkError} If the storage does not respond.',
      '@throws {ApiError} If the service issues no credentials.',
      '@throws {RangeError} If a stream has more than 25 MiB.',
      '@throws {TypeError} If the client does not know where the storage is.',
      '@example',
      '```ts',
      `const upload = await client.${client.resource}.${method}(content, fileName);`,
      'console.log(await upload.outcome());',
      '```',
    ],
    '  ',
  );
}
