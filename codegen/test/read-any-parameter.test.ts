import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { rounds } from '../../test/support/rounds.js';
import type { JsonObject } from '../src/document/json.js';
import { startEcho } from './support/echo-service.js';

const scalar = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'string', minLength: 2 },
  { type: 'string', pattern: '^[a-z]*$' },
  { type: 'string', enum: ['7', 'x', ''] },
  { type: 'integer' },
  { type: 'integer', minimum: 5 },
  { type: 'number', maximum: 5 },
  { type: 'boolean' },
  { type: 'null' },
  { type: ['integer', 'null'] },
  { type: ['boolean', 'string'] },
  { type: ['number', 'string'], enum: [7, '07'] },
  { enum: [7, 'x', null, true] },
  { const: 'true' },
);
const { value: anyValue } = fc.letrec<{ value: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.record({ anyOf: fc.array(tie('value'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('value'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('value'), { minLength: 1, maxLength: 2 }) }),
  ),
}));
const parameter = fc.oneof(
  anyValue,
  anyValue.map((items) => ({ type: 'array', items })),
  fc.tuple(anyValue, anyValue).map(([one, items]) => ({ anyOf: [one, { type: 'array', items }] })),
  fc.tuple(anyValue, anyValue).map(([one, items]) => ({ oneOf: [{ type: 'array', items }, one] })),
);
const texts = ['7', '07', '3.5', '1e1', '', 'x', 'X', 'true', 'null', '0x7', '1e999'];
const sent = [...texts.map((each) => [each]), ['7', 'x'], ['07', 'true', ''], ['3.5', '8']];

/** Returns every value that could have been written as a text. */
function valuesOf(text: string): unknown[] {
  const isNumber = /^-?\d+(\.\d+)?(e\d+)?$/.test(text) && Number.isFinite(Number(text));
  return [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === 'true' ? [true] : []),
    ...(text === '' ? [null] : []),
  ];
}

function everyList([first, ...others]: readonly string[]): unknown[][] {
  if (first === undefined) return [[]];
  return valuesOf(first).flatMap((value) => everyList(others).map((rest) => [value, ...rest]));
}

it('D-42 a parameter of any schema is a value that the schema allows and that was sent, if there is one', async () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const schemas = fc.sample(parameter, rounds({ short: 20, all: 300 }));
  const call = await startEcho(
    Object.fromEntries(
      schemas.map((schema, index) => [
        `get /${index}`,
        { parameters: [{ name: 'p', in: 'query', schema }] },
      ]),
    ),
    {},
    onTestFinished,
  );
  for (const [index, schema] of schemas.entries()) {
    const isValid = ajv.compile(schema);
    for (const items of sent) {
      const [only] = items.length === 1 ? items : [];
      const possible = [...everyList(items), ...(only === undefined ? [] : valuesOf(only))];
      const allowed = possible.filter((value) => isValid(value));
      const answer = await call(`/${index}?${items.map((item) => `p=${item}`).join('&')}`);
      const context = JSON.stringify({ schema, items, answer });
      expect(answer.status, context).toBe(allowed.length > 0 ? 200 : 400);
      if (answer.status === 200) expect(allowed, context).toContainEqual(answer.query?.['p']);
    }
  }
});
