import { type CodaResult, readCoda, readCodb } from '@adx/statements';
import { describe, expect, test } from 'vitest';
import { demoFirms } from '../src/demo/firms.js';
import { bankingDays, codaFile, codbFile, monthsBefore } from '../src/demo/statements.js';

// A customer of each language, whose movements have texts of their own.
const customers = ['nl', 'fr', 'de'].map((language) => {
  const all = demoFirms.flatMap((firm) => firm.customers);
  return all.find(({ contact }) => contact.language === language) ?? expect.fail(language);
});
// The period reaches into the next year, so that the statement numbers start again at 1.
const period = { after: '2026-12-10', upTo: '2027-01-15' };

async function readFile(bytes: Uint8Array | undefined): Promise<CodaResult[]> {
  const results: CodaResult[] = [];
  for await (const result of readCoda(bytes ?? expect.fail('there is no file'))) {
    results.push(result);
  }
  return results;
}

describe('sandbox: the files of the demo', () => {
  test('§1 CODA: each is read without a finding, one statement a banking day, and the balances follow', async () => {
    const days = bankingDays(period.after, period.upTo);
    for (const customer of customers) {
      for (const iban of customer.ibans.filter((each) => each.startsWith('BE'))) {
        const results = await readFile(codaFile(customer, iban, 'GKCCBEBB', period));
        expect(results.flatMap(({ findings }) => findings)).toEqual([]);
        const statements = results.map(({ statement }) => statement ?? expect.fail());
        expect(statements.map(({ newBalance }) => newBalance?.date)).toEqual(days);
        for (const [index, { oldBalance, newBalance, account }] of statements.entries()) {
          expect(account.iban).toBe(iban);
          expect(newBalance?.amount).toBeGreaterThan(0n);
          if (index > 0) expect(oldBalance?.amount).toBe(statements[index - 1]?.newBalance?.amount);
        }
        expect(statements.map(({ statementNumber }) => statementNumber)).toContain(1);
      }
    }
  });

  test('§1 CODA: a statement is the same whichever period its file covers', async () => {
    const [customer = expect.fail()] = customers;
    const [iban = expect.fail()] = customer.ibans;
    const long = await readFile(codaFile(customer, iban, 'GKCCBEBB', period));
    const last = { after: '2027-01-14', upTo: period.upTo };
    const short = await readFile(codaFile(customer, iban, 'GKCCBEBB', last));
    expect(short.map(({ statement }) => statement?.movements)).toEqual(
      long.slice(-1).map(({ statement }) => statement?.movements),
    );
  });

  test('§2 CODB: each is read without a finding, so it balances', () => {
    for (const customer of customers) {
      for (const month of monthsBefore(period.upTo, 3)) {
        const { documents, findings } = readCodb(codbFile(customer, 'SD Worx', month));
        expect(findings).toEqual([]);
        expect(documents).toMatchObject([{ accountPeriod: month, source: 'SD Worx' }]);
      }
    }
  });

  test('sandbox: a weekend has no statements, and a month of payroll lies before the day', () => {
    expect(bankingDays('2026-01-01', '2026-01-06')).toEqual([
      ...['2026-01-02', '2026-01-05', '2026-01-06'],
    ]);
    expect(monthsBefore('2026-02-10', 3)).toEqual(['202511', '202512', '202601']);
  });
});
