import { spec } from '@adx/contract/spec';
import { describe, expect, it } from 'vitest';
import { type Deviation, operationsWithBody } from '../support/fuzz-target.js';
import { newCustomer } from '../support/new-customer.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';

const target = useFuzzTarget();

const bytes = (...values: (string | number)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))),
  );

describe.each(oneIn(5, operationsWithBody))('§4, D-05 %s', (operationId) => {
  const refusals =
    operationId === 'getToken' ? /missingCredentials|validationFailed/ : /validationFailed/;

  const noObjects: readonly [what: string, deviation: Deviation][] = [
    ['no body', { body: null }],
    ['no body but a content type', { body: null, headers: { 'content-type': 'application/json' } }],
    ['an empty body', { body: '' }],
    ['[]', { body: '[]' }],
    ['[{}]', { body: '[{}]' }],
    ['null', { body: 'null' }],
    ['true', { body: 'true' }],
    ['a number', { body: '42' }],
    ['a huge number', { body: '1e999' }],
    ['a string', { body: '"{}"' }],
    ['an empty string', { body: '""' }],
  ];

  it('a body that is missing or not an object is 400', async () => {
    await target.storingNothing(() =>
      target.expectErrors(operationId, noObjects, 400, expect.stringMatching(refusals)),
    );
  });

  const noJson: readonly [what: string, body: string | Buffer<ArrayBuffer>][] = [
    ['a lone brace', '{'],
    ['a truncated body', '{"name":"Kla'],
    ['two bodies', '{}{}'],
    ['a trailing comma', '{"limit":1,}'],
    ['single quotes', "{'limit':1}"],
    ['a comment', '{}/* none */'],
    ['NaN', '{"limit":NaN}'],
    ['a number with a leading zero', '{"limit":01}'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['undefined', 'undefined'],
    ['a form', 'limit=1&offset=2'],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['only spaces', '   '],
    ['a NUL', '\u0000'],
    ['a raw line feed in a string', '{"a":"\n"}'],
    ['UTF-8 cut within a character', bytes('{"name":"', 0xe2, 0x82, '"}')],
    ['UTF-8 cut at the end', bytes('{"name":"caf', 0xc3)],
    ['a byte that is not UTF-8', bytes('{"name":"', 0xff, '"}')],
    ['latin1', Buffer.from('{"name":"Gérante"}', 'latin1')],
    ['overlong UTF-8', bytes('{"name":"', 0xc0, 0x80, '"}')],
    ['a surrogate in UTF-8', bytes('{"name":"', 0xed, 0xa0, 0x80, '"}')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ];

  it('a body that is not JSON in UTF-8 is invalidJson', async () => {
    const sent = noJson.map(([what, body]) => [what, { body }] as const);
    await target.storingNothing(() => target.expectErrors(operationId, sent, 400, 'invalidJson'));
  });
});

describe.each(['getToken', 'createCustomer', 'searchCustomers'] as const)(
  'D-05 %s',
  (operationId) => {
    it('arrays nested 30,000 deep are 400, closed or not', async () => {
      const open = '['.repeat(30_000);
      const closed = { body: open + ']'.repeat(30_000) };
      await target.expectErrors(operationId, [['closed', closed]], 400, 'validationFailed');
      await target.expectErrors(operationId, [['open', { body: open }]], 400, 'invalidJson');
    });

    it('objects nested 10,000 deep are refused with the name of the outermost', async () => {
      const body = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
      expect(await target.send(operationId, { body })).toMatchObject({
        status: 400,
        body: { error: 'unknownField', fields: ['a'] },
      });
    });

    it('6,000 unknown fields are refused, and the next call is answered', async () => {
      const fields = Array.from({ length: 6_000 }, (_, index) => `"f${index}":0`);
      const sent = { body: `{${fields.join(',')}}` };
      await target.expectErrors(operationId, [['6,000 fields', sent]], 400, 'unknownField');
      expect((await target.send('helloWorld')).status).toBe(200);
    });
  },
);

describe('D-05 unusual bodies that are JSON', () => {
  it.each([
    ['a byte order mark', '\ufeff{}'],
    ['space around it', ' \r\n\t{}\n'],
    ['a key twice; the last value is used', '{"limit":0,"limit":1}'],
    ['escapes', '{"\\u006cimit":1}'],
  ])('%s', async (_, body) => {
    expect((await target.send('searchCustomers', { body })).status).toBe(200);
  });

  it('a key twice: the last value is validated', async () => {
    const answer = await target.send('searchCustomers', { body: '{"limit":1,"limit":0}' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'validationFailed' } });
  });
});

describe('D-05 values of the wrong type are not coerced', () => {
  const junk = [null, true, 0, 1.5, '', [], {}, [[]], { nonsense: 'x' }, ['x']];
  const fields = Object.keys(newCustomer({ bankAccounts: [], payrollProviders: [] })) as 'name'[];

  it.each(oneIn(4, fields))('create customer: %s', async (field) => {
    await target.storingNothing(async () => {
      for (const value of junk) {
        if (accepts(field, value)) continue;
        const body = JSON.stringify({ ...newCustomer(), [field]: value });
        const answer = await target.send('createCustomer', { body });
        expect([JSON.stringify(value), answer.status]).toEqual([JSON.stringify(value), 400]);
      }
    });
  });

  const { UpdateCustomerRequest, Customer } = spec.components.schemas;

  it.each(Object.keys(UpdateCustomerRequest?.properties ?? {}))(
    'update customer: %s',
    async (field) => {
      await target.storingNothing(async () => {
        for (const value of junk) {
          const cleared = value === '' && !Customer?.required?.includes(field);
          const unchanged =
            JSON.stringify(value) === '{}' && ['address', 'contact'].includes(field);
          if (cleared || unchanged) continue;
          const body = JSON.stringify({ [field]: value });
          const answer = await target.send('updateCustomer', { body });
          expect([JSON.stringify(value), answer.status]).toEqual([JSON.stringify(value), 400]);
        }
      });
    },
  );

  function accepts(field: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    return (
      (field === 'accountingRef' && text === '""') ||
      (['bankAccounts', 'payrollProviders'].includes(field) && text === '[]')
    );
  }
});
