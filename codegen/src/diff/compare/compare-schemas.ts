import { isJsonObject } from '../../document/json.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { Direction, PartChange } from './change.js';
import {
  changeOf,
  compareKeywords,
  compareValues,
  type SchemaPlace,
  type Schemas,
  useOf,
} from './compare-keywords.js';
import { compareOtherMembers, membersOf, pairs } from './compare-members.js';
import { constraints } from './constraints.js';
import { isSame, isSameText, resolve } from './resolve.js';

/** Keywords that are weighed here; `$defs` by the references to it. */
const weighed: readonly string[] = [
  ...constraints,
  ...['type', 'format', 'contentEncoding', 'contentMediaType', 'enum', 'const', 'default'],
  ...['properties', 'required', 'readOnly', 'writeOnly', 'items', 'additionalProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'discriminator', '$defs'],
];

/** Compares schemas (Schema Object, OpenAPI 3.1 §4.8.24). D-40 says what weighs what. */
export function* compareSchemas(
  before: SpecNode,
  after: SpecNode,
  place: SchemaPlace,
): Generator<PartChange> {
  const here = JSON.stringify([before.path, after.path]);
  const { around = [] } = place;
  if (around.includes(here) || isSameText(before, after)) return;
  const both = { before: resolve(before), after: resolve(after) };
  const { name } = both.after;
  const isNamed = name !== undefined && name === both.before.name;
  const inside = { ...place, around: [...around, here], ...(isNamed && { member: name }) };
  yield* compareKeywords(both, inside);
  yield* compareValues(both, inside);
  yield* compareProperties(both, inside);
  yield* compareOthers('items', both, inside);
  yield* compareOthers('additionalProperties', both, inside);
  for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
    yield* compareSubschemas(keyword, both, inside);
  }
  yield* compareOtherMembers(before, after, `\`${inside.member}\``, weighed, useOf(inside));
}

function* compareProperties({ before, after }: Schemas, place: SchemaPlace): Generator<PartChange> {
  const { direction } = place;
  const [old, now] = [before, after].map(({ members }) => propertiesOf(members, direction));
  if (old === undefined || now === undefined) return;
  const renamed = renamedProperties(old, now);
  for (const { key, ...sides } of pairs(old, now)) {
    const inside = within(place, key, sides.before?.isRequired === true);
    const name = inside.member;
    if (sides.before?.node && sides.after?.node === undefined) {
      const newName = renamed.get(key);
      const text = newName === undefined ? 'is removed' : `is renamed to \`${newName}\``;
      const node = now.get(newName ?? '')?.node ?? sides.before.node;
      yield changeOf('other', `\`${name}\` ${text}.`, node, inside);
    } else if (sides.after?.node && sides.before?.node === undefined) {
      if ([...renamed.values()].includes(key)) continue;
      const { node, isRequired } = sides.after;
      const isBreaking = isRequired && direction === 'request';
      yield {
        weight: isBreaking ? 'major' : 'minor',
        text: `\`${name}\` is new${isRequired ? ' and required' : ''}.`,
        kind: 'addition',
        node,
        use: useOf(place),
      };
    } else if (sides.before?.isRequired !== sides.after?.isRequired) {
      const isRequired = sides.after?.isRequired === true;
      const text = `\`${name}\` is ${isRequired ? 'now' : 'no longer'} required.`;
      const node = sides.after?.node ?? (isRequired ? after : before).members.get('required');
      yield changeOf(isRequired ? 'fewer' : 'more', text, node ?? after.node, place);
    }
    if (sides.before?.node && sides.after?.node) {
      yield* compareSchemas(sides.before.node, sides.after.node, inside);
    }
  }
}

interface Property {
  /** Undefined if it is required but not described. */
  readonly node: SpecNode | undefined;
  readonly isRequired: boolean;
}

/** Returns the properties that exist in a direction: a request has none that are only read. */
function propertiesOf(
  members: ReadonlyMap<string, SpecNode>,
  direction: Direction,
): Map<string, Property> {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const required = (members.get('required')?.items ?? []).map(({ value }) => String(value));
  const described = membersOf(members.get('properties'));
  return new Map(
    [...new Set([...described.keys(), ...required])].flatMap((name) => {
      const node = described.get(name);
      if (node && resolve(node).members.get(hidden)?.value === true) return [];
      return [[name, { node, isRequired: required.includes(name) }]];
    }),
  );
}

/** Returns the new names of properties whose schema, which no other one has, has moved there. */
function renamedProperties(
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
): Map<string, string> {
  const removed = [...before].filter(([name]) => !after.has(name));
  const added = [...after].filter(([name]) => !before.has(name));
  const alike = (properties: typeof added, { node }: Property) =>
    properties.filter(([, other]) => node && other.node && isSame(other.node, node));
  const names = removed.flatMap(([name, property]) => {
    const [first, ...others] = alike(added, property);
    const isSure = others.length === 0 && alike(removed, property).length === 1;
    return first && isSure ? [[name, first[0]] as const] : [];
  });
  return new Map(names);
}

function within(place: SchemaPlace, name: string, isRequired: boolean): SchemaPlace {
  const member = `${place.member}.${name}`;
  const isErrorCode = place.direction === 'error' && name === 'error' && !place.isInField;
  const inside = { ...place, member, isErrorCode, isInField: true };
  if (place.path === undefined) return inside;
  const path = `${place.path}.${name}`;
  const isInEveryCall = isRequired && place.field === undefined && !place.isConditional;
  return { ...inside, path, field: isInEveryCall ? undefined : path };
}

/** Compares `items` and `additionalProperties`: absent they allow everything, `false` nothing. */
function* compareOthers(
  keyword: 'items' | 'additionalProperties',
  both: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const [before, after] = [both.before, both.after].map(({ members }) => members.get(keyword));
  const [old, now] = [before, after].map(allowance);
  const node = after ?? before;
  if (node === undefined || old === undefined || now === undefined) return;
  if (before && after && old === 'some' && now === 'some') {
    const inside =
      keyword === 'items'
        ? { member: `${place.member}[]`, isConditional: true }
        : { member: `${place.member}.*`, path: undefined };
    yield* compareSchemas(before, after, { ...place, ...inside });
    return;
  }
  if (old === now) return;
  const allowances = ['nothing', 'some', 'everything'];
  const isMore = allowances.indexOf(now) > allowances.indexOf(old);
  const what = keyword === 'items' ? 'items' : 'other fields';
  const verb =
    old === 'nothing' || now === 'nothing'
      ? `can ${isMore ? 'now' : 'no longer'} have`
      : `${isMore ? 'no longer has' : 'now has'} a schema for its`;
  const text = `\`${place.member}\` ${verb} ${what}.`;
  const change = changeOf(isMore ? 'more' : 'fewer', text, node, place);
  // Callers ignore fields that they do not know.
  const isOpened = keyword === 'additionalProperties' && old === 'nothing';
  yield isOpened ? { ...change, weight: 'minor' } : change;
}

function allowance(schema: SpecNode | undefined): 'everything' | 'some' | 'nothing' {
  if (schema?.value === false) return 'nothing';
  const isEmpty =
    schema === undefined || !isJsonObject(schema.value) || schema.members.length === 0;
  return isEmpty ? 'everything' : 'some';
}

/** Compares alternatives and parts: by the same name or content, and the others in order. */
function* compareSubschemas(
  keyword: 'oneOf' | 'anyOf' | 'allOf',
  { before: oldSchema, after: newSchema }: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const isPart = keyword === 'allOf';
  const isConditional = place.isConditional === true || !isPart;
  const [old, now] = [oldSchema, newSchema].map(({ members }) => members.get(keyword));
  const before = [...(isPart ? oldSchema.parts : (old?.items ?? []))];
  const after = [...(isPart ? newSchema.parts : (now?.items ?? []))];
  if (!isPart && (before.length === 0) !== (after.length === 0)) {
    const text = `\`${place.member}\` ${now ? 'now' : 'no longer'} has \`${keyword}\`.`;
    yield changeOf('other', text, now ?? old ?? newSchema.node, place);
    return;
  }
  const matches = [
    (one: SpecNode, other: SpecNode) => nameOf(one) !== undefined && nameOf(one) === nameOf(other),
    isSame,
    () => true,
  ];
  for (const isMatch of matches) {
    for (const one of [...before]) {
      const other = after.find((each) => isMatch(one, each));
      if (other === undefined) continue;
      before.splice(before.indexOf(one), 1);
      after.splice(after.indexOf(other), 1);
      const member = `${place.member}.${keyword}[${other.key}]`;
      yield* compareSchemas(one, other, { ...place, member, isConditional });
    }
  }
  const what = isPart ? 'part' : 'alternative';
  const nameIn = (node: SpecNode) => nameOf(node) ?? `${keyword}[${node.key}]`;
  for (const node of before) {
    const text = `\`${place.member}\` loses the ${what} \`${nameIn(node)}\`.`;
    yield changeOf(isPart ? 'other' : 'fewer', text, node, place);
  }
  for (const node of after) {
    const text = `\`${place.member}\` gains the ${what} \`${nameIn(node)}\`.`;
    const change = changeOf(isPart ? 'fewer' : 'more', text, node, place);
    // A part can have new fields.
    yield change.weight === 'patch' ? { ...change, weight: 'minor' } : change;
  }
}

function nameOf(node: SpecNode): string | undefined {
  return resolve(node).name;
}
