import { isJsonObject, type JsonValue } from '../../document/json.js';
import type { Operation, Parameter, TypeReference } from '../../model/api-model.js';
import { camelCase, reservedWords } from '../../model/names.js';
import { lineWidth, literal, quote } from '../text/typescript.js';

const sampleWidth = 80;

/** Returns a call of an operation with `client`, with the spec's sample values. */
export function exampleCall(operation: Operation): string {
  const { client, success } = operation;
  const call = `client.${client.resource}.${client.method}`;
  if (success.record) {
    const record = variableName(success.record);
    const start = `for await (const ${record} of ${call}(`;
    const end = `)) {\n  console.log(${record});\n}`;
    return start + exampleArguments(operation, start.length) + end;
  }
  const result = success.type.kind === 'nothing' ? '' : `const ${variableName(success.type)} = `;
  const start = `${result}await ${call}(`;
  return `${start}${exampleArguments(operation, start.length)});`;
}

/** @param before the number of characters before the arguments on their line */
function exampleArguments(operation: Operation, before: number): string {
  const path = operation.pathParameters.map(({ sample = null, type }) =>
    typeof sample === 'string' || type.kind === 'string' ? quote(String(sample)) : String(sample),
  );
  // The documentation shows samples in a narrow column.
  const taken = before + path.join(', ').length + lineWidth - sampleWidth;
  const headers = sampleOfAll(operation.headers?.parameters.filter(({ isRequired }) => isRequired));
  const rest = [
    bodySample(operation),
    operation.query && sampleOfAll(operation.query.parameters),
    headers && { headers },
  ];
  // An argument that can be left out is left out, unless another follows.
  const shown = rest.slice(0, rest.findLastIndex((sample) => sample !== undefined) + 1);
  const positions = [operation.body !== undefined, operation.query !== undefined, true];
  const given = shown.filter((_sample, index) => positions[index]);
  return [
    ...path,
    ...given.map((sample) =>
      typeof sample === 'string' ? sample : literal(sample ?? {}, '', taken),
    ),
  ].join(', ');
}

/** Returns a value, or the code of one as a text. */
function bodySample({ body, success }: Operation): JsonValue | undefined {
  if (!body) return undefined;
  const [{ files, type }] = body.contents;
  const { kind } = type;
  if (files !== undefined) return 'form';
  if (kind === 'bytes') return 'content';
  if (kind === 'string') return quote(String(body.sample));
  const sample = success.record ? withoutPaging(body.sample) : body.sample;
  if (typeof sample === 'string') return quote(sample);
  const isNothing = isJsonObject(sample) && Object.keys(sample).length === 0;
  return isNothing && body.isOptional ? undefined : sample;
}

function sampleOfAll(parameters: readonly Parameter[] = []): JsonValue | undefined {
  if (parameters.length === 0) return undefined;
  const shown = parameters.flatMap(({ name, sample }) => {
    return sample === undefined ? [] : [[name, sample] as const];
  });
  return Object.fromEntries(shown);
}

/** An example that iterates over all records needs no paging. */
function withoutPaging(body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return body;
  const { limit: _limit, offset: _offset, ...filters } = body;
  return filters;
}

/** Returns `customer` for a `Customer`, `customers` for a list of them. */
export function variableName(type: TypeReference): string {
  if (type.kind === 'array') return `${variableName(type.items)}s`;
  if (type.kind !== 'model') return 'result';
  const name = camelCase(type.name);
  return reservedWords.has(name) || name === 'client' ? 'result' : name;
}
