import type { OperationId } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { acceptedBody, operationsWithBody } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget();

const names = [
  ...['nonsense', 'Limit', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
  ...[
    'a.b',
    'a/b',
    'a~1b',
    'address/foo',
    '/body/limit',
    '%2F',
    'nåam é 👩‍🚀',
    '\u202eodd',
    ' ',
    '',
  ],
  'x'.repeat(5_000),
];

/** Returns JSON with a further field, also with a name that an object literal cannot have. */
function withField(body: object, name: string, value: unknown = 1): string {
  const fields = Object.entries({ ...body }).map(
    ([key, child]) => `${JSON.stringify(key)}:${JSON.stringify(child)}`,
  );
  return `{${[...fields, `${JSON.stringify(name)}:${JSON.stringify(value)}`].join(',')}}`;
}

async function expectUnknown(operationId: OperationId, body: string, fields: readonly string[]) {
  const answer = await target.send(operationId, { body });
  expect(answer).toMatchObject({ status: 400, body: { error: 'unknownField' } });
  expect([...(answer.body.fields ?? [])].sort()).toEqual([...fields].sort());
}

describe.each(oneIn(5, operationsWithBody))('D-05 %s', (operationId) => {
  it('names an unknown field with any name, and stores nothing', async () => {
    await target.storingNothing(async () => {
      for (const name of names) {
        await expectUnknown(operationId, withField(acceptedBody(operationId), name), [name]);
      }
    });
  });

  it('names all unknown fields at once', async () => {
    const body = withField({ ...acceptedBody(operationId), one: null, two: [] }, '__proto__', {});
    await expectUnknown(operationId, body, ['one', 'two', '__proto__']);
  });
});

describe('D-05 unknown fields below the first level', () => {
  const { address, contact } = newCustomer();
  const iban = 'BE71096123456769';

  it.each(oneIn(3, names))('create customer: %j is named with its path', async (name) => {
    const account = `[{"iban":"${iban}"},${withField({ iban }, name)}]`;
    const provider = `[${withField({ code: 'sdworx' }, name)}]`;
    await target.storingNothing(async () => {
      for (const [field, json, path] of [
        ['address', withField(address, name), 'address'],
        ['contact', withField(contact, name), 'contact'],
        ['bankAccounts', account, 'bankAccounts.1'],
        ['payrollProviders', provider, 'payrollProviders.0'],
      ] as const) {
        await expectUnknown('createCustomer', replaced(field, json), [`${path}.${name}`]);
      }
    });
  });

  it.each(oneIn(3, names))('update customer: %j is named with its path', async (name) => {
    await target.storingNothing(async () => {
      for (const field of ['address', 'contact']) {
        const body = `{"${field}":${withField({}, name)}}`;
        await expectUnknown('updateCustomer', body, [`${field}.${name}`]);
      }
    });
  });

  it.each(['statementDate', 'processingDate', 'statementNumber'])(
    'list CODA files: a field of %s is named with its path',
    async (range) => {
      await expectUnknown('listCodaFiles', `{"${range}":{"since":1}}`, [`${range}.since`]);
    },
  );

  it('§4.7 output fields are not input: the response of get customer cannot be sent back', async () => {
    await target.storingNothing(async () => {
      const { body } = await target.send('getCustomer');
      await expectUnknown('updateCustomer', JSON.stringify(body), [
        ...['id', 'enterpriseNumber', 'isConfidential', 'bankAccounts', 'payrollProviders'],
        ...['createdOn', 'updatedOn'],
      ]);
    });
  });

  it('names unknown fields of every level at once', async () => {
    const body = newCustomer({ bankAccounts: [{ iban }] });
    await target.storingNothing(async () => {
      await expectUnknown(
        'createCustomer',
        JSON.stringify({
          ...body,
          firmId: target.firmId,
          address: { ...body.address, box: '3' },
          contact: { ...body.contact, phone: '0' },
          bankAccounts: [{ iban, bic: 'GKCCBEBB' }],
        }),
        ['firmId', 'address.box', 'contact.phone', 'bankAccounts.0.bic'],
      );
    });
  });

  function replaced(field: string, json: string): string {
    const { [field as 'name']: _, ...rest } = newCustomer();
    return `${JSON.stringify(rest).slice(0, -1)},"${field}":${json}}`;
  }
});
