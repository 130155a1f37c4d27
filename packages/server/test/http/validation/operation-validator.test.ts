import { operations } from '@adx/contract';
import { spec } from '@adx/contract/spec';
import { expect, test } from 'vitest';
import { bodyAlternatives } from '../../../src/http/validation/operation-validator.js';

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
