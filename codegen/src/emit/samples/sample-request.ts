import { isJsonObject, type JsonValue } from '../../document/json.js';
import type { Operation, RequestBody } from '../../model/api-model.js';
import { bodyKind, isRange } from '../../openapi/media-type.js';

/**
 * A call of an operation with the sample values of the spec. Its sample follows no redirect, which
 * would send the key to another host.
 */
export interface SampleRequest {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: SampleBody | undefined;
  /** True if the answer may be something other than text. */
  readonly answersBytes: boolean;
}

export interface SampleBody {
  readonly mediaType: string;
  /** False if the value is the text of the body itself. */
  readonly isJson: boolean;
  readonly value: JsonValue;
}

/** Returns undefined for a body of bytes or with files, of which the spec has no sample. */
export function sampleRequest(operation: Operation, baseUrl: string): SampleRequest | undefined {
  const { headers, credentials, success } = operation;
  const body = operation.body && sampleBody(operation.body);
  if (operation.body && !body) return undefined;
  const required = (headers?.parameters ?? []).filter(({ isRequired }) => isRequired);
  return {
    method: operation.method.toUpperCase(),
    url: (operation.baseUrl ?? baseUrl) + samplePath(operation),
    headers: [
      ['x-api-key', '<API_KEY>'],
      ...required.map(({ name, sample }) => [name, String(sample)] as const),
      ...(credentials?.requiresIdToken ? [['authorization', 'Bearer <ID_TOKEN>'] as const] : []),
      ...(body ? [['content-type', body.mediaType] as const] : []),
    ],
    body,
    answersBytes: ['bytes', 'union'].includes(success.type.kind),
  };
}

function sampleBody({ contents: [{ mediaType }], sample }: RequestBody): SampleBody | undefined {
  if (isRange(mediaType)) return undefined;
  switch (bodyKind(mediaType)) {
    case 'json':
      return { mediaType, isJson: true, value: sample };
    case 'text':
      return { mediaType, isJson: false, value: String(sample) };
    case 'form':
      return isFlat(sample) ? { mediaType, isJson: false, value: formOf(sample) } : undefined;
    default:
      return undefined;
  }
}

/** Returns true for an object whose members are written in a form as they are. */
function isFlat(value: JsonValue): value is Readonly<Record<string, string | number | boolean>> {
  const isScalar = (member: JsonValue) => member !== null && typeof member !== 'object';
  return isJsonObject(value) && Object.values(value).every(isScalar);
}

function formOf(members: Readonly<Record<string, string | number | boolean>>): string {
  return String(
    new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)])),
  );
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
