import { afterAll, expect, it } from 'vitest';
import { bodiesOf, object, startEcho, taking } from './support/echo-service.js';

const integer = { type: 'integer' };
const price = { type: 'number', multipleOf: 0.01, example: 19.99 };
const numbers = object({
  price,
  ...{ integer, number: { type: 'number' }, long: { type: 'integer', format: 'int64' } },
  ...{
    any: {},
    either: { anyOf: [integer, { type: 'string' }] },
    list: { type: 'array', items: integer },
  },
});
const call = await startEcho({ 'post /numbers': taking(numbers) }, {}, afterAll);
const got = bodiesOf(call);
const tooLarge = 'must be from -9007199254740991 to 9007199254740991';

it.each([
  ['{"integer":9007199254740991}', { integer: 9007199254740991 }],
  ['{"integer":1.0,"number":1e3}', { integer: 1, number: 1000 }],
  ['{"integer":9007199254740993}', [`/body/integer ${tooLarge}`]],
  ['{"integer":-9007199254740993}', [`/body/integer ${tooLarge}`]],
  ['{"long":9223372036854775807}', [`/body/long ${tooLarge}`]],
  ['{"list":[1,1e20]}', [`/body/list/1 ${tooLarge}`]],
  ['{"number":9007199254740993}', { number: 9007199254740992 }],
  ['{"number":1e999}', ['/body/number must be number']],
  ['{"integer":1e999}', ['/body/integer must be integer']],
  ['{"integer":"1"}', ['/body/integer must be integer']],
  ['{"integer":01}', 400],
  ['{"price":19.99}', { price: 19.99 }],
  ['{"price":12345678.91}', { price: 12345678.91 }],
  ['{"price":1e21}', { price: 1e21 }],
  ['{"price":19.999}', ['/body/price must be multiple of 0.01']],
  ['{"price":0.30000000000000004}', ['/body/price must be multiple of 0.01']],
])('D-42 a number of a JSON body is what was sent, or refused: %s', async (body, expected) => {
  expect(await got('post /numbers', body)).toEqual(expected);
});
