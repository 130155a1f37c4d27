import { isJsonObject, type JsonValue } from '../../document/json.js';
import type { Operation, Success, TypeReference } from '../../model/api-model.js';
import { camelCase, reservedWords } from '../../model/names.js';
import { lineWidth, literal, quote } from '../text/typescript.js';

const sampleWidth = 80;

/** A call of an operation with `client`, with the spec's sample values. */
export function exampleCall(operation: Operation): string {
  const { client, success } = operation;
  const call = `client.${client.resource}.${client.method}`;
  if (success.record) {
    const record = recordName(success.record);
    const start = `for await (const ${record} of ${call}(`;
    const end = `)) {\n  console.log(${record});\n}`;
    return start + exampleArguments(operation, start.length) + end;
  }
  const start = `const ${resultName(success)} = await ${call}(`;
  return `${start}${exampleArguments(operation, start.length)});`;
}

/** @param before the number of characters before the arguments on their line */
function exampleArguments({ pathParameters, body, success }: Operation, before: number): string {
  const path = pathParameters.map(({ sample }) => quote(sample));
  if (!body) return path.join(', ');
  const sample = success.record ? withoutPaging(body.sample) : body.sample;
  const isNothing = isJsonObject(sample) && Object.keys(sample).length === 0;
  if (isNothing && body.isOptional) return path.join(', ');
  // The documentation shows samples in a narrow column.
  const taken = before + path.join(', ').length + lineWidth - sampleWidth;
  return [...path, literal(sample, '', taken)].join(', ');
}

/** An example that iterates over all records needs no paging. */
function withoutPaging(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const { limit: _limit, offset: _offset, ...filters } = body;
  return filters;
}

/** The variable for the result, in an example of a call that is not paginated. */
export function resultName({ type }: Success): string {
  return variableName(type);
}

/** The variable for a record, in an example of a list. */
export function recordName(record: TypeReference): string {
  return variableName(record);
}

/** `customer` for a `Customer`, `customers` for a list of them. */
function variableName(type: TypeReference): string {
  if (type.kind === 'array') return `${variableName(type.items)}s`;
  if (type.kind !== 'model') return 'result';
  const name = camelCase(type.name);
  return reservedWords.has(name) || name === 'client' ? 'result' : name;
}
