import type { DescribedValue } from '@adx/contract/requests';
import { ApiError, type ErrorDetail, maximumFindings } from '../../api/api-error.js';

/**
 * Checks fields and lengths of lists (D-69). The validator creates several findings for each wrong
 * item and each unknown field, and a body has room for tens of thousands. After this check it meets
 * only fields that exist, in any alternative (`oneOf`), and no array beyond its `maxItems`.
 *
 * Halves of surrogate pairs are refused too, which no pattern can exclude and the database cannot
 * store (D-05).
 *
 * @throws ApiError `unknownField` with all unknown fields, otherwise `validationFailed`
 */
export function checkOutline(body: unknown, described: DescribedValue): void {
  const fields: string[] = [];
  const details: ErrorDetail[] = [];
  collect(body, described, '', { fields, details });
  if (fields.length > 0) throw new ApiError('unknownField', { fields });
  if (details.length > 0) throw new ApiError('validationFailed', { details });
}

function collect(
  value: unknown,
  described: DescribedValue,
  path: string,
  found: { readonly fields: string[]; readonly details: ErrorDetail[] },
): void {
  const within = path === '' ? '' : `${path}.`;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse('must not contain half of a surrogate pair');
  } else if (Array.isArray(value)) {
    const { maxItems } = described;
    if (maxItems === undefined) return;
    if (value.length > maxItems) refuse(`must NOT have more than ${maxItems} items`);
    else value.forEach((each, i) => void collect(each, described.items(), `${within}${i}`, found));
  } else if (typeof value === 'object' && value !== null && described.hasFields) {
    for (const name in value) {
      if (found.fields.length >= maximumFindings) return;
      const field = described.field(name);
      if (field !== undefined) collect(Reflect.get(value, name), field, within + name, found);
      else found.fields.push(within + name);
    }
  }

  function refuse(message: string) {
    if (found.details.length < maximumFindings) found.details.push({ path, message });
  }
}
