import { operations } from '@adx/contract';
import { describeOperation, requestSpec } from '@adx/contract/requests';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';

const { path } = operations.getToken;
const signIn = spec.paths[path]?.post ?? expect.fail('There is no sign-in');
const { requestBody } = signIn;

test.each([
  ['in its operation', {}, requestBody],
  ['by reference', { Token: requestBody }, { $ref: '#/components/requestBodies/Token' }],
])('D-05 the forms of a body are known if the spec has it %s', (_, requestBodies, described) => {
  const paths = { [path]: { post: { ...signIn, ...(described && { requestBody: described }) } } };
  const document = { paths, components: { ...spec.components, requestBodies } };
  const { requestBody: body } = describeOperation(operations.getToken, document);
  expect(body?.schema.oneOf?.map(({ required }) => required)).toEqual([
    ['username', 'password'],
    ['refreshToken'],
  ]);
});

test('D-05 the validator compiles requests only: it gets no response, and no component that only responses have', () => {
  const { paths, components } = requestSpec();
  expect(Object.keys(paths)).toEqual(Object.keys(spec.paths));
  expect(paths[path].post).toMatchObject({ operationId: 'getToken', responses: {} });
  expect(Object.keys(components).sort()).toEqual(['parameters', 'schemas', 'securitySchemes']);
  expect(components.schemas).not.toHaveProperty('Tokens');
  // Nor does it look up the schema of a body or a parameter for each request.
  expect(JSON.stringify(paths)).not.toMatch(/"schema":\{"\$ref"/);
  const missing = [...JSON.stringify({ paths, components }).matchAll(/"#\/components\/([^"]+)"/g)]
    .map(([, place = '']) => place.split('/'))
    .filter(([section = '', name = '']) => components[section]?.[name] === undefined);
  expect(missing).toEqual([]);
});
