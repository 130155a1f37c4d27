import { operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { bodyAlternatives } from '../../../src/http/validation/operation-validator.js';
import { requestSpec } from '../../../src/http/validation/request-spec.js';

const { path } = operations.getToken;
const signIn = spec.paths[path]?.post ?? expect.fail('There is no sign-in');
const { requestBody } = signIn;

test.each([
  ['in its operation', {}, requestBody],
  ['by reference', { Token: requestBody }, { $ref: '#/components/requestBodies/Token' }],
])('D-05 the forms of a body are counted if the spec has it %s', (_, requestBodies, described) => {
  const paths = { [path]: { post: { ...signIn, ...(described && { requestBody: described }) } } };
  const document = { paths, components: { ...spec.components, requestBodies } };
  expect(bodyAlternatives(operations.getToken, document)).toBe(2);
});

test('D-05 a body without alternatives has one form', () => {
  expect(bodyAlternatives(operations.createCustomer)).toBe(1);
  expect(bodyAlternatives(operations.getCustomer)).toBe(1);
});

test('D-05 the validator compiles requests only: it gets no response, and no component that only responses have', () => {
  const { paths, components } = requestSpec(spec);
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
