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
  /** In JSON, as all bodies of the interface. */
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
      ...required.map(({ name, sample }) => [name, String(sample)] as const),
      ...(credentials?.requiresIdToken ? [['authorization', 'Bearer <ID_TOKEN>'] as const] : []),
      ...(body ? [['content-type', 'application/json'] as const] : []),
    ],
    body: body?.sample,
  };
}

/** A list is sent as one parameter for each item, as by the style `form` (OpenAPI 3.1 §4.8.12). */
function samplePath({ path, pathParameters, query }: Operation): string {
  const address = pathParameters.reduce(
    (text, { name, sample }) => text.replace(`{${name}}`, encodeURIComponent(String(sample))),
    path,
  );
  const pairs = (query?.parameters ?? []).flatMap(({ name, sample = [] }) =>
    [sample]
      .flat()
      .map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`),
  );
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`;
}
