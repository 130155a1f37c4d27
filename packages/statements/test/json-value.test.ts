import { describe, expect, test } from 'vitest';
import { readCodb, toJsonValue } from '../src/index.js';
import { payrollFile } from './codb/payroll-file.js';
import { movements, sampleStatement } from './pdf/sample-statement.js';

describe('D-46 documents in JSON', () => {
  test('JSON.stringify writes a statement, with amounts as texts of three decimals', async () => {
    const statement = await sampleStatement({ movements });
    const json = JSON.parse(JSON.stringify(statement));
    expect(json).toEqual(toJsonValue(statement));
    expect(json.oldBalance).toEqual({ amount: '120000000.000', date: '2026-02-02' });
    expect(json.movements[1].amount).toBe('-98765432.100');
    expect(json.movements[2].details[0].amount).toBe('100.000');
    expect(json.movements[4].communication).toMatchObject({
      originalAmount: '60.125',
      rate: '1.00000000',
      volume: '35.20',
      unitPrice: '1.708',
    });
    expect(JSON.stringify({ statements: [statement] })).toContain('"120000000.000"');
  });

  test('a statement has no further visible property', async () => {
    expect(Object.keys(await sampleStatement())).not.toContain('toJSON');
  });

  test('a payroll booking is converted too', () => {
    const [booking = expect.fail()] = readCodb(Buffer.from(payrollFile())).documents ?? [];
    const { bytes: _, ...content } = booking;
    expect(toJsonValue(content).lines[0]).toMatchObject({
      debit: expect.stringMatching(/^\d+\.\d{3}$/),
    });
  });
});
