import { parseInstant } from '../dates/instant.js';

/** Returns the instant in a field of a request, which the validation has accepted. */
export function readInstant(text: string): Date {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new Error('A text that is no instant has passed the validation');
}
