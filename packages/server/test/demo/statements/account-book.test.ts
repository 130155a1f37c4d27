import {
  endOfStatement,
  isValidIban,
  readCoda,
  type Statement,
  type StatementDraft,
  writeCoda,
} from '@adx/statements';
import { describe, expect, test } from 'vitest';
import { demoFirms } from '../../../src/demo/demo-firms.js';
import { accountBook, type DemoAccount } from '../../../src/demo/statements/account-book.js';
import { isBankingDay } from '../../../src/demo/statements/banking-days.js';

const firstDay = '2025-09-20';
/** So many banking days: the turn of a year is among them. */
const days = 130;

const accounts: readonly DemoAccount[] = demoFirms.flatMap((firm) =>
  firm.customers.flatMap(({ request }) =>
    (request.bankAccounts ?? []).map(({ iban }) => ({
      ...{ iban, bic: 'GKCCBEBB', holder: request.name },
      enterpriseNumber: request.enterpriseNumber.replaceAll('.', ''),
    })),
  ),
);

function book(account: DemoAccount, from = firstDay): StatementDraft[] {
  const pages = accountBook(account, from);
  return Array.from({ length: days }, () => pages.next().value.statement).filter(
    (statement) => statement !== undefined,
  );
}

async function read(drafts: readonly StatementDraft[]) {
  const statements: Statement[] = [];
  const findings: string[] = [];
  for await (const result of readCoda(writeCoda(drafts))) {
    if (result.statement !== undefined) statements.push(result.statement);
    findings.push(...result.findings.map(({ code, message }) => `${code}: ${message}`));
  }
  return { statements, findings };
}

const everything = await Promise.all(
  accounts.map(async (account) => ({ account, ...(await read(book(account))) })),
);
const movements = everything.flatMap(({ statements }) =>
  statements.flatMap((statement) => statement.movements),
);

describe('demo: statements', () => {
  test('§1 CODA: each is read without a finding', () => {
    for (const { account, statements, findings } of everything) {
      expect(findings, account.iban).toEqual([]);
      expect(statements.length, account.iban).toBeGreaterThan(10);
    }
  });

  test('demo: balances and numbers go on from statement to statement, numbers anew each year', () => {
    for (const { statements } of everything) {
      for (const [index, statement] of statements.slice(1).entries()) {
        const before = endOfStatement(statements[index] ?? expect.fail());
        expect(statement.oldBalance.amount).toBe(before.balance);
        expect(statement.statementNumber).toBe(
          statement.year === before.year ? before.statementNumber + 1 : 1,
        );
      }
      expect(new Set(statements.map(({ year }) => year))).toEqual(new Set([2025, 2026]));
    }
  });

  test('demo: no account is overdrawn, none grows without end', () => {
    for (const { account, statements } of everything) {
      for (const { newBalance } of statements) {
        expect(newBalance?.amount, account.iban).toBeGreaterThanOrEqual(0n);
        expect(newBalance?.amount, account.iban).toBeLessThan(160_000_000n);
      }
    }
  });

  test('demo: the same account and first day give the same bytes, another account others', () => {
    const [one, other] = accounts;
    const bytes = (account: DemoAccount | undefined, from?: string) =>
      Buffer.from(writeCoda(book(account ?? expect.fail(), from))).toString();
    expect(bytes(one)).toBe(bytes(one));
    expect(bytes(one)).not.toBe(bytes(other));
  });

  test('demo: nothing is booked in weekends; some banks send empty statements, others none', () => {
    const dates = everything.flatMap(({ statements }) => statements.map((each) => each.newBalance));
    expect(dates.filter((each) => !isBankingDay(each?.date ?? ''))).toEqual([]);
    const sizes = everything.map(({ statements }) => ({
      empty: statements.some((each) => each.movements.length === 0),
      missing: statements.length < days,
    }));
    expect(sizes).toContainEqual({ empty: true, missing: false });
    expect(sizes).toContainEqual({ empty: false, missing: true });
  });

  test('demo: there is something of everything a partner has to read', () => {
    const all = movements.flatMap((movement) => [movement, ...movement.details]);
    const types = all.map(({ transactionCode }) => transactionCode.type);
    expect(new Set(types)).toEqual(new Set([0, 1, 3, 5, 8]));
    const families = all.map(({ transactionCode }) => transactionCode.family);
    expect(new Set(families)).toEqual(new Set(['01', '02', '04', '05', '80']));
    const communications = all.map(({ communication }) =>
      communication.kind === 'structured' ? communication.type : communication.kind,
    );
    expect(new Set(communications)).toEqual(new Set(['free', '101', '106', '111', '127']));
    expect(all.some(({ information }) => information.length > 0)).toBe(true);
    expect(all.some(({ purpose }) => purpose === 'SALA')).toBe(true);
    const news = everything.flatMap(({ statements }) =>
      statements.flatMap((each) => each.freeCommunications),
    );
    expect(news.length).toBeGreaterThan(0);
  });

  test("demo: nothing is anybody's: counterparties have accounts with zeros behind the bank code", () => {
    const own = new Set(accounts.map(({ iban }) => iban));
    const seen = new Map<string, string>();
    for (const { counterparty } of movements.flatMap((each) => [each, ...each.details])) {
      if (counterparty.account === '') continue;
      expect(counterparty.account).toMatch(/^BE\d{2}\d{3}00000/);
      expect(isValidIban(counterparty.account)).toBe(true);
      expect(own.has(counterparty.account)).toBe(false);
      // Everybody's savings.
      if (counterparty.account.startsWith('979', 4)) continue;
      const name = seen.get(counterparty.account) ?? counterparty.name;
      expect(counterparty.name).toBe(name);
      seen.set(counterparty.account, counterparty.name);
    }
    expect(seen.size).toBeGreaterThan(40);
  });
});
