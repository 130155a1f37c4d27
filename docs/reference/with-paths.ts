import { type Document, mapOperations } from './with-samples.js';

/**
 * Returns the document in which the description of each operation begins with its method and path.
 * On a phone, Redoc itself shows them after all the prose.
 */
export function withPaths(document: Document): Document {
  return mapOperations(document, (operation, method, path) => {
    const call = `**${method.toUpperCase()}** \`${path}\``;
    return { ...operation, description: `${call}\n\n${operation.description ?? ''}` };
  });
}
