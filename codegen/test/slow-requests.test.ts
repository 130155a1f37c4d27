import type { Request } from 'express';
import { afterAll, expect, it, vi } from 'vitest';
import { readFormWithFiles } from '../runtime/read-form.js';
import { createAjv, validatable } from '../runtime/validator.js';
import { bodiesOf, object, startEcho, taking } from './support/echo-service.js';

const referTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  Leaf: { type: 'string' },
  Part: object({ leaf: referTo('Leaf') }, { required: ['leaf'] }),
};
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
  },
  { schemas },
  afterAll,
);
const got = bodiesOf(call);

/** Expects an answer in less than the time that a request may block the others. */
async function expectSoon(answer: Promise<unknown>, expected: unknown): Promise<void> {
  const start = performance.now();
  expect(await answer).toEqual(expected);
  expect(performance.now() - start).toBeLessThan(3000);
}

it('D-42 the time for `contains` grows with the length of the list', async () => {
  const list = JSON.stringify(Array(100_000).fill({}));
  const answer = got('post /containing', list);
  await expectSoon(
    answer.then((errors) => [errors].flat().at(-1)),
    '/body must contain at least 1 valid item(s)',
  );
  expect(await got('post /containing', '[1,{"leaf":"x"}]')).toEqual([1, { leaf: 'x' }]);
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
  const ajv = createAjv(validatable({}), {});
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
  const { status, errors = [] } = await call(`/words?${'p&'.repeat(5000)}`);
  expect([status, errors.length]).toEqual([400, 100]);
});
