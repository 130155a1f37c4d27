import { describeOperation } from '@adx/contract/requests';
import type { SpecParameter, SpecSchema } from '@adx/contract/spec';
import { expect, test } from 'vitest';

/** The parts that one operation may have in the spec. */
interface Described {
  readonly body?: SpecSchema;
  readonly schemas?: Readonly<Record<string, SpecSchema>>;
  readonly parameters?: readonly SpecParameter[];
  readonly ofPath?: readonly SpecParameter[];
}

function describe({ body = {}, schemas = {}, parameters = [], ofPath = [] }: Described) {
  const operation = {
    ...{ operationId: 'doIt', summary: '', description: '', responses: {}, parameters },
    requestBody: { content: { 'application/json': { schema: body } } },
  };
  const paths = { '/it': { post: operation, parameters: ofPath } };
  const doIt = { path: '/it', method: 'post' } as const;
  const { requestBody, parameters: described } = describeOperation(doIt, {
    paths,
    components: { schemas },
  });
  return { body: requestBody ?? expect.fail('There is no body'), parameters: described };
}

const one = (name: string): SpecSchema => ({ $ref: `#/components/schemas/${name}` });

test('OpenAPI 3.1 §4.8.10 an operation declares a parameter of its path anew', () => {
  const id = { name: 'id', in: 'query', schema: { type: 'string' } };
  const { parameters } = describe({
    ofPath: [id, { ...id, name: 'other', deprecated: true }],
    parameters: [{ ...id, required: true, example: 'x' }],
  });
  expect(parameters).toMatchObject([
    { name: 'id', isRequired: true, value: { schema: { type: 'string', examples: ['x'] } } },
    { name: 'other', isRequired: false, isDeprecated: true },
  ]);
});

test('D-05 a field is known if any form of the body has it, behind references and beside them', () => {
  const schemas = {
    Range: { properties: { from: { type: 'string', maxLength: 3 } } },
    Form: { ...one('Range'), properties: { from: { pattern: 'x' }, to: {} } },
  };
  const { body } = describe({ body: { oneOf: [one('Form'), { type: 'null' }] }, schemas });
  expect(body.hasFields).toBe(true);
  const from = body.field('from')?.forms ?? [];
  expect(from).toContainEqual({ pattern: 'x' });
  expect(from).toContainEqual({ type: 'string', maxLength: 3 });
  expect(body.field('to')).toBeDefined();
  expect(body.field('toString')).toBeUndefined();
  expect(JSON.stringify(body.schema)).not.toContain('$ref');
});

test('D-69 a list has the most items that any of its forms allows', () => {
  const list = (maxItems?: number): SpecSchema => ({
    ...{ type: 'array', items: { properties: { a: {} } } },
    ...(maxItems !== undefined && { maxItems }),
  });
  expect(describe({ body: { anyOf: [list(2), list(5)] } }).body.maxItems).toBe(5);
  expect(describe({ body: { anyOf: [list(2), list()] } }).body.maxItems).toBe(Infinity);
  expect(describe({ body: { type: 'object' } }).body.maxItems).toBeUndefined();
  expect(
    describe({ body: list(2) })
      .body.items()
      .field('a'),
  ).toBeDefined();
});

test('D-05 a schema that contains itself is described at every depth', () => {
  const Tree = { properties: { children: { type: 'array', items: one('Tree') }, name: {} } };
  let { body } = describe({ body: one('Tree'), schemas: { Tree } });
  for (let depth = 0; depth < 5; depth += 1) {
    expect(body.field('name')).toBeDefined();
    body = body.field('children')?.items() ?? expect.fail('There are no children');
  }
});
