import type { ErrorCode } from '@adx/contract';
import type { OperationAnswer } from './call-operation.js';

let keys = 0;

/** Returns an `Idempotency-Key` that no other test of the file has. */
export function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}

export const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** Returns the part of an answer that a repetition gets again. */
export function answerOf({ status, text }: OperationAnswer) {
  return { status, text };
}

export function errorOf({ status, body }: OperationAnswer): [number, ErrorCode] {
  return [status, (body as { error: ErrorCode }).error];
}
