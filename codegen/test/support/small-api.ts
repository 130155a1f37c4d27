import { stringify } from 'yaml';
import { compareSpecs } from '../../src/diff/compare/compare-specs.js';
import { formatFragment, type JsonObject } from '../../src/document/json.js';
import { readDocument } from '../../src/document/read-document.js';
import { readOpenApi } from '../../src/openapi/openapi-object.js';

/** Returns an interface with one operation, `call`, that any OpenAPI 3.1 document could have. */
export function api(operation: JsonObject, schemas: JsonObject = {}, more: JsonObject = {}) {
  const paths = { '/call': { post: { operationId: 'call', ...operation } } };
  const outcome = readDocument(stringify({ paths, components: { schemas }, ...more }));
  if (!outcome.ok) throw new Error('The document cannot be read');
  return readOpenApi(outcome.value);
}

/** Two interfaces, and the changes from the first to the second. */
export type Edited = readonly [
  before: ReturnType<typeof api>,
  after: ReturnType<typeof api>,
  ...changes: string[],
];

/** Returns the changes between two interfaces, as `major The text.` */
export function changes(before: ReturnType<typeof api>, after: ReturnType<typeof api>): string[] {
  return compareSpecs(before, after).map(({ weight, text }) => `${weight} ${text}`);
}

/** Returns the changes between two interfaces, with their places and the calls they concern. */
export function reported(before: ReturnType<typeof api>, after: ReturnType<typeof api>): string[] {
  return compareSpecs(before, after).map(({ weight, text, kind = '', isOfClient, node, uses }) => {
    const place = `${node.document === before.root.document ? 'old' : ''}${formatFragment(node.path)}`;
    const calls = uses.map((use) => JSON.stringify(use));
    return [weight, text, kind, isOfClient ? 'client' : '', place, ...calls]
      .filter((part) => part !== '')
      .join(' ');
  });
}

export const returning = (schema: JsonObject) => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});

export const taking = (schema: JsonObject) => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});
