import { parseInstant } from '../dates/instant.js';
import { ApiError } from './api-error.js';

/**
 * Returns the instant in a field of a request.
 *
 * @throws ApiError `validationFailed` if it is not an instant
 */
export function readInstant(field: string, text: string): Date {
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw new ApiError('validationFailed', {
    details: [{ path: field, message: 'must match format "date-time"' }],
  });
}
