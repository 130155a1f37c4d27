import { type OperationId, operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { FuzzTarget } from '../../support/fuzz-target.js';
import { bodySchema } from '../../support/well-formed.js';
import { mutation, textMutation } from './mutations.js';
import { arbitraryOf } from './schema-arbitrary.js';

/** A generated call. {@link isValidBody} tells if it is valid. */
interface GeneratedCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: string | null;
}

const pathText = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[0-9a-f]{24}$/) },
  fc.constantFrom(
    '***other***',
    'sdworx',
    'BE71 0961 2345 6769',
    '%',
    "'",
    ' ',
    '\u0000',
    '__proto__',
  ),
  // `.` and `..` would change the path of the URL.
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 80 })
    .filter((text) => !/^\.{1,2}$/.test(text)),
);

export function generatedCall(
  target: FuzzTarget,
  operationId: OperationId,
): fc.Arbitrary<GeneratedCall> {
  const { pathParameters } = operations[operationId];
  const path = fc.record(
    Object.fromEntries(
      pathParameters.map((name) => [
        name,
        fc.oneof(fc.constant(target.parameters[name] ?? ''), pathText),
      ]),
    ),
  ) as fc.Arbitrary<Record<string, string>>;
  const query = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    fc.webQueryParameters({ size: 'small' }).map((text) => `?${text}`),
  );
  return fc.record({ path, query, body: bodyText(operationId) });
}

function bodyText(operationId: OperationId): fc.Arbitrary<string | null> {
  const schema = bodySchema(operationId);
  if (schema === undefined) return fc.constant(null);
  const valid = arbitraryOf(schema);
  const text = (value: unknown) => JSON.stringify(value) ?? '';
  return fc.oneof(
    { weight: 4, arbitrary: valid.map(text) },
    {
      weight: 6,
      arbitrary: fc.tuple(valid, mutation).map(([value, mutate]) => text(mutate(value))),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(valid.map(text), textMutation).map(([value, mutate]) => mutate(value)),
    },
  );
}

const ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(spec, 'openapi');
const validators = new Map<OperationId, ValidateFunction>();

/** Returns true if every range begins before it ends (D-08), which no schema says. */
function holdsReversedRange(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).some((range) => range?.from > range?.to);
}

/** Returns true if a text holds half of a surrogate pair (D-05), which no schema says. */
function holdsLoneSurrogate(body: unknown): boolean {
  if (typeof body === 'string') return !body.isWellFormed();
  return Object.values(body ?? {}).some(holdsLoneSurrogate);
}

/** Returns true if the spec allows the body. The service must agree. */
export function isValidBody(operationId: OperationId, text: string): boolean {
  try {
    // Sending as UTF-8 replaces lone surrogates.
    const body: unknown = JSON.parse(text.toWellFormed());
    const isValid = findingsIn(operationId, body) === 0;
    return isValid && !holdsReversedRange(body) && !holdsLoneSurrogate(body);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function findingsIn(operationId: OperationId, body: unknown): number {
  const { method, path } = operations[operationId];
  const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`;
  const validate =
    validators.get(operationId) ?? ajv.compile({ $ref: `openapi${encodeURI(pointer)}` });
  validators.set(operationId, validate);
  return validate(body) ? 0 : (validate.errors?.length ?? 0);
}
