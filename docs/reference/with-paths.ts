import { type Document, mapOperations } from './with-samples.js';

/**
 * Returns the document in which the description of each operation begins with its method and path,
 * which Redoc itself shows after all the prose on a phone, and with a link to "Try it".
 *
 * @param tryIt the page "Try it", from the reference; none for a released version
 */
export function withPaths(document: Document, tryIt: string | undefined): Document {
  return mapOperations(document, ({ description = '', ...operation }, method, path) => {
    const link = tryIt === undefined ? '' : ` · [Try it](${tryIt}#${operation.operationId})`;
    const call = `**${method.toUpperCase()}** \`${path}\`${link}`;
    return { ...operation, description: `${call}\n\n${description}` };
  });
}
