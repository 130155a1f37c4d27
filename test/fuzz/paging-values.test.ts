import { type OperationId, operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { operationIds } from '../support/fuzz-target.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget();
const refusedAlways = '-1 1.5 1e400 -1e400 5e-324 "5" "" null true [] [1] {}'.split(' ');

const cases = {
  limit: {
    refused: [...refusedAlways, '0', '-0', '-1e308'],
    accepted: ['1', '1.0', '5e0', '200', '201', '1e308', '9007199254740993', `1${'0'.repeat(21)}`],
  },
  offset: {
    refused: [...refusedAlways, '1e308', '9007199254740993', '18446744073709551616'],
    accepted: ['0', '-0', '0.0', '0e999', '1', '2147483648', '4294967296', '9007199254740991'],
  },
} as const;

const paginated = operationIds.filter((id) => operations[id].paginated);

describe.each(oneIn(2, paginated))('D-06 %s', (operationId: OperationId) => {
  describe.each(Object.entries(cases))('%s', (field, { refused, accepted }) => {
    it('is refused if it is not an integer in range', async () => {
      for (const value of refused) {
        const { status, body } = await target.send(operationId, { body: `{"${field}":${value}}` });
        expect([value, status, body.error]).toEqual([value, 400, 'validationFailed']);
        expect(body.details?.map(({ path }) => path)).toContain(field);
      }
    });

    it('is accepted in every notation of an integer', async () => {
      for (const value of accepted) {
        const { status, body } = await target.send(operationId, { body: `{"${field}":${value}}` });
        expect([value, status]).toEqual([value, 200]);
        if (field === 'offset' && Number(value) > 1_000) {
          expect(body).toMatchObject({ records: [] });
          expect(Number(body['recordsTotal'])).toBeGreaterThan(0);
        }
      }
    });
  });
});
