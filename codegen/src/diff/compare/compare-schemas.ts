import { isAnnotation } from '../../document/openapi-places.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { PartChange, SchemaPair, SchemaPlace } from './change.js';
import {
  changeOf,
  compareDiscriminators,
  compareKeywords,
  compareValues,
  type SchemaChange,
  uncounted,
  type Views,
} from './compare-keywords.js';
import { compareMembers, compareOtherMembers, pairs, show, verbOf } from './compare-members.js';
import {
  allowance,
  compareProperties,
  conditional,
  otherFields,
  othersOf,
  propertiesOf,
} from './compare-properties.js';
import { constraints } from './constraints.js';
import { mayOverlap } from './overlap.js';
import type { Schema } from './references.js';
import { isSame } from './same.js';
import {
  type Alternatives,
  allOf,
  keywordOf,
  keywordsOf,
  kindsOf,
  nameOfOnly,
  type SchemaView,
  sharedKinds,
  typeOf,
  viewOf,
} from './schema-view.js';

export type { SchemaChange } from './compare-keywords.js';

type Found = SchemaChange | SchemaPair;

const inner = ['propertyNames', 'contains', 'unevaluatedItems', 'not', 'if', 'then', 'else'];
const mappings = ['prefixItems', 'patternProperties', 'dependentSchemas'];

/** Keywords that are weighed here. `$defs` counts by the references to it. */
const weighed: readonly string[] = [
  ...[...constraints, 'type', 'enum', 'const', 'default', 'properties', 'required', 'readOnly'],
  ...['writeOnly', 'items', ...otherFields, ...inner, ...mappings, 'allOf', 'anyOf', 'oneOf'],
  ...['discriminator', '$ref', '$dynamicRef', '$defs', '$anchor', '$dynamicAnchor'],
];

/** Compares schemas (Schema Object, OpenAPI 3.1 §4.8.24). D-40 says what weighs what. */
export function* compareSchemas({ before, after, place }: SchemaPair): Generator<Found> {
  const both = { before: viewOf(before), after: viewOf(after) };
  const { name } = both.after;
  const isNamed = name !== undefined && name === both.before.name;
  const isMoved = !isNamed && (place.isMoved || name !== undefined);
  // It limits the items that no other keyword describes.
  const isOpaque = place.isOpaque || keywordOf(both.after, 'unevaluatedItems') !== undefined;
  const inside = { ...place, isMoved, isOpaque, ...(isNamed && { member: name }) };
  const lists = gathered(both);
  const all = lists ? compareAlternatives(...lists, inside) : compareAll(both, inside);
  const isAlone = lists !== undefined && both.after.alternatives.length === 0;
  for (const found of [...(isAlone ? [] : compareDiscriminators(both, inside)), ...all]) {
    yield isOpaque && 'weight' in found ? { ...found, weight: 'major' } : found;
  }
  yield* compareAnnotations(both, `\`${inside.member}\``);
}

function* compareAnnotations({ before, after }: Views, subject: string): Generator<PartChange> {
  const members = [...new Set([...keywordsOf(after), ...keywordsOf(before)])].map((key) => {
    const [old, now] = [allOf(before, key), allOf(after, key)];
    const lost = old.find((node) => !now.some((each) => isSame(node, each)));
    const gained = now.find((node) => !old.some((each) => isSame(each, node)));
    return { key, before: lost, after: gained };
  });
  yield* compareMembers(members, subject, weighed);
  for (const { key, ...sides } of pairs(spellingsOf(before), spellingsOf(after))) {
    const { before: old, after: now } = sides;
    if (old && now) yield* compareOtherMembers(old, now, `\`${key}\` of ${subject}`, weighed);
  }
}

/** Returns the alternatives that are types and values by what they are. */
function spellingsOf({ spellings }: SchemaView): Map<string, SpecNode> {
  return new Map(
    spellings.map((node) => [
      show(['const', 'enum', 'type'].flatMap((key) => node.get(key)?.value ?? [])[0]),
      node,
    ]),
  );
}

function* compareAll(both: Views, place: SchemaPlace): Generator<Found> {
  yield* compareKeywords(both, place);
  yield* compareValues(both, place);
  yield* compareProperties(both, place);
  const [before, after] = [both.before, both.after];
  yield* compareAllowances('items', allOf(before, 'items'), allOf(after, 'items'), place);
  yield* compareAllowances('other fields', othersOf(before), othersOf(after), place);
  for (const keyword of [...inner, ...mappings]) yield* compareFurther(keyword, both, place);
  const [lists, listsNow] = [before.alternatives, after.alternatives];
  const longer = lists.length > listsNow.length ? lists : listsNow;
  for (const [index, { keyword, node }] of longer.entries()) {
    const [old, now] = [lists[index], listsNow[index]];
    const text = `\`${place.member}\` ${now ? 'now' : 'no longer'} has \`${keyword}\`.`;
    if (old && now) yield* compareAlternatives(old, now, place);
    else yield changeOf(now ? 'fewer' : 'more', text, node, place);
  }
}

/** Compares items and other fields: absent they allow everything, `false` nothing. */
function* compareAllowances(
  what: 'items' | 'other fields',
  before: Schema,
  after: Schema,
  place: SchemaPlace,
): Generator<Found> {
  const node = after[0] ?? before[0];
  const [old, now] = [allowance(before), allowance(after)];
  if (node && old !== now) {
    const allowances = ['nothing', 'some', 'everything'];
    const isMore = allowances.indexOf(now) > allowances.indexOf(old);
    const isDescribed = old !== 'nothing' && now !== 'nothing';
    const verb = isDescribed
      ? `${isMore ? 'no longer has' : 'now has'} a schema for its`
      : `can ${isMore ? 'now' : 'no longer'} have`;
    const text = `\`${place.member}\` ${verb} ${what}.`;
    const change = changeOf(isMore ? 'more' : 'fewer', text, node, place);
    // Callers ignore fields that they do not know.
    const isOpened = what === 'other fields' && old === 'nothing';
    yield isOpened ? { ...change, weight: 'minor' } : change;
  } else if (before.length > 0 && after.length > 0) {
    const [end, lead] = what === 'items' ? ['[]', conditional] : ['.*', uncounted];
    yield { before, after, place: { ...place, member: place.member + end }, lead };
  }
}

/** Compares a keyword whose schemas limit values further. */
function* compareFurther(keyword: string, both: Views, place: SchemaPlace): Generator<Found> {
  // Items and fields without a schema of their own have to match that of the others, if any.
  const isOfItems = keyword === 'prefixItems';
  const others = isOfItems ? allOf(both.after, 'items') : othersOf(both.after);
  const isOfSome = isOfItems || keyword === 'patternProperties';
  const isOther = isOfSome && allowance(others) !== 'everything';
  const isCounted = keyword === 'contains' && keywordOf(both.after, 'maxContains') !== undefined;
  const isOpaque = place.isOpaque || ['not', 'if'].includes(keyword) || isCounted;
  const lead = isOfItems ? conditional : uncounted;
  const schemas = pairs(schemasOf(both.before, keyword), schemasOf(both.after, keyword));
  for (const { key: name, either, ...sides } of schemas) {
    const { before: old, after: now } = sides;
    if (old && now) {
      const member = `${place.member}.${name}`;
      yield { before: [old], after: [now], place: { ...place, member, isOpaque }, lead };
    } else {
      const text = `The \`${name}\` of \`${place.member}\` ${verbOf(sides)}.`;
      const effect = isOther ? 'other' : now ? 'fewer' : 'more';
      yield changeOf(effect, text, either, place);
    }
  }
}

/** Returns the schemas of a keyword by their names: `not`, or `prefixItems.0`. */
function schemasOf(view: SchemaView, keyword: string): Map<string, SpecNode> {
  return new Map(
    allOf(view, keyword).flatMap((node, index): [string, SpecNode][] =>
      mappings.includes(keyword)
        ? [...node.members, ...node.items].map((each) => [`${keyword}.${each.key}`, each])
        : [[index === 0 ? keyword : `${keyword}[${index}]`, node]],
    ),
  );
}

/** Returns alternatives, one of them alone, if a schema became one of several or the other way. */
function gathered({ before, after }: Views): [Alternatives, Alternatives] | undefined {
  const [[list], [listNow]] = [before.alternatives, after.alternatives];
  const isGathering = (view: SchemaView) =>
    view.alternatives.length === 1 &&
    [...keywordsOf(view)].every((key) => isAnnotation(key) || gathering.includes(key));
  const only = ({ node, schema }: SchemaView, list: Alternatives) => ({
    ...list,
    node,
    schemas: [schema],
  });
  if (list && !listNow && isGathering(before)) return [list, only(after, list)];
  return listNow && !list && isGathering(after) ? [only(before, listNow), listNow] : undefined;
}

const gathering = ['oneOf', 'anyOf', 'allOf', '$ref', 'discriminator'];

/** Compares alternatives: by the same name, content or shape, and the others in order. */
function* compareAlternatives(
  old: Alternatives,
  now: Alternatives,
  place: SchemaPlace,
): Generator<Found> {
  const { member } = place;
  const { keyword } = now;
  if (old.keyword !== keyword) {
    const text = `\`${member}\` has \`${keyword}\` instead of \`${old.keyword}\`.`;
    const views = now.schemas.map(viewOf);
    // Values of different types match one alternative at most.
    const isFelt = views.some(
      (one, index) =>
        (one.types ?? one.values) === undefined ||
        views.slice(index + 1).some((other) => sharedKinds(one, other).length > 0),
    );
    if (isFelt) yield changeOf(keyword === 'anyOf' ? 'more' : 'fewer', text, now.node, place);
  }
  const { matched, lost, gained } = matchAlternatives(old, now);
  const shown = (schema: Schema) => nameOfOnly(schema) ?? `${keyword}[${schema[0]?.key}]`;
  const [kept, keptNow] = [matched.map(([schema]) => schema), matched.map(([, schema]) => schema)];
  for (const [before, after] of matched) {
    const isWhole = after[0] === now.node;
    const inside = isWhole ? place : { ...place, member: `${member}.${keyword}[${after[0]?.key}]` };
    const [was, is] = [isRefused(before, kept, old, place), isRefused(after, keptNow, now, place)];
    if (was !== is) {
      const verb = `${is ? 'now' : 'no longer'} refuses`;
      const text = `\`${member}\` ${verb} values of \`${shown(after)}\` that match another alternative.`;
      yield changeOf(is ? 'fewer' : 'more', text, after[0] ?? now.node, place);
    }
    // A value of both is refused, so that more values of one may be fewer that are valid.
    const isOpaque = place.isOpaque || (was && is && !(isComposed(before) && isComposed(after)));
    yield { before, after, place: { ...inside, isOpaque }, lead: conditional };
  }
  const others = [
    { schemas: lost, list: old, verb: 'loses', effect: 'fewer' },
    { schemas: gained, list: now, verb: 'gains', effect: 'more' },
  ] as const;
  for (const { schemas, list, verb, effect } of others) {
    for (const schema of schemas) {
      const isOther = isRefused(schema, list.schemas, list, place);
      const why = isOther && list === now ? ', which may have values of another one' : '';
      const text = `\`${member}\` ${verb} the alternative \`${shown(schema)}\`${why}.`;
      yield changeOf(isOther ? 'other' : effect, text, schema[0] ?? now.node, place);
    }
  }
}

function matchAlternatives(old: Alternatives, now: Alternatives) {
  const [lost, gained] = [[...old.schemas], [...now.schemas]];
  const matched: (readonly [Schema, Schema])[] = [];
  const rules = [
    (one: Schema, other: Schema) =>
      nameOfOnly(one) !== undefined && nameOfOnly(one) === nameOfOnly(other),
    (one: Schema, other: Schema) => isSame(one[0]?.follow(), other[0]?.follow()),
    (one: Schema, other: Schema) => shapeOf(one) === shapeOf(other),
    () => true,
  ];
  for (const isMatch of rules) {
    for (const one of [...lost]) {
      const other = gained.find((each) => isMatch(one, each));
      if (other === undefined) continue;
      lost.splice(lost.indexOf(one), 1);
      gained.splice(gained.indexOf(other), 1);
      matched.push([one, other]);
    }
  }
  return { matched, lost, gained };
}

/** Returns the kinds and the names of the fields of an alternative, which may have a new name. */
function shapeOf(schema: Schema): string {
  const view = viewOf(schema);
  return JSON.stringify([...kindsOf(view), [...propertiesOf(view).keys()].sort()]);
}

/**
 * Returns true if an alternative may have a value of another one, which `oneOf` refuses. Nobody
 * refuses the objects of a response.
 */
function isRefused(
  schema: Schema,
  others: readonly Schema[],
  list: Alternatives,
  { direction }: SchemaPlace,
): boolean {
  if (list.keyword !== 'oneOf' || list.isNamed) return false;
  if (direction !== 'request' && isComposed(schema)) return false;
  return others.some((other) => other !== schema && mayOverlap(schema, other));
}

/** Returns true for objects and lists, of which authors say less than what tells them apart. */
function isComposed(schema: Schema, seen = new Set<SchemaView>()): boolean {
  const view = viewOf(schema);
  if (seen.has(view)) return true;
  seen.add(view);
  const isAll = kindsOf(view).every((kind) => ['object', 'array'].includes(typeOf(kind)));
  const isOfAll = ({ schemas }: Alternatives) => schemas.every((each) => isComposed(each, seen));
  return isAll || view.alternatives.some(isOfAll);
}
