import type { SpecNode } from '../../document/spec-document.js';
import type { Direction, PartChange } from './change.js';
import { keywordText, listOf, type Pair, pairs, show } from './compare-members.js';
import {
  allowedValues,
  constraintEffect,
  constraints,
  type Effect,
  typeEffect,
  weightOf,
} from './constraints.js';
import { isSame, type Resolved } from './resolve.js';

/** Where a schema is used. */
export interface SchemaPlace {
  readonly direction: Direction;
  /** Its name in sentences: `Customer.address`. */
  readonly member: string;
  /** Its path in a request as the usage counts it, arrays elided: `body.address`. */
  readonly path?: string | undefined;
  /** The same of the innermost optional part around it; undefined if every call has it. */
  readonly field?: string | undefined;
  /** The schemas around it, so that recursion ends. */
  readonly around?: readonly string[];
}

/** Two schemas with their references followed. */
export interface Schemas {
  readonly before: Resolved;
  readonly after: Resolved;
}

/** The calls that a change at a place concerns. */
export function useOf({ direction, field }: SchemaPlace): PartChange['use'] {
  return { direction, field };
}

/** A change of the values that a schema allows. */
export function changeOf(
  effect: Effect,
  text: string,
  node: SpecNode,
  place: SchemaPlace,
): PartChange {
  const weight = weightOf(effect, place.direction);
  return { weight, text, kind: 'other', node, use: useOf(place) };
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
    const text = keywordText(key, member, old, now);
    if (constraints.includes(key)) {
      const effect = constraintEffect(key, old, now);
      if (effect) yield changeOf(effect, text, node, place);
    } else if (key === 'type') {
      const effect = typeEffect([old ?? []].flat().map(String), [now ?? []].flat().map(String));
      if (effect) yield changeOf(effect, text, node, place);
    } else if (['format', 'contentEncoding', 'contentMediaType'].includes(key)) {
      if (old !== now) yield changeOf('other', text, node, place);
    } else if (key === 'default' && !isSame(sides.before, sides.after)) {
      // A caller that leaves the field out gets the new one.
      const isPromised = direction === 'request' && old !== undefined;
      yield { ...changeOf('fewer', text, node, place), weight: isPromised ? 'major' : 'patch' };
    } else if (key === 'discriminator' && !isSameDiscriminator(sides)) {
      yield changeOf('other', `The \`discriminator\` of \`${member}\` changes.`, node, place);
    }
  }
  const isNever = ({ node }: Resolved) => node.value === false;
  if (isNever(before) !== isNever(after)) {
    const text = `\`${member}\` ${isNever(after) ? 'can no longer have' : 'can now have'} a value.`;
    yield changeOf(isNever(after) ? 'fewer' : 'more', text, after.node, place);
  }
}

/** The schemas that a mapping leads to are compared as alternatives, so their names do not matter. */
function isSameDiscriminator({ before, after }: Omit<Pair<SpecNode>, 'key'>): boolean {
  const [old, now] = [before, after].map((node) => [
    node?.get('propertyName')?.text,
    node
      ?.get('mapping')
      ?.members.map(({ key }) => key)
      .sort(),
  ]);
  return JSON.stringify(old) === JSON.stringify(now);
}

/** `enum` and `const`. Callers handle an unknown value of an error, a code, by its status (D-40). */
export function* compareValues(
  { before, after }: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const [old, now] = [before, after].map(({ members }) =>
    allowedValues(members.get('enum')?.value, members.get('const')?.value),
  );
  const { member, direction, field, path } = place;
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
    const values =
      field !== undefined && field === path
        ? lost.map((value) => String(JSON.parse(value)))
        : undefined;
    const change = changeOf(
      'fewer',
      `\`${member}\` loses ${valuesOf(list(lost), lost)}.`,
      node,
      place,
    );
    yield { ...change, use: { ...change.use, values } };
  }
  if (gained.length > 0) {
    const change = changeOf(
      'more',
      `\`${member}\` gains ${valuesOf(list(gained), gained)}.`,
      node,
      place,
    );
    const weight = direction === 'response' ? 'major' : 'minor';
    yield { ...change, weight, kind: weight === 'minor' ? 'addition' : 'other' };
  }
}

function valuesOf(list: string, values: readonly string[]): string {
  return `the value${values.length === 1 ? '' : 's'} ${list}`;
}
