import type { Statement } from './statement.js';

/**
 * The date of a statement, `YYYY-MM-DD`: that of its new balance, else of its creation.
 */
export function statementDate({ newBalance, header }: Statement): string {
  return newBalance?.date ?? header.creationDate;
}

/**
 * The key that tells a statement from every other one: account, currency, extension, year, number
 * and date. Numbers start again each year, and banks repeat them.
 *
 * @example statementKey(statement) // 'BE71096123456769 EUR  2026 14 2026-02-03'
 */
export function statementKey(statement: Statement): string {
  const { account, year, statementNumber } = statement;
  const { number, currency, extension } = account;
  return [number, currency, extension, year, statementNumber, statementDate(statement)].join(' ');
}
