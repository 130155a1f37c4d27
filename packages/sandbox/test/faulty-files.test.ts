import {
  type CodaFindingCode,
  type CodbFindingCode,
  codaFindings,
  codbFindings,
  readCoda,
  readCodb,
} from '@adx/statements';
import { describe, expect, test } from 'vitest';
import { codaFileWith } from '../src/scenarios/files/coda-faults.js';
import { codbFileWith } from '../src/scenarios/files/codb-faults.js';
import { newCustomer } from '../src/scenarios/new-customer.js';

const account = {
  ...{ iban: 'BE68068000010434', bic: 'GKCCBEBB', holder: 'Bakkerij De Zilveren Halm' },
  ...{ number: 214, oldBalance: 8_123_450n, oldDate: '2026-11-02', date: '2026-11-03' },
};
/** How the service reports what the reader finds on the chain of an account. */
const reported = { statementNumberGap: 'numberMissing', oldBalanceGap: 'balanceDiffers' } as const;
const isOfChain = (code: CodaFindingCode): code is keyof typeof reported => code in reported;
const payroll = {
  ...{ enterpriseNumber: '0161.864.987', customerName: 'Bakkerij <De> Halm' },
  ...{ source: 'SD & Worx', period: '202610' },
};

describe('D-53 scenario file', () => {
  // A statement that is repeated is the scenario of a file of the kind duplicate or correction.
  const { statementRepeated: _, ...others } = codaFindings;
  test.each(Object.keys(others) as (keyof typeof others)[])(
    'D-53 a CODA file with the finding %s of the reader has no other',
    async (code) => {
      const codes = new Set<string>();
      const finding = isOfChain(code) ? reported[code] : code;
      const read = readCoda(codaFileWith(finding, account), { bicOfBankCode: () => 'GKCCBEBB' });
      for await (const { findings } of read) for (const each of findings) codes.add(each.code);
      expect([...codes]).toEqual([code]);
    },
  );

  test.each(Object.keys(codbFindings) as CodbFindingCode[])(
    'D-53 a CODB file with the finding %s has no other',
    (code) => {
      const { findings } = readCodb(codbFileWith(code, payroll));
      expect([...new Set(findings.map((each) => each.code))]).toEqual([code]);
    },
  );

  test('D-53 no customer of the sandbox has the account of a file with the finding unknownAccount', async () => {
    const isOfFile = /^BE\d\d0680000000\d\d$/;
    for await (const { statement } of readCoda(codaFileWith('unknownAccount', account))) {
      expect(statement?.account.iban).toMatch(isOfFile);
    }
    const customers = Array.from({ length: 20_000 }, () => newCustomer('coda', true));
    const ibans = customers.flatMap(({ bankAccounts = [] }) =>
      bankAccounts.map(({ iban }) => iban),
    );
    expect(ibans.filter((iban) => /^BE\d{5}0000000/.test(iban))).toEqual([]);
  });

  test('D-53 a CODB file without a fault has no findings', () => {
    expect(readCodb(codbFileWith(undefined, payroll)).findings).toEqual([]);
  });
});
