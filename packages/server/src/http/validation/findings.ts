import type { SpecSchema } from '@adx/contract/spec';
import type { Request } from 'express';
import { type SchemaLookup, valueAt } from './described-values.js';

/** A finding: `path` is as in {@link SchemaLookup}, `errorCode` `<keyword>.openapi.validation`. */
export interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string | undefined;
}

export function keyword({ errorCode }: Finding): string {
  return errorCode?.split('.', 1)[0] ?? '';
}

/** Returns the message. One about the form of a text has an example from the spec, if any. */
export function messageOf(finding: Finding, schemasAt: SchemaLookup): string {
  const { path, message } = finding;
  const name = keyword(finding);
  // Its path has the name of the field, which the validator's message repeats.
  if (name === 'required') return 'is required';
  if (name !== 'pattern' && name !== 'format') return message;
  const schema = schemasAt(path).find((each) => message === `must match ${name} "${each[name]}"`);
  const [example] = Array.isArray(schema?.['examples']) ? schema['examples'] : [];
  return example === undefined ? message : `${message}, for example ${example}`;
}

/**
 * Leaves out the findings of alternatives (`oneOf`) that were not meant: of another type than the
 * value, or with fewer of the fields that were sent.
 */
export function withoutOtherForms(
  findings: readonly Finding[],
  request: Request,
  schemasAt: SchemaLookup,
): readonly Finding[] {
  const unions = findings.filter((finding) => keyword(finding) === 'oneOf');
  return unions.reduce<readonly Finding[]>((left, { path }) => {
    const { oneOf = [] } = schemasAt(path).find((schema) => schema.oneOf !== undefined) ?? {};
    const meant = formsMeant(oneOf, valueAt(path, request));
    const rest = left.filter((finding) => !isOfOtherForm(finding, path, meant));
    return rest.length > 0 ? rest : left;
  }, findings);
}

/** Returns no alternative if the value has another type than all of them. */
function formsMeant(forms: readonly SpecSchema[], value: unknown): SpecSchema[] {
  const ofType = forms.filter((form) => hasType(value, form));
  // The keys of a text would be its letters.
  const sent = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = ofType.map(
    ({ properties = {} }) => sent.filter((name) => Object.hasOwn(properties, name)).length,
  );
  return ofType.filter((_, i) => known[i] === Math.max(...known));
}

function hasType(value: unknown, { type }: SpecSchema): boolean {
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return [type ?? own].flat().includes(own);
}

/** @param path - of the value that has alternatives */
function isOfOtherForm(finding: Finding, path: string, meant: readonly SpecSchema[]): boolean {
  const name = keyword(finding);
  if (finding.path === path) {
    if (name === 'oneOf') return true;
    return meant.length > 0 && (name === 'type' || (name === 'enum' && !meant.some(hasEnum)));
  }
  if (name !== 'required' || meant.length === 0) return false;
  const names = meant.flatMap(({ required = [] }) => required);
  const isMember = finding.path.lastIndexOf('/') === path.length && finding.path.startsWith(path);
  return isMember && !names.includes(finding.path.slice(path.length + 1));
}

function hasEnum(schema: SpecSchema): boolean {
  return schema.enum !== undefined;
}
