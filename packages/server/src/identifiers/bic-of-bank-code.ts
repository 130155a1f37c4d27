import { belgianBankCodes } from './belgian-bank-codes.js';

/** Returns the BIC of a three-digit code; undefined if it is not assigned or has none. */
export function bicOfBankCode(code: string): string | undefined {
  const range = belgianBankCodes.find(([from, to]) => from <= code && code <= to);
  return range?.[2] || undefined;
}
