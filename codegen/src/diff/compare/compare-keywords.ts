import type { JsonValue } from '../../document/json.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { Lead, PartChange, SchemaPair, SchemaPlace } from './change.js';
import { keywordText, listOf, pairs, show, verbOf } from './compare-members.js';
import {
  constraintEffect,
  constraints,
  type Effect,
  isImplied,
  isOf,
  listEffect,
  typeEffect,
  weightOf,
} from './constraints.js';
import { nameIn, subtypesOf, targetOf } from './references.js';
import { isSame } from './same.js';
import {
  allOf,
  boundsOf,
  keywordOf,
  nameOf,
  type SchemaView,
  typeOf,
  viewOf,
} from './schema-view.js';

/** A change in a schema, of which only the place in the schema is known. */
export type SchemaChange = Omit<PartChange, 'use'> & {
  /** Leads from the schema to the place. */
  readonly lead?: Lead | undefined;
  /** The values that are concerned, as texts. */
  readonly values?: readonly string[] | undefined;
};

export interface Views {
  readonly before: SchemaView;
  readonly after: SchemaView;
}

export function changeOf(
  effect: Effect,
  text: string,
  node: SpecNode,
  { direction }: SchemaPlace,
): SchemaChange {
  return { weight: weightOf(effect, direction), text, node };
}

/** Keywords that limit a value or give it a type. */
export function* compareKeywords(
  { before, after }: Views,
  place: SchemaPlace,
): Generator<SchemaChange> {
  const { member } = place;
  const keywordChange = (key: string, effect: Effect, old?: JsonValue, now?: JsonValue) => {
    const node = keywordOf(now === undefined ? before : after, key) ?? after.node;
    return changeOf(effect, keywordText(key, member, old, now), node, place);
  };
  const types = [typesBeside(before, after), typesBeside(after, before)] as const;
  const ofTypes = haveType(before, after) ? undefined : typeEffect(...types);
  const shown = ({ types }: SchemaView) => (types?.length === 1 ? types[0] : types);
  if (ofTypes) yield keywordChange('type', ofTypes, shown(before), shown(after));
  const [boundOf, boundNow] = [boundsOf(before), boundsOf(after)];
  for (const key of constraints) {
    const [old, now] = [boundOf(key), boundNow(key)];
    const effect = constraintEffect(key, old, now);
    const isNothingNew =
      (effect === 'fewer' && isImplied(key, now, boundOf)) ||
      (now === undefined && isImplied(key, old, boundNow));
    if (effect && !isNothingNew) yield keywordChange(key, effect, old, now);
  }
  const [old, now] = [keywordOf(before, 'default'), keywordOf(after, 'default')];
  if (!isSame(old, now)) {
    // A caller that leaves the field out gets another one.
    const change = keywordChange('default', 'fewer', old?.value, now?.value);
    yield old ? change : { ...change, weight: 'patch' };
  }
  const isNever = ({ parts }: SchemaView) => parts.some(({ node }) => node.value === false);
  if (isNever(before) !== isNever(after)) {
    const text = `\`${member}\` ${isNever(after) ? 'can no longer have' : 'can now have'} a value.`;
    yield changeOf(isNever(after) ? 'fewer' : 'more', text, after.node, place);
  }
}

/** Returns the types, or those of all alternatives if only another schema has some beside them. */
function typesBeside(view: SchemaView, other: SchemaView): readonly string[] | undefined {
  const [list] = view.alternatives;
  if (view.types || !list || !other.types) return view.types;
  const kinds = list.schemas.map(viewOf).map(({ values, types }) => values ?? types);
  return kinds.includes(undefined)
    ? undefined
    : [...new Set(kinds.flatMap((each) => (each ?? []).map(typeOf)))];
}

/** Returns true if values say what the type says: both may be written, or one of them. */
function haveType(before: SchemaView, after: SchemaView): boolean {
  const ofValues = ({ values }: SchemaView, { types = [] }: SchemaView) =>
    values?.every((value) => types.some((type) => isOf(type, value))) === true;
  return ofValues(before, after) || ofValues(after, before);
}

/** Leads to a place that the usage does not count. */
export const uncounted: Lead = (around) => ({ ...around, path: undefined });

/** Compares a discriminator, and the schemas that its values lead to. */
export function* compareDiscriminators(
  both: Views,
  place: SchemaPlace,
): Generator<SchemaChange | SchemaPair> {
  const [old, now] = [discriminated(both.before), discriminated(both.after)];
  const node = now ?? old;
  if (node === undefined) return;
  // One that is new limits requests, unless the alternatives have values of their own for it.
  const whole = old ? 'other' : 'fewer';
  const effect = old && now ? discriminatorEffect(both, old, now) : whole;
  const verb = verbOf({ before: old, after: now });
  const text = `The \`discriminator\` of \`${place.member}\` ${verb}.`;
  const change = effect && changeOf(effect, text, node.get('discriminator') ?? node, place);
  if (change) yield !old && haveKinds(both.after, node) ? { ...change, weight: 'patch' } : change;
  if (old === undefined || now === undefined) return;
  for (const { key, ...sides } of pairs(subtypesOf(old), subtypesOf(now))) {
    const was = targetOf(old.document, sides.before ?? '');
    const is = targetOf(now.document, sides.after ?? '');
    if (was === undefined || is === undefined) continue;
    const inside = { ...place, member: `${place.member}.${key}` };
    yield { before: [was], after: [is], place: inside, lead: uncounted };
  }
}

/** Returns true if each alternative has values for the property of a discriminator. */
function haveKinds({ alternatives }: SchemaView, node: SpecNode): boolean {
  const name = node.at('discriminator', 'propertyName')?.text ?? '';
  const kindsIn = (schema: SpecNode) =>
    viewOf([schema]).parts.flatMap((part) => part.node.at('properties', name) ?? []);
  const schemas = alternatives.flatMap((list) => list.schemas.flat());
  return schemas.every((schema) => kindsIn(schema).some((kind) => viewOf([kind]).values));
}

function discriminated(view: SchemaView): SpecNode | undefined {
  return view.parts.find(({ node }) => node.get('discriminator'))?.node;
}

/**
 * Returns the effect of another discriminator. The schemas that its values lead to are compared as
 * alternatives, so they may have new names, but no value may lead to another one of them.
 */
function discriminatorEffect(
  { before, after }: Views,
  holder: SpecNode,
  holderNow: SpecNode,
): Effect | undefined {
  const [property, propertyNow] = [holder, holderNow].map(
    (node) => node.at('discriminator', 'propertyName')?.text,
  );
  if (property !== propertyNow) return 'other';
  const [old, now] = [valuesOf(holder, before), valuesOf(holderNow, after)];
  const names = [...old.values()];
  const isMoved = [...now].some(
    ([value, name]) => old.has(value) && old.get(value) !== name && names.includes(name),
  );
  return isMoved ? 'other' : listEffect([...old.keys()], [...now.keys()]);
}

/**
 * Returns the names of schemas by the values that lead to them, also those of alternatives. Beside
 * a mapping, a schema that has this one as a part need not be one of its subtypes.
 */
function valuesOf(holder: SpecNode, { alternatives }: SchemaView): Map<string, string> {
  const mapping = holder.at('discriminator', 'mapping');
  const subtypes = [...subtypesOf(holder)]
    .filter(([value]) => mapping === undefined || mapping.get(value))
    .map(([value, reference]) => [value, nameIn(reference)] as const);
  const mapped = subtypes.map(([, name]) => name);
  const names = alternatives
    .flatMap(({ node }) => node.items.flatMap((alternative) => nameOf(alternative) ?? []))
    .filter((name) => !mapped.includes(name));
  return new Map([...subtypes, ...names.map((name) => [name, name] as const)]);
}

/** Compares `enum` and `const`. Callers handle an unknown error code by its status (D-40). */
export function* compareValues(
  { before, after }: Views,
  place: SchemaPlace,
): Generator<SchemaChange> {
  const [old, now] = [before.values, after.values];
  const { member, isErrorCode } = place;
  const [node = after.node] = (now ? [after] : [before]).flatMap((view) => [
    ...allOf(view, 'enum'),
    ...allOf(view, 'const'),
  ]);
  const list = (values: readonly string[]) =>
    listOf(values.map((value) => show(JSON.parse(value))));
  // Nobody means a schema without any value: it has another type than its values.
  const fewer = now?.length === 0 ? 'other' : 'fewer';
  if (old === undefined || now === undefined) {
    const verb = old ? 'no longer' : 'now';
    const named = list(old ?? now ?? []) || 'no value';
    const text = `\`${member}\` is ${verb} limited to ${named}.`;
    if (old ?? now) yield changeOf(old ? 'more' : fewer, text, node, place);
    return;
  }
  const named = (values: readonly string[]) =>
    `the value${values.length === 1 ? '' : 's'} ${list(values)}`;
  const lost = old.filter((value) => !now.includes(value));
  const gained = now.filter((value) => !old.includes(value));
  if (lost.length > 0) {
    const text = `\`${member}\` loses ${named(lost)}.`;
    const values = lost.map((value) => String(JSON.parse(value)));
    yield { ...changeOf(fewer, text, node, place), values };
  }
  if (gained.length > 0) {
    const change = changeOf('more', `\`${member}\` gains ${named(gained)}.`, node, place);
    yield { ...change, weight: isErrorCode ? 'minor' : change.weight, kind: 'addition' };
  }
}
