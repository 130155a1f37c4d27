import type { Operation, Pending } from '../../model/api-model.js';
import { jsDoc, wrap } from '../text/comment.js';
import { contractType } from '../text/typescript.js';

/** The method that goes through the files of a list that are not acknowledged. */
export function pendingMethod(
  operation: Operation,
  { method, acknowledge }: Pending,
  operations: readonly Operation[],
): string {
  const { client, body, download, success } = operation;
  const acknowledging = operations.find(({ id }) => id === acknowledge);
  if (!body || !download || success.type.kind !== 'array' || !acknowledging) {
    throw new Error(`${operation.id} is not a list of files that can be acknowledged`);
  }
  // Loaded on the first call, so that programs that transfer no files do not load it.
  return `${comment(operation, acknowledging, method)}  async *${method}(
    options?: PendingOptions<${contractType(body.contents[0].type)}>,
  ): AsyncIterableIterator<PendingFile<${contractType(download.file)}, ${contractType(success.type.items)}>> {
    const { pendingFiles } = await import('../core/files/pending.js');
    yield* pendingFiles(
      {
        list: (body, call) => this.${client.method}(body, call),
        acknowledge: (body, call) => this.${acknowledging.client.method}(body, call),
        download: (file, call) => this.${download.method}(file, call),
      },
      options,
    );
  }
`;
}

function comment({ client, summary }: Operation, acknowledging: Operation, method: string): string {
  return jsDoc(
    [
      ...wrap(`Goes through the files of *${summary}* that are not acknowledged, oldest first.`),
      '',
      ...wrap(
        'Store each file, then call its `acknowledge()`: the client acknowledges files in groups, ' +
          `with *${acknowledging.summary}*. A file that was not acknowledged, because the program ended or ` +
          'a call failed, comes again. A file that arrives during the loop comes in this loop or ' +
          'in the next one.',
      ),
      '',
      ...wrap('@param options Filters. Can also cancel the loop or limit the time of each call.'),
      ...wrap(
        '@returns The files, each with its customer, `bytes()`, `save(path)` and `acknowledge()`.',
      ),
      '@throws {ApiError} If listing or acknowledging files fails.',
      '@example',
      '```ts',
      `for await (const file of client.${client.resource}.${method}()) {`,
      '  await file.save(file.fileName);',
      '  file.acknowledge();',
      '}',
      '```',
    ],
    '  ',
  );
}
