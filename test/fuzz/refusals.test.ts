import { operations } from '@adx/contract';
import { describeOperation } from '@adx/contract/requests';
import type { Request } from 'express';
import { expect, it } from 'vitest';
import { ApiError } from '../../packages/server/src/api/api-error.js';
import { parseJsonBody } from '../../packages/server/src/http/json-body.js';
import { checkOutline } from '../../packages/server/src/http/validation/body-outline.js';
import { operationsWithBody } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { costlyBodies } from './support/costly-bodies.js';
import { findingsIn } from './support/generated-calls.js';
import { bodyFields } from './support/text-fields.js';

const target = useFuzzTarget();

const arrays = operationsWithBody.flatMap((operationId) =>
  bodyFields(operationId)
    .filter(({ schema }) => schema.type === 'array')
    .map(({ path: [field = ''], schema }) => ({ operationId, field, schema })),
);

it('D-69 each array of a body has a maximum, so that no more of it is validated', () => {
  expect(arrays.filter(({ schema }) => schema['maxItems'] === undefined)).toEqual([]);
  expect(arrays.length).toBeGreaterThan(4);
});

it.each(oneIn(4, operationsWithBody))(
  'D-69 %s: the validator finds at most a thousand mistakes in any body of 64 KiB',
  async (operationId) => {
    const { requestBody } = describeOperation(operations[operationId]);
    if (requestBody === undefined) expect.fail('The operation has no body');
    const check = (body: unknown) => checkOutline(body, requestBody);
    for (const { name, text } of costlyBodies(operationId, 'short')) {
      const request = { body: Buffer.from(text) };
      const refusal: unknown = await parseJsonBody(request as Request, check).catch(
        (error) => error,
      );
      if (refusal instanceof ApiError) continue;
      expect([name, refusal]).toEqual([name, undefined]);
      const count = findingsIn(operationId, request.body);
      expect([name, count <= 1_000]).toEqual([name, true]);
    }
  },
);

/** The answer of a list of 30,000 ones is about the list, and not about each of them. */
const tooLong = Array(30_000).fill(1);

it.each(arrays)('D-69 $operationId does not look into $field if it is too long', async (each) => {
  const { operationId: id, field: path, schema } = each;
  const body = { [path]: tooLong };
  const details = [{ path, message: `must NOT have more than ${schema['maxItems']} items` }];
  const answer = await target.send(id, { body: JSON.stringify(body) });
  expect(answer).toMatchObject({ status: 400, body: { error: 'validationFailed', details } });
  const more = await target.send(id, { body: JSON.stringify({ ...body, nonsense: 1 }) });
  expect(more).toMatchObject({
    status: 400,
    body: { error: 'unknownField', fields: ['nonsense'] },
  });
});

it('D-69 a body with more than a thousand fields is refused, also if they are one', async () => {
  const limits = (count: number) => `{${Array(count).fill('"limit":1')}}`;
  expect((await target.send('listBanks', { body: limits(1_000) })).status).toBe(200);
  const { status, body } = await target.send('listBanks', { body: limits(1_001) });
  expect([status, body.details]).toEqual([
    400,
    [{ path: '', message: 'must NOT have more than 1000 fields' }],
  ]);
});

it('D-05 the first 100 fields with half a surrogate pair are named', async () => {
  const fileIds = Array(500).fill('\ud800');
  const { status, body } = await target.send('acknowledgeCodaFiles', {
    body: JSON.stringify({ fileIds }),
  });
  expect([status, body.details]).toEqual([
    400,
    Array.from({ length: 100 }, (_, i) => ({
      path: `fileIds.${i}`,
      message: 'must not contain half of a surrogate pair',
    })),
  ]);
});
