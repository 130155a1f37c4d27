import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { seededRandom } from '../../../packages/server/test/support/seeded-random.js';
import type { JsonObject, JsonValue } from '../../src/document/json.js';
import { isJsonArray, isJsonObject } from '../../src/document/json.js';
import { quote } from '../../src/emit/text/typescript.js';
import { renderSchemaTypes } from '../../src/libraries/schema-types.js';
import { withChosenAlternatives } from '../../src/openapi/discriminator.js';
import { typeCheck } from '../support/type-check.js';
import { named, RandomSchemas } from './random-schemas.js';
import { refusesUnknownMembers, sayable, sayableOfLiterals } from './unsayable.js';

const valuesOfSchema = 6;
const schemasOfFile = 200;

export interface Tally {
  schemas: number;
  values: number;
  valid: number;
  compiled: number;
  /** Values of schemas whose types are compared in both directions. */
  exact: number;
}

/** Checks types against the validator. Returns the disagreements, each with its seed. */
export function checkTypes(root: string, first: number, count: number) {
  const tally: Tally = { schemas: 0, values: 0, valid: 0, compiled: 0, exact: 0 };
  const files: string[] = [];
  const cases = new Map<string, Case>();
  for (let seed = first; seed < first + count; seed += schemasOfFile) {
    const size = Math.min(schemasOfFile, first + count - seed);
    const schemas = schemasFrom(seed, size);
    const name = `f${seed}`;
    writeFileSync(join(root, `${name}.types.ts`), renderSchemaTypes(documentOf(schemas)));
    const lines = [`import type { components } from './${name}.types.js';`];
    for (const each of casesOf(schemas, seed)) {
      const value = expressionOf(each.value);
      lines.push(
        `export const v${lines.length}: components['schemas']['${each.name}'] = ${value};`,
      );
      cases.set(`${name}.ts(${lines.length})`, each);
      tally.values += 1;
    }
    writeFileSync(join(root, `${name}.ts`), lines.join('\n'));
    files.push(`${name}.ts`);
    tally.schemas += size;
  }
  const refused = new Map(
    typeCheck(root, files).map((line) => [line.slice(0, line.indexOf(': ')), line] as const),
  );
  const disagreements = [...refused]
    .filter(([place]) => !cases.has(place))
    .map(([, message]) => message);
  for (const [place, { schema, value, isValid, isSaid, isSaidOpenly }] of cases) {
    const message = refused.get(place);
    const compiles = message === undefined;
    const isExact = refusesUnknownMembers(schema);
    tally.valid += isValid ? 1 : 0;
    tally.compiled += compiles ? 1 : 0;
    tally.exact += isExact ? 1 : 0;
    const agrees = compiles
      ? isSaidOpenly && (isSaid || isValid || !isExact)
      : !(isValid && isSaid);
    if (agrees) continue;
    disagreements.push(
      `${place} ${JSON.stringify(value)} ${message ?? 'compiles'} BY ${JSON.stringify(schema)}`,
    );
  }
  return { disagreements, tally };
}

/** Writes a value on one line. Without `as` the compiler takes some `'red'` for any string. */
function expressionOf(value: JsonValue): string {
  if (isJsonArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    const type = isPlain ? ` as ${JSON.stringify(value)}` : '';
    return `[${value.map(expressionOf).join(', ')}]${type}`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${quote(name)}: ${expressionOf(member)}`,
    );
    return `{ ${members.join(', ')} }`;
  }
  if (value === null) return 'null';
  return `${typeof value === 'string' ? quote(value) : value} as const`;
}

type Schemas = Readonly<Record<string, JsonValue>>;

interface Case {
  readonly name: string;
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly isValid: boolean;
  /** True if the type of the schema allows the value as a literal, and as a variable. */
  readonly isSaid: boolean;
  readonly isSaidOpenly: boolean;
}

export function schemasFrom(seed: number, size: number): Schemas {
  const random = Array.from({ length: size }, (_, index) => {
    const schema = new RandomSchemas(seededRandom(seed + index)).schema(3);
    return [`S${seed + index}`, schema];
  });
  return { ...named, ...Object.fromEntries(random) };
}

function* casesOf(schemas: Schemas, seed: number): Generator<Case> {
  const validators = [
    validatorOf(documentOf(schemas)),
    validatorOf(documentOf(mapped(schemas, sayable))),
    validatorOf(documentOf(withoutLoops(mapped(schemas, sayableOfLiterals))), true),
  ];
  for (const [index, [name, schema]] of Object.entries(schemas).entries()) {
    const [accepts, saysOpenly, says] = validators.map((validatorOfName) => validatorOfName(name));
    const source = new RandomSchemas(seededRandom(-seed - index));
    for (let round = 0; round < valuesOfSchema; round += 1) {
      const value = source.value(schema);
      const isValid = accepts?.(value) === true;
      const isSaid = says?.(value) === true;
      const isSaidOpenly = saysOpenly?.(value) === true;
      yield { name, schema, value, isValid, isSaid, isSaidOpenly };
    }
  }
}

function mapped(schemas: Schemas, change: (schema: JsonValue) => JsonValue): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, change(each)]));
}

/**
 * Gives the schemas of items and other members names of their own: by `unevaluatedProperties`, Ajv
 * takes what it has evaluated in one item as evaluated in the next ones.
 */
function withoutLoops(schemas: Schemas): Schemas {
  const items: Record<string, JsonValue> = {};
  const others = JSON.parse(JSON.stringify(schemas), (key, value) => {
    if (!['items', 'additionalProperties'].includes(key) || !isJsonObject(value)) return value;
    const name = `Items${Object.keys(items).length}`;
    items[name] = value;
    return { $ref: `#/components/schemas/${name}` };
  });
  return { ...others, ...items };
}

export function documentOf(schemas: Schemas): JsonObject {
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, components: { schemas } };
}

/** Validates as the generated server does. */
export function validatorOf(document: JsonObject, isClosed = false) {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true,
    inlineRefs: false,
  });
  ajv.addSchema(withChosenAlternatives(document), 'openapi');
  return (name: string) => {
    const $ref = `openapi#/components/schemas/${name}`;
    return ajv.compile(isClosed ? { $ref, unevaluatedProperties: false } : { $ref });
  };
}
