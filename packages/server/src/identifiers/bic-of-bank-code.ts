import { belgianBankCodes } from './belgian-bank-codes.js';

/** Returns undefined if a three-digit code is not assigned or has no BIC. */
export function bicOfBankCode(code: string): string | undefined {
  const range = belgianBankCodes.find(([from, to]) => from <= code && code <= to);
  return range?.[2] || undefined;
}
