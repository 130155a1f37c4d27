import { describe, expect, test } from 'vitest';
import { ibanOf } from '../../../../../test/support/numbers.js';
import { createSigningKeyStore } from '../../../src/identity/signing-keys.js';
import { createReferenceStore } from '../../../src/reference/reference-store.js';
import { failure, operatorForFile } from '../operator-for-file.js';
import { createCustomerWithMandates } from './mandates/mandates-of-a-customer.js';

const { knex, run, json } = await operatorForFile();

describe('adx-server bank', () => {
  test.each([
    ['0161.864.987', ibanOf('5390000001'), 'no bank has the code 539'],
    ['0403.019.261', ibanOf('1280000001'), 'Mobile Payment Solutions nv has no CODA files'],
    ['0403.170.701', 'NL91ABNA0417164300', 'the account is not Belgian'],
  ])(
    'D-17 operator: mandate show says of company %s with account %s that %s',
    async (enterpriseNumber, iban, reason) => {
      const { firm } = await createCustomerWithMandates(knex, [iban], enterpriseNumber);
      const listed = await json('mandate', 'list', '--firm', firm.id);
      const [{ id }] = listed.filter(({ product }: { product: string }) => product === 'CODA');
      expect(await json('mandate', 'show', id)).toMatchObject({
        ...{ status: 'unsupportedBank', unsupportedBecause: reason },
      });
      const { stdout } = await run('mandate', 'show', id);
      expect(stdout).toMatch(new RegExp(`^status +unsupportedBank: ${reason}$`, 'm'));
    },
  );

  test('D-33 operator: bank set gives a bank a light connector, and removes it', async () => {
    const connectorOf = async (bic: string) => {
      const banks: { bic: string; connectorId?: number }[] = await json('bank', 'list');
      return banks.find((bank) => bank.bic === bic)?.connectorId;
    };
    expect(await connectorOf('TRIO BE BB')).toBeUndefined();
    expect(await json('bank', 'set', 'trio be bb xxx', '--connector', '3')).toEqual({
      ...{ bic: 'TRIO BE BB', connectorId: 3 },
    });
    expect(await connectorOf('TRIO BE BB')).toBe(3);
    const { stdout } = await run('bank', 'set', 'TRIOBEBB', '--connector', 'none');
    expect(stdout).toBe('TRIO BE BB has no light connector.\n');
    expect(await connectorOf('TRIO BE BB')).toBeUndefined();
    for (const unknown of [
      ['set', 'ABCDBE00', '--connector', '1'],
      ['show', 'ABCDBE00'],
    ]) {
      expect(await run('bank', ...unknown)).toEqual(
        failure('There is no bank with the BIC ABCD BE 00.'),
      );
    }
  });

  test('D-33 operator: bank show has the names, bank codes and connector of a BIC, as list banks has it', async () => {
    const listed = async () => {
      const { records } = await createReferenceStore(knex).banks({
        limit: 200,
        offset: 0,
      });
      return records.filter(({ bic }) => bic === 'DEGR BE BB');
    };
    const bank = {
      bic: 'DEGR BE BB',
      names: ['Bank Degroof Petercam', 'Banque Degroof Petercam Luxembourg'],
      bankCodes: ['583', '676', '845', '941'],
      codaSupported: true,
    };
    expect(await json('bank', 'show', 'DEGRBEBB')).toEqual(bank);
    await json('bank', 'set', 'DEGRBEBB', '--connector', '9');
    expect(await json('bank', 'show', 'degr be bb')).toEqual({ ...bank, connectorId: 9 });
    expect(await listed()).toMatchObject([{ connectorId: 9 }, { connectorId: 9 }]);
    expect((await run('bank', 'show', 'DEGRBEBB')).stdout).toBe(
      [
        'BIC         DEGR BE BB',
        'name        Bank Degroof Petercam, Banque Degroof Petercam Luxembourg',
        'bank codes  583, 676, 845, 941',
        'CODA        yes',
        'connector   9\n',
      ].join('\n'),
    );
    await json('bank', 'set', 'DEGRBEBB', '--connector', 'none');
    expect(await json('bank', 'show', 'DEGRBEBB')).toEqual(bank);
    expect((await listed()).filter((each) => 'connectorId' in each)).toEqual([]);
  });
});

describe('adx-server signing-key', () => {
  test('operator: signing-key rotate adds a key', async () => {
    const { kid } = await json('signing-key', 'rotate');
    expect(await knex('signing_keys').pluck('kid')).toContain(kid);
  });

  test('D-59 signing-key rotate says that services may have another secret', async () => {
    await createSigningKeyStore(knex, 'that of a service which was forgotten').rotate();
    const { stderr } = await run('signing-key', 'rotate');
    expect(stderr).toBe(
      'The newest key was encrypted with another SIGNING_KEY_SECRET: services that have that one sign with a key of their own.\n',
    );
    expect((await run('signing-key', 'rotate')).stderr).toBe('');
  });

  test('D-20 signing-key rotate --now leaves only the new key', async () => {
    await json('signing-key', 'rotate');
    const { kid } = await json('signing-key', 'rotate', '--now');
    expect(await knex('signing_keys').pluck('kid')).toEqual([kid]);
  });
});
