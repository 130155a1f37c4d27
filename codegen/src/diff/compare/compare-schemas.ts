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
import { compareOtherMembers, pairs } from './compare-members.js';
import { constraints } from './constraints.js';
import { isSame, resolve } from './resolve.js';

/** Keywords that are weighed here; `$defs` by the references to it. */
const weighed: readonly string[] = [
  ...constraints,
  ...['type', 'format', 'contentEncoding', 'contentMediaType', 'enum', 'const', 'default'],
  ...['properties', 'required', 'readOnly', 'writeOnly', 'items', 'additionalProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'discriminator', '$defs'],
];

/** Compares two schemas for one direction (Schema Object, OpenAPI 3.1 §4.8.24). D-40 says what weighs what. */
export function* compareSchemas(
  before: SpecNode,
  after: SpecNode,
  place: SchemaPlace,
): Generator<PartChange> {
  const here = JSON.stringify([before.path, after.path]);
  const { around = [] } = place;
  if (around.includes(here)) return;
  const both = { before: resolve(before), after: resolve(after) };
  const { name } = both.after;
  const isNamed = name !== undefined && name === both.before.name;
  const inside = { ...place, around: [...around, here], ...(isNamed && { member: name }) };
  yield* compareKeywords(both, inside);
  yield* compareValues(both, inside);
  yield* compareProperties(both, inside);
  yield* compareOthers('items', both, inside);
  yield* compareOthers('additionalProperties', both, inside);
  for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
    yield* compareAlternatives(keyword, both, inside);
  }
  yield* compareOtherMembers(both, `\`${inside.member}\``, weighed, useOf(inside));
}

/** `properties` and `required`. */
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
        kind: !isBreaking ? 'addition' : 'other',
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

/** The properties that exist in a direction: a request has none that are only read. */
function propertiesOf(
  members: ReadonlyMap<string, SpecNode>,
  direction: Direction,
): Map<string, Property> {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const required = (members.get('required')?.items ?? []).map(({ value }) => String(value));
  const described = new Map(
    (members.get('properties')?.members ?? []).map((each) => [each.key, each]),
  );
  return new Map(
    [...new Set([...described.keys(), ...required])].flatMap((name) => {
      const node = described.get(name);
      if (node && resolve(node).members.get(hidden)?.value === true) return [];
      return [[name, { node, isRequired: required.includes(name) }]];
    }),
  );
}

/** The properties of which the same schema is there under a new name. */
function renamedProperties(
  before: ReadonlyMap<string, Property>,
  after: ReadonlyMap<string, Property>,
): Map<string, string> {
  const added = [...after].filter(([name]) => !before.has(name));
  const names = [...before].flatMap(([name, { node }]): [string, string][] => {
    if (node === undefined || after.has(name)) return [];
    const same = added.filter((each) => each[1].node && isSame(each[1].node, node));
    return same.length === 1 ? same.map(([newName]) => [name, newName]) : [];
  });
  return new Map(names);
}

function within(place: SchemaPlace, name: string, isRequired: boolean): SchemaPlace {
  const member = `${place.member}.${name}`;
  if (place.path === undefined) return { ...place, member };
  const path = `${place.path}.${name}`;
  return { ...place, member, path, field: isRequired ? place.field : path };
}

/** `items` and `additionalProperties`, each a schema; absent it allows everything, `false` nothing. */
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
    const member = `${place.member}${keyword === 'items' ? '[]' : '.*'}`;
    yield* compareSchemas(before, after, { ...place, member });
    return;
  }
  if (old === now) return;
  const allowances = ['nothing', 'some', 'everything'];
  const isMore = allowances.indexOf(now) > allowances.indexOf(old);
  const what = keyword === 'items' ? 'items' : 'other fields';
  const verb = `can ${isMore ? 'now' : 'no longer'} have`;
  const text =
    old === 'nothing' || now === 'nothing'
      ? `\`${place.member}\` ${verb} ${what}.`
      : `\`${place.member}\` ${verb} any ${what}.`;
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

/** `oneOf`, `anyOf` or `allOf`. Alternatives with the same name or content belong together, then those in order. */
function* compareAlternatives(
  keyword: string,
  both: Schemas,
  place: SchemaPlace,
): Generator<PartChange> {
  const [old, now] = [both.before, both.after].map(({ members }) => members.get(keyword));
  const [before, after] = [[...(old?.items ?? [])], [...(now?.items ?? [])]];
  const isPart = keyword === 'allOf';
  if (before.length === 0 || after.length === 0) {
    const node = now ?? old;
    if (!node || before.length === after.length) return;
    const text = `\`${place.member}\` ${after.length > 0 ? 'now' : 'no longer'} has \`${keyword}\`.`;
    yield changeOf(after.length > 0 ? 'fewer' : 'more', text, node, place);
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
      yield* compareSchemas(one, other, { ...place, member: `${place.member}|${other.key}` });
    }
  }
  for (const [verb, nodes] of [
    ['loses', before],
    ['gains', after],
  ] as const) {
    for (const node of nodes) {
      const text = `\`${place.member}\` ${verb} ${isPart ? 'the part' : 'the alternative'} \`${nameOf(node) ?? node.key}\`.`;
      yield changeOf((verb === 'gains') === isPart ? 'fewer' : 'more', text, node, place);
    }
  }
}

function nameOf(node: SpecNode): string | undefined {
  return resolve(node).name;
}
