import type { Operation } from '@adx/contract';
import { follow, type SpecSchema, spec } from '@adx/contract/spec';
import { ApiError, type ErrorDetail, maximumFindings } from '../../api/api-error.js';
import { formsOf } from './described-values.js';

/** The part of a schema that bounds a value: its members, and how many items it may have. */
interface Outline {
  readonly takesObject: boolean;
  /** Undefined if no alternative is an array. */
  readonly maxItems: number | undefined;
  /** Returns the outline of a member; undefined if no alternative has it. */
  readonly member: (name: string) => Outline | undefined;
  readonly items: () => Outline;
}

/**
 * Returns the check that a JSON body has to pass before anything else reads it (D-69). The validator
 * creates several findings for each wrong item and each unknown field, and a body has room for tens of
 * thousands. After this check it meets only fields that exist, and no array that is longer than its
 * `maxItems`. A field is known if any alternative (`oneOf`) has it.
 *
 * The check also refuses halves of surrogate pairs, which no pattern can exclude and the database cannot
 * store (D-05).
 *
 * @throws ApiError `unknownField` with all unknown fields, otherwise `validationFailed`; both up to 100
 */
export function createOutlineCheck({
  method,
  path,
}: Pick<Operation, 'method' | 'path'>): (body: unknown) => void {
  const body = follow(spec.paths[path]?.[method]?.requestBody ?? {}).content?.['application/json'];
  const outline = outlineOf([body?.schema ?? {}]);
  return (value) => {
    const fields: string[] = [];
    const details: ErrorDetail[] = [];
    collect(value, outline, '', { fields, details });
    if (fields.length > 0) throw new ApiError('unknownField', { fields });
    if (details.length > 0) throw new ApiError('validationFailed', { details });
  };
}

/** Adds what is wrong with a value and its members. */
function collect(
  value: unknown,
  outline: Outline,
  path: string,
  found: { readonly fields: string[]; readonly details: ErrorDetail[] },
): void {
  const within = path === '' ? '' : `${path}.`;
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse('must not contain half of a surrogate pair');
  } else if (Array.isArray(value)) {
    const { maxItems } = outline;
    if (maxItems === undefined) return;
    if (value.length > maxItems) refuse(`must NOT have more than ${maxItems} items`);
    else value.forEach((each, i) => void collect(each, outline.items(), `${within}${i}`, found));
  } else if (typeof value === 'object' && value !== null && outline.takesObject) {
    for (const name in value) {
      if (found.fields.length >= maximumFindings) return;
      const member = outline.member(name);
      if (member !== undefined) collect(Reflect.get(value, name), member, within + name, found);
      else found.fields.push(within + name);
    }
  }

  function refuse(message: string) {
    if (found.details.length < maximumFindings) found.details.push({ path, message });
  }
}

function outlineOf(schemas: readonly SpecSchema[]): Outline {
  const forms = schemas.flatMap(formsOf);
  const arrays = forms.flatMap(({ items, maxItems }) =>
    items === undefined ? [] : [{ items, maxItems: Number(maxItems ?? Number.POSITIVE_INFINITY) }],
  );
  // Made when they are first asked for, because a schema may contain itself.
  const members = new Map<string, Outline>();
  let ofItems: Outline | undefined;
  return {
    takesObject: forms.some(({ properties }) => properties !== undefined),
    maxItems: arrays.length === 0 ? undefined : Math.max(...arrays.map((each) => each.maxItems)),
    member(name) {
      const known = members.get(name);
      if (known !== undefined) return known;
      const described = forms.flatMap(({ properties }): readonly SpecSchema[] | SpecSchema =>
        properties && Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
      );
      if (described.length === 0) return undefined;
      const outline = outlineOf(described);
      members.set(name, outline);
      return outline;
    },
    items() {
      ofItems ??= outlineOf(arrays.map(({ items }) => items));
      return ofItems;
    },
  };
}
