import { type OperationId, operations } from '@adx/contract';
import { describe, expect, it } from 'vitest';
import { operationIds } from '../support/fuzz-target.js';
import { newIban } from '../support/numbers.js';
import { oneIn } from '../support/rounds.js';
import { useFuzzTarget } from '../support/use-service.js';
import { sendRaw } from './support/raw-exchange.js';

const target = useFuzzTarget();

async function sendPath(operationId: OperationId, path: string) {
  const { method, body } = operations[operationId];
  const answer = await sendRaw(target.service.baseUrl, {
    method: method.toUpperCase(),
    target: path,
    headers: target.headerLines,
    ...(body === 'required' && { body: '{}' }),
  });
  return { ...answer, body: JSON.parse(answer.body) };
}

/** Returns the path of the operation with one parameter replaced by text, without encoding it. */
function pathWith(operationId: OperationId, parameter: string, text: string): string {
  const marker = 'ffffffffffffffffffffffff';
  return `/v1${target.pathOf(operationId, { [parameter]: marker }).replace(marker, () => text)}`;
}

const malformedIds = [
  ['%00', 'a NUL'],
  ['673f0c2a9b1d4e8f7a6c5b4', '23 characters'],
  ['673f0c2a9b1d4e8f7a6c5b4d5', '25 characters'],
  ['673f0c2a9b1d4e8f7a6c5b4g', 'a g'],
  ['673f0c2a9b1d4e8f7a6c5b4%0A', 'a line feed'],
  ['673f0c2a9b1d4e8f7a6c5b4d%0A', 'a line feed after it'],
  ['673f0c2a9b1d4e8f7a6c5b4d%00', 'a NUL after it'],
  ['%20673f0c2a9b1d4e8f7a6c5b4d', 'a space before it'],
  ['%2F', 'a slash'],
  ['..%2F..%2Fcustomers', 'an encoded way up'],
  ['%zz', 'a broken escape'],
  ['%', 'a lone percent sign'],
  ['%C0%80', 'overlong UTF-8'],
  ['%ED%A0%80', 'a surrogate'],
  ['%FF', 'a byte that is not UTF-8'],
  ["'%20or%20'1'%3D'1", 'SQL'],
  ['__proto__', 'a name every object has'],
  ['undefined', 'undefined'],
  ['{customerId}', 'the template'],
  ['a'.repeat(8_000), '8,000 characters'],
  ['%EF%BC%91'.repeat(24), '24 full-width digits'],
] as const;

const parametersOf = operationIds.flatMap((id) =>
  operations[id].pathParameters.map((parameter) => ({ id, parameter })),
);

describe('D-12 identifiers', () => {
  it.each(oneIn(4, parametersOf))(
    '$id refuses a malformed $parameter',
    async ({ id, parameter }) => {
      const isId = parameter.endsWith('Id');
      await target.storingNothing(async () => {
        for (const [text, what] of malformedIds) {
          const { status, body } = await sendPath(id, pathWith(id, parameter, text));
          const expected = isId ? 'validationFailed' : expect.any(String);
          expect([what, status, body.error]).toEqual([
            what,
            isId ? 400 : expect.toBeOneOf([400, 404]),
            expected,
          ]);
        }
      });
    },
  );

  it('are accepted in capitals', async () => {
    const { body } = await target.send('getCustomer', {
      path: { customerId: target.customerId.toUpperCase() },
    });
    expect(body['id']).toBe(target.customerId);
  });
});

describe('§4.9 the IBAN of a path', () => {
  it.each([
    ['spaces', (iban: string) => iban.replace(/(.{4})/g, '$1%20')],
    ['small letters', (iban: string) => iban.toLowerCase()],
    [
      'every character encoded',
      (iban: string) => iban.replace(/./g, (letter) => `%${Buffer.from(letter).toString('hex')}`),
    ],
  ])('is normalised: %s', async (_, write) => {
    const iban = newIban();
    const added = await sendPath('addBankAccount', pathWith('addBankAccount', 'iban', write(iban)));
    expect(added).toMatchObject({ status: 200, body: { iban } });
    const path = pathWith('disableBankAccount', 'iban', write(iban));
    expect((await sendPath('disableBankAccount', path)).status).toBe(200);
  });

  it.each([
    'BE00000000000000',
    'BE7109612345676',
    'BE71096123456760',
    '%20',
    'ß',
    'BE71%C2%A0',
    '﷽',
    'BE71096123456769%0A',
    'BE71096123456769%00',
    'x'.repeat(65),
  ])('is 400 if it is malformed: %s', async (text) => {
    await target.storingNothing(async () => {
      for (const id of ['addBankAccount', 'disableBankAccount'] as const) {
        const path = pathWith(id, 'iban', encodeURI(decodeURIComponent(text)));
        const { status, body } = await sendPath(id, path);
        expect([status, body.error]).toEqual([
          400,
          expect.toBeOneOf(['invalidIban', 'validationFailed']),
        ]);
      }
    });
  });
});

describe('§2.3 the code ***other*** in a path', () => {
  it.each(['***other***', '%2A%2A%2Aother%2A%2A%2A', '%2a**other**%2a'])('as %s', async (text) => {
    const added = await sendPath(
      'addPayrollProvider',
      pathWith('addPayrollProvider', 'code', text),
    );
    expect(added).toMatchObject({ status: 200, body: { code: '***other***' } });
    const path = pathWith('removePayrollProvider', 'code', text);
    expect((await sendPath('removePayrollProvider', path)).status).toBe(200);
    expect((await sendPath('removePayrollProvider', path)).status).toBe(404);
  });

  it.each(['SDWORX', 'sdworx%20', '**other**', '%25', '_____x', '.*', '__proto__', 'constructor'])(
    'another code is unknown: %s',
    async (text) => {
      await target.storingNothing(async () => {
        expect(
          await sendPath('addPayrollProvider', pathWith('addPayrollProvider', 'code', text)),
        ).toMatchObject({
          status: 400,
          body: { error: 'unknownPayrollProvider' },
        });
        const path = pathWith('removePayrollProvider', 'code', text);
        expect((await sendPath('removePayrollProvider', path)).status).toBe(404);
      });
    },
  );
});

describe('D-03 paths that do not exist', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1//',
    '/v1/nothing',
    '/v1/customers/create/more',
    '/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/nothing',
    '/v1/customers/673f0c2a9b1d4e8f7a6c5b4d/bank-accounts',
    '/v1//customers',
    '/v1/./customers',
    '/v1/customers/..',
    '/v1/customers/../customers',
    '/v1/..%2Fv1/customers',
    '/v1%2Fcustomers',
    '/v1/%63ustomers/x',
    '/v2/customers',
    '/V1/nothing',
    '/v1/__proto__',
    '/v1/constructor',
    '/v1/%zz',
    '/v1/%00',
    '/nothing',
    '/%zz',
    '/.env',
    '/../../etc/passwd',
    '/docs/..%2f..%2fpackage.json',
    '/docs/../../package.json',
    '/docs/%00',
    '/docs/%zz',
    `/v1/${'a/'.repeat(4_000)}`,
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await sendRaw(target.service.baseUrl, {
        method,
        target: path,
        headers: target.headerLines,
      });
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([400, 403, 404, 405])]);
      expect(answer.body).not.toContain('accounting-data-exchange"');
    }
  });
});
