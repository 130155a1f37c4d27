import type { SpecNode } from '../../document/spec-document.js';
import type { Direction, PartChange } from './change.js';
import { keywordText, listOf, membersOf, pairs, show } from './compare-members.js';
import {
  allowedValues,
  constraintEffect,
  constraints,
  type Effect,
  listEffect,
  typeEffect,
  weightOf,
} from './constraints.js';
import { isSame, type Resolved, resolve } from './resolve.js';

export interface SchemaPlace {
  readonly direction: Direction;
  /** Its name in sentences: `Customer.address`. */
  readonly member: string;
  /** The name in the usage (D-41), if that counts it: `body.address`. */
  readonly path?: string | undefined;
  /** The name of the innermost part around it that not every call has. */
  readonly field?: string | undefined;
  /** True for items and alternatives: what they require is not in every call. */
  readonly isConditional?: boolean;
  readonly isInField?: boolean;
  /** True for the `error` of an error, which holds its code. */
  readonly isErrorCode?: boolean;
  /** The schemas around it, so that recursion ends. */
  readonly around?: readonly string[];
}

export interface Schemas {
  readonly before: Resolved;
  readonly after: Resolved;
}

export function useOf({ direction, field }: SchemaPlace): PartChange['use'] {
  return { direction, field };
}

export function changeOf(
  effect: Effect,
  text: string,
  node: SpecNode,
  place: SchemaPlace,
): PartChange {
  const weight = weightOf(effect, place.direction);
  return { weight, text, node, use: useOf(place) };
}

/** Keywords that limit a value or give it a type. */
export function* compareKeywords(
  { before, after }: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const { member, direction } = place;
  for (const { key, ...sides } of pairs(before.members, after.members)) {
    const [old, now] = [sides.before?.value, sides.after?.value];
    const node = sides.after ?? sides.before ?? after.node;
    const change = (effect: Effect) =>
      changeOf(effect, keywordText(key, member, old, now), node, place);
    if (constraints.includes(key)) {
      const effect = constraintEffect(key, old, now);
      if (effect) yield change(effect);
    } else if (key === 'type') {
      const effect = typeEffect([old ?? []].flat().map(String), [now ?? []].flat().map(String));
      if (effect) yield change(effect);
    } else if (['format', 'contentEncoding', 'contentMediaType'].includes(key)) {
      if (old !== now) yield change('other');
    } else if (key === 'default' && !isSame(sides.before, sides.after)) {
      // A caller that leaves the field out gets the new one.
      const isPromised = direction === 'request' && old !== undefined;
      yield { ...change('fewer'), weight: isPromised ? 'major' : 'patch' };
    } else if (key === 'discriminator') {
      const effect = discriminatorEffect({ before, after });
      const text = `The \`discriminator\` of \`${member}\` changes.`;
      if (effect) yield changeOf(effect, text, node, place);
    }
  }
  const isNever = ({ node }: Resolved) => node.value === false;
  if (isNever(before) !== isNever(after)) {
    const text = `\`${member}\` ${isNever(after) ? 'can no longer have' : 'can now have'} a value.`;
    yield changeOf(isNever(after) ? 'fewer' : 'more', text, after.node, place);
  }
}

/**
 * Returns the effect of another discriminator. The schemas that its values lead to are compared as
 * alternatives, so they may have new names, but no value may lead to another one of them.
 */
function discriminatorEffect({ before, after }: Schemas): Effect | undefined {
  const propertyOf = ({ members }: Resolved) => members.get('discriminator')?.get('propertyName');
  if (propertyOf(before)?.text !== propertyOf(after)?.text) return 'other';
  const [old, now] = [discriminatorValues(before), discriminatorValues(after)];
  const isMoved = [...now].some(([value, name]) => {
    const former = old.get(value) ?? name;
    return former !== name && [...old.values()].includes(name);
  });
  return isMoved ? 'other' : listEffect([...old.keys()], [...now.keys()]);
}

/**
 * Returns schemas by the values of the mapping, or the names of alternatives that it lacks (OpenAPI
 * 3.1 §4.8.25).
 */
function discriminatorValues({ members }: Resolved): Map<string, string> {
  const mapping = [...membersOf(members.get('discriminator')?.get('mapping'))].map(
    ([value, { text = '' }]) => [value, text.replace(/^.*\//, '')] as const,
  );
  const mapped = mapping.map(([, name]) => name);
  const names = ['oneOf', 'anyOf']
    .flatMap((keyword) => members.get(keyword)?.items ?? [])
    .flatMap((alternative) => resolve(alternative).name ?? [])
    .filter((name) => !mapped.includes(name));
  return new Map([...mapping, ...names.map((name) => [name, name] as const)]);
}

/** Compares `enum` and `const`. Callers handle an unknown error code by its status (D-40). */
export function* compareValues(
  { before, after }: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const [old, now] = [before, after].map(({ members }) =>
    allowedValues(members.get('enum')?.value, members.get('const')?.value),
  );
  const { member, direction, path, isErrorCode } = place;
  const node = [after, before]
    .flatMap(({ members }) => members.get('enum') ?? members.get('const') ?? [])
    .at(0);
  if (node === undefined || (old === undefined && now === undefined)) return;
  const list = (values: readonly string[]) =>
    listOf(values.map((value) => show(JSON.parse(value))));
  if (old === undefined || now === undefined) {
    const values = list(old ?? now ?? []);
    const text = old
      ? `\`${member}\` is no longer limited to ${values}.`
      : `\`${member}\` is now limited to ${values}.`;
    yield changeOf(old ? 'more' : 'fewer', text, node, place);
    return;
  }
  const lost = old.filter((value) => !now.includes(value));
  const gained = now.filter((value) => !old.includes(value));
  if (lost.length > 0) {
    const text = `\`${member}\` loses ${valuesOf(list(lost), lost)}.`;
    const change = changeOf('fewer', text, node, place);
    // Values count for required fields too.
    const values = lost.map((value) => String(JSON.parse(value)));
    yield path === undefined ? change : { ...change, use: { direction, field: path, values } };
  }
  if (gained.length > 0) {
    const change = changeOf(
      'more',
      `\`${member}\` gains ${valuesOf(list(gained), gained)}.`,
      node,
      place,
    );
    const weight = isErrorCode ? 'minor' : change.weight;
    yield { ...change, weight, kind: 'addition' };
  }
}

function valuesOf(list: string, values: readonly string[]): string {
  return `the value${values.length === 1 ? '' : 's'} ${list}`;
}
