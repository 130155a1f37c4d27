import { headerTexts, queryPairs } from '../../../runtime/caller.js';
import type { JsonValue } from '../../document/json.js';
import type { Operation } from '../../model/api-model.js';

/**
 * A call of an operation with the sample values of the spec. Its sample follows no redirect, which
 * would send the key to another host.
 */
export interface SampleRequest {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** In JSON: another body has no sample. */
  readonly body: JsonValue | undefined;
}

export function sampleRequest(operation: Operation, baseUrl: string): SampleRequest {
  const { method, headers, credentials, body } = operation;
  const required = (headers?.parameters ?? []).filter(({ isRequired }) => isRequired);
  return {
    method: method.toUpperCase(),
    url: baseUrl + samplePath(operation),
    headers: [
      ['x-api-key', '<API_KEY>'],
      ...Object.entries(
        headerTexts(Object.fromEntries(required.map(({ name, sample }) => [name, sample]))),
      ),
      ...(credentials?.requiresIdToken ? [['authorization', 'Bearer <ID_TOKEN>'] as const] : []),
      ...(body ? [['content-type', 'application/json'] as const] : []),
    ],
    body: body?.sample,
  };
}

function samplePath({ path, pathParameters, query }: Operation): string {
  const address = pathParameters.reduce(
    (text, { name, sample }) => text.replace(`{${name}}`, encodeURIComponent(String(sample))),
    path,
  );
  const pairs = (query?.parameters ?? []).flatMap(({ name, sample, style }) =>
    queryPairs(name, sample, style),
  );
  // Brackets are a pattern to curl.
  const search = pairs.join('&').replaceAll(/[[\]]/g, encodeURIComponent);
  return search === '' ? address : `${address}?${search}`;
}
