import { type OperationId, operations } from '@adx/contract';
import { type DescribedParameter, describeOperation } from '@adx/contract/requests';
import { type SpecSchema, spec } from '@adx/contract/spec';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { newEnterpriseNumber } from './numbers.js';

// Calls that follow from the spec and its examples, so that a new operation or field is tested
// without being named in a test.

/** The parameters and the body that a test sends; both are as the spec asks if they are absent. */
interface CallParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

const described = new Map<OperationId, readonly DescribedParameter[]>();

/** Returns the parameters of an operation, with their schemas. */
export function parametersOf(operationId: OperationId): readonly DescribedParameter[] {
  const parameters =
    described.get(operationId) ?? describeOperation(operations[operationId]).parameters;
  described.set(operationId, parameters);
  return parameters;
}

/** Returns the examples of the parameters that an operation requires, by their names. */
export function wellFormedParameters(
  operationId: OperationId,
  place: DescribedParameter['in'],
): Record<string, string> {
  const required = parametersOf(operationId).filter(
    (parameter) => parameter.in === place && parameter.isRequired,
  );
  return Object.fromEntries(
    required.map(({ name, value }) => [name, String(exampleOf(value.schema, 'required'))]),
  );
}

/** Returns a query string without its question mark. */
export function wellFormedQuery(operationId: OperationId): string {
  return new URLSearchParams(wellFormedParameters(operationId, 'query')).toString();
}

/**
 * Returns the examples of the fields of a body, with an enterprise number that is unused in this
 * test file.
 */
export function wellFormedBody(
  operationId: OperationId,
  which: 'required' | 'every' = 'required',
): Record<string, unknown> {
  return Object(exampleOf(bodySchema(operationId) ?? {}, which));
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Returns a call with one value that the spec refuses. */
export function malformedCall(operationId: OperationId): CallParts {
  for (const { name, in: place, value } of parametersOf(operationId)) {
    const texts = ['k', '', '\u0000', 'k'.repeat(10_000)];
    const refused = texts.find((text) => !ajv.validate(value.schema, text));
    if (refused === undefined || place === 'header') continue;
    if (place === 'path') return { path: { [name]: refused } };
    const query = { ...wellFormedParameters(operationId, 'query'), [name]: refused };
    return { query: new URLSearchParams(query).toString() };
  }
  return { body: malformedBody(operationId) };
}

/** Returns a body with one field whose value no schema allows. */
export function malformedBody(operationId: OperationId): object {
  const [field] = Object.keys(wellFormedBody(operationId, 'every'));
  if (field === undefined) {
    throw new Error(
      `${operationId} takes nothing that can be malformed. If the spec refuses some value of a parameter, add such a text to malformedCall in test/support/well-formed.ts; otherwise remove validationFailed from the operation in openapi.yaml.`,
    );
  }
  return { ...wellFormedBody(operationId), [field]: [[]] };
}

export function bodySchema(operationId: OperationId): SpecSchema | undefined {
  const { method, path } = operations[operationId];
  return spec.paths[path]?.[method]?.requestBody?.content?.['application/json']?.schema;
}

export function resolved(schema: SpecSchema): SpecSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const target = spec.components.schemas[name];
  if (target === undefined) throw new Error(`There is no schema ${name}`);
  return target;
}

/** Returns the example of a schema, and of an object one with fields. */
export function exampleOf(schema: SpecSchema, which: 'required' | 'every', name = ''): unknown {
  if (name === 'enterpriseNumber') return newEnterpriseNumber();
  const { examples, properties, required = [], items, oneOf, enum: values } = resolved(schema);
  if (Array.isArray(examples)) return examples[0];
  if (values !== undefined) return values[0];
  // The form with the fewest fields: a refresh token, where a user could sign in too.
  const [form] = (oneOf ?? []).map(resolved).sort((one, other) => sizeOf(one) - sizeOf(other));
  if (form !== undefined) return exampleOf(form, which);
  if (items !== undefined) return [exampleOf(items, which)];
  const fields = Object.entries(properties ?? {}).filter(
    ([field]) => which === 'every' || required.includes(field),
  );
  return Object.fromEntries(
    fields.map(([field, child]) => [field, exampleOf(child, which, field)]),
  );
}

const sizeOf = ({ properties = {} }: SpecSchema) => Object.keys(properties).length;
