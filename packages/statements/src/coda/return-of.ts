import { givenText } from './given-text.js';
import type { Movement } from './statement.js';

/** An R-transaction. */
export interface Return {
  /** 0 none, 1 reject, 2 return, 3 refund, 4 reversal, 5 cancellation. */
  readonly kind: number;
  /** An ISO 20022 code of four characters, or `''`. */
  readonly reason: string;
}

/**
 * Returns what record 2.2 (113-117) says of an R-transaction, and else what a direct debit does
 * (type 127): banks fill either, or each with a part.
 */
export function returnOf({ rTransaction, reason, communication }: Movement): Return {
  const isDebit = communication.kind === 'structured' && communication.type === '127';
  const debit = isDebit ? communication : { rTransaction: '', reason: '' };
  return {
    kind: rTransaction || Number(debit.rTransaction) || 0,
    reason: givenText(reason) || givenText(debit.reason),
  };
}
