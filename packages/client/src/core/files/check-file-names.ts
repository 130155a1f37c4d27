import type { OperationId } from '@adx/contract';
import type { Caller } from '../call.js';

/**
 * Refuses an answer if the name of a file in it is not one of the spec: programs make paths of
 * names, which must not lead out of a folder (D-50). At any depth, because pending files also get
 * the fields of their groups.
 *
 * @throws {AdxError} for the first such name
 */
export function checkFileNames(
  caller: Pick<Caller, 'errors'>,
  operation: OperationId,
  pattern: RegExp,
  answer: unknown,
): void {
  if (typeof answer !== 'object') return;
  for (const [field, value] of Object.entries(answer ?? {})) {
    if (field !== 'fileName') checkFileNames(caller, operation, pattern, value);
    else if (typeof value !== 'string' || !pattern.test(value)) {
      const name = JSON.stringify(value).slice(0, 100);
      const message = `${operation} has a file named ${name}, as no file may be`;
      throw new caller.errors.AdxError(operation, message);
    }
  }
}
