import type { Request } from 'express';
import { afterAll, expect, it, vi } from 'vitest';
import { readFormWithFiles } from '../runtime/read-form.js';
import { createAjv, validatable } from '../runtime/validator.js';
import { bodiesOf, form, json, object, startEcho, taking } from './support/echo-service.js';

const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  Leaf: { type: 'string' },
  Part: object({ leaf: referTo('Leaf') }, { required: ['leaf'] }),
  Tree: { anyOf: [{ type: 'null' }, { type: 'object', additionalProperties: referTo('Tree') }] },
};
const open = { additionalProperties: { type: 'string' } };
const words = Array.from({ length: 500 }, (_, index) => `word number ${index}`);
const call = await startEcho(
  {
    'get /words': {
      parameters: [
        {
          name: 'p',
          in: 'query',
          schema: { type: 'array', items: { type: 'string', enum: words } },
        },
      ],
    },
    'post /containing': taking({ type: 'array', contains: referTo('Part') }),
    'post /url': taking({ type: 'string', format: 'url' }),
    'post /tree': taking(referTo('Tree')),
    'post /defaults': taking({
      allOf: Array(40).fill({
        type: 'array',
        items: object({ a: { type: 'array', default: [] } }),
      }),
    }),
    'post /choices': taking(
      {
        allOf: Array.from({ length: 30 }, (_, index) => ({
          oneOf: [object({ [`a${index}`]: { type: 'integer' } }, open), object({}, open)].slice(
            index < 8 ? 0 : 1,
          ),
        })),
      },
      form,
    ),
    'post /json-list': taking(
      object({ a: { type: 'array', items: { type: 'object' } } }, { additionalProperties: false }),
      form,
    ),
    'post /text-list': taking(
      object({ a: { type: 'array', items: { type: 'string' } } }),
      'multipart/form-data',
    ),
  },
  { schemas },
  afterAll,
);
const got = bodiesOf(call);

/** Expects an answer without much work: other programs on the machine do not count. */
async function expectSoon(answer: Promise<unknown>, expected: unknown): Promise<void> {
  const start = process.cpuUsage();
  expect(await answer).toEqual(expected);
  const { user } = process.cpuUsage(start);
  expect(user / 1e6).toBeLessThan(2);
}

it('D-42 the time for `contains` grows with the length of the list', async () => {
  const list = JSON.stringify(Array(100_000).fill({}));
  const mistake = ['/body must contain at least 1 valid item(s)'];
  await expectSoon(got('post /containing', list), mistake);
  expect(await got('post /containing', '[1,{"leaf":"x"}]')).toEqual([1, { leaf: 'x' }]);
});

it('D-42 the mistakes of the items that `contains` does not match are forgotten', async () => {
  const anyOf = words
    .slice(0, 40)
    .map((word) => object({ word: { const: word } }, { required: ['word'] }));
  const validate = createAjv(validatable({})).compile({ contains: { anyOf } });
  const list = Array(500_000).fill({});
  const answer = Promise.resolve(list).then(validate);
  await expectSoon(answer, false);
});

it('D-42 a long text is no URL in a moment', async () => {
  for (const part of ['a:', 'a@', 'a@b.de/', 'a-']) {
    const url = `http://${part.repeat(130_000)} `;
    await expectSoon(got('post /url', JSON.stringify(url)), ['/body must match format "url"']);
  }
});

it.each([
  ['http://example.com', true],
  ['ftp://user:pass@example.com:21/a?b', true],
  ['http://user@example.com', true],
  ['http://example.com/a b', false],
  ['http://a', false],
  ['example.com', false],
])('D-42 a URL has a scheme and a domain: %s', (url, expected) => {
  const ajv = createAjv(validatable({}));
  expect(ajv.validate({ type: 'string', format: 'url' }, url)).toBe(expected);
});

it('D-42 the schemas of a member are looked up once for all its parts', () => {
  const part = '--b\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n';
  const request = {
    body: Buffer.from(`${part.repeat(3)}--b--`),
    get: () => 'multipart/form-data; boundary=b',
  } as unknown as Request;
  const schemasOfMember = vi.fn(() => []);
  const form = readFormWithFiles(request, { forms: [], read: () => undefined, schemasOfMember });
  expect(form?.texts).toEqual(new Map([['a', ['', '', '']]]));
  expect(schemasOfMember).toHaveBeenCalledOnce();
});

it('D-42 an answer has at most 100 mistakes', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `n${index}`);
  const { status, errors = [] } = await call(`/words?${names.join('&')}`);
  expect([status, errors.length]).toEqual([400, 100]);
});

it('D-42 a parameter is read up to its first mistake', async () => {
  const { errors } = await call(`/words?${'p&'.repeat(5000)}`);
  expect(errors).toMatchObject([{ path: '/query/p/0' }]);
});

it.each(['utf-7', 'UTF-7-IMAP'])(
  'D-42 %s, which takes long to decode, is refused',
  async (name) => {
    expect(await got('post /url', '"http://example.com"', `${json}; charset=${name}`)).toBe(415);
  },
);

it('D-42 a form has at most 10000 values, and no long names', async () => {
  const tooMany = ['/body must NOT have more than 10000 values'];
  expect(await got('post /json-list', 'a=x&'.repeat(10_001), form)).toEqual(tooMany);
  expect(await got('post /json-list', '%&'.repeat(10_001), form)).toEqual(tooMany);
  expect(await got('post /json-list', `${'a'.repeat(1001)}=x`, form)).toEqual([
    '/body must NOT have names of more than 1000 characters',
  ]);
  expect(await got('post /json-list', 'a={}&'.repeat(10_000), form)).toHaveProperty('a.9999', {});
  const parts = (count: number) =>
    `${'--b\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n'.repeat(count)}--b--`;
  const multipart = 'multipart/form-data; boundary=b';
  expect(await got('post /text-list', parts(10_001), multipart)).toEqual(tooMany);
  expect(await got('post /text-list', parts(10_000), multipart)).toHaveProperty('a.9999', '');
});

it('D-42 a long name is cut off where mistakes name it', async () => {
  const name = '~'.repeat(500_000);
  const answer = await got('post /tree', JSON.stringify({ [name]: { [name]: 1 } }));
  expect(JSON.stringify(answer).length).toBeLessThan(100_000);
});

it('D-42 the defaults of many objects are added in a moment', async () => {
  const list = JSON.stringify(Array(100_000).fill({}));
  const answer = got('post /defaults', list);
  await expectSoon(
    answer.then((items) => [items].flat().slice(-1)),
    [{ a: [] }],
  );
});

it('D-42 names that no alternative has are looked up once for each combination', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `n${index}=1`);
  const mistake = ['/body must match exactly one schema in oneOf'];
  await expectSoon(got('post /choices', names.join('&'), form), mistake);
});
