import { isAnnotation } from '../../document/openapi-places.js';
import type { SpecNode } from '../../document/spec-document.js';
import type { Direction, Lead, Reach, SchemaPair, SchemaPlace } from './change.js';
import { changeOf, type SchemaChange, type Views } from './compare-keywords.js';
import { pairs } from './compare-members.js';
import type { Schema } from './references.js';
import { isSame } from './same.js';
import { allOf, keywordOf, type SchemaView, texts, viewOf } from './schema-view.js';

export interface Property {
  /** The element that describes it first, if one does. */
  readonly node: SpecNode | undefined;
  /** Empty if it is required but not described. */
  readonly schema: Schema;
  readonly owner: string | undefined;
  readonly isConditional: boolean;
  readonly isRequired: boolean;
}

export const otherFields = ['additionalProperties', 'unevaluatedProperties'];

/** Returns the schemas of fields that are no properties: additional ones count as evaluated. */
export function othersOf({ parts }: SchemaView): Schema {
  return parts.flatMap(({ node }) => {
    const unevaluated = node.get('unevaluatedProperties');
    const areEvaluated = unevaluated && keywordOf(viewOf([node]), 'additionalProperties');
    return node.get('additionalProperties') ?? (areEvaluated ? [] : (unevaluated ?? []));
  });
}

/** Returns which items or fields a schema of them allows. */
export function allowance(schema: Schema): 'everything' | 'some' | 'nothing' {
  const parts = schema.flatMap((each) => viewOf([each]).parts.map(({ node }) => node));
  if (parts.some(({ value }) => value === false)) return 'nothing';
  const isLimit = ({ key }: SpecNode) => !isAnnotation(key) && !['$ref', 'allOf'].includes(key);
  const limits = parts.flatMap(({ members }) => members.filter(isLimit));
  return limits.length > 0 ? 'some' : 'everything';
}

export const conditional: Lead = (around) => ({ ...around, isConditional: true });

/** Compares the properties of objects. */
export function* compareProperties(
  { before, after }: Views,
  place: SchemaPlace,
): Generator<SchemaChange | SchemaPair> {
  const { direction } = place;
  const [old, now] = visible(before, after, place);
  const renamed = renamedProperties(old, now);
  for (const { key, before: was, after: is, either } of pairs(old, now)) {
    const holder = (was ?? either).owner === either.owner ? either.owner : undefined;
    const name = `${holder ?? place.member}.${key}`;
    const lead: Lead = (around) => field(around, key, was);
    // One that is there all the same does not exist in this direction.
    const [known, hidden] = [before, after].map((view) => propertiesOf(view).get(key)?.node);
    if (was?.node && !is?.node) {
      const newName = renamed.get(key);
      const gone = newName === undefined ? 'is removed' : `is renamed to \`${newName}\``;
      const text = hidden ? `is now \`${hiding(direction)}\`` : gone;
      const node = hidden ?? now.get(newName ?? '')?.node ?? was.node;
      yield { ...changeOf('other', `\`${name}\` ${text}.`, node, place), lead };
    } else if (is?.node && !was?.node) {
      if ([...renamed.values()].includes(key)) continue;
      const isBreaking = is.isRequired && direction === 'request';
      const [verb, also] = known
        ? [`is no longer \`${hiding(direction)}\``, ', and is required']
        : ['is new', ' and required'];
      const text = `\`${name}\` ${verb}${is.isRequired ? also : ''}.`;
      const weight = isBreaking ? 'major' : 'minor';
      yield { weight, text, kind: 'addition', node: is.node };
    } else if (was?.isRequired !== is?.isRequired) {
      const isRequired = is?.isRequired === true;
      const { owner, node: list = after.node } = requirer(isRequired ? after : before, key) ?? {};
      // A field can be required elsewhere than where it is described.
      const isElsewhere = is?.node === undefined || owner !== holder;
      const subject = isElsewhere ? `${owner ?? place.member}.${key}` : name;
      const text = `\`${subject}\` is ${isRequired ? 'now' : 'no longer'} required.`;
      const node = isElsewhere ? (list.get('required') ?? list) : is.node;
      yield changeOf(isRequired ? 'fewer' : 'more', text, node, place);
    }
    // A field that had the schema of all others, or of a pattern, gets one of its own.
    const limits = known ? [] : fieldOf(before, key);
    const former = was?.node ? was.schema : allowance(limits) === 'some' ? limits : [];
    if (is?.node && former.length > 0) {
      const isErrorCode = direction === 'error' && key === 'error' && !place.isInField;
      const inside = { ...place, member: name, isErrorCode, isInField: true };
      yield { before: former, after: is.schema, place: inside, lead };
    }
  }
}

function requirer({ parts }: SchemaView, name: string) {
  return parts.find(({ node }) => node.get('required')?.items.some(({ text }) => text === name));
}

function field(around: Reach, name: string, before: Property | undefined): Reach {
  const path = `${around.path}.${name}`;
  const isConditional = around.isConditional || before?.isConditional === true;
  const isInEveryCall = before?.isRequired && around.field === undefined && !isConditional;
  return { path, field: isInEveryCall ? undefined : path, isConditional };
}

function hiding(direction: Direction): string {
  return direction === 'request' ? 'readOnly' : 'writeOnly';
}

type Properties = ReadonlyMap<string, Property>;

/**
 * Returns the properties that exist in a direction: a request has none that are only read, unless
 * they are required. The generated server asks for those, express-openapi-validator refuses them,
 * so they must neither become required nor stop being only read.
 */
function visible(
  before: SchemaView,
  after: SchemaView,
  { direction }: SchemaPlace,
): [Properties, Properties] {
  const isHidden = ({ schema }: Property) =>
    schema.length > 0 && keywordOf(viewOf(schema), hiding(direction))?.value === true;
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  const without = (properties: Properties, other: Properties) =>
    new Map(
      [...properties].filter(([name, property]) => {
        if (!isHidden(property)) return true;
        const twin = other.get(name);
        const isWritten = twin !== undefined && !isHidden(twin);
        return direction === 'request' && !isWritten && (property.isRequired || twin?.isRequired);
      }),
    );
  return [without(old, now), without(now, old)];
}

/** Returns the new names of properties whose schema, which no other one has, has moved there. */
function renamedProperties(before: Properties, after: Properties): Map<string, string> {
  const removed = [...before].filter(([name]) => !after.has(name));
  const added = [...after].filter(([name]) => !before.has(name));
  const alike = (properties: typeof added, { schema: [node] }: Property) =>
    properties.filter(([, { schema }]) => node && isSame(schema[0], node));
  const names = removed.flatMap(([name, property]) => {
    const [first, ...others] = alike(added, property);
    const isSure = others.length === 0 && alike(removed, property).length === 1;
    return first && isSure ? [[name, first[0]] as const] : [];
  });
  return new Map(names);
}

const properties = new WeakMap<SchemaView, ReadonlyMap<string, Property>>();

/** Returns the properties by name. */
export function propertiesOf(view: SchemaView): ReadonlyMap<string, Property> {
  const known = properties.get(view) ?? readProperties(view);
  properties.set(view, known);
  return known;
}

function readProperties(view: SchemaView): Map<string, Property> {
  const required = new Set(allOf(view, 'required').flatMap(({ items }) => texts(items)));
  const names = allOf(view, 'properties').flatMap(({ members }) => members.map(({ key }) => key));
  return new Map(
    [...new Set([...names, ...required])].map((name) => {
      const part = view.parts.find(({ node }) => node.at('properties', name));
      const { owner, isConditional = false } = part ?? {};
      const node = part?.node.at('properties', name);
      const schema = node ? fieldOf(view, name) : [];
      return [name, { node, schema, owner, isConditional, isRequired: required.has(name) }];
    }),
  );
}

/**
 * Returns the schemas that limit the field of a name. One that a part does not describe matches its
 * other fields.
 */
export function fieldOf(view: SchemaView, name: string): Schema {
  const found = view.parts.flatMap(({ node }) => {
    const patterns = node.get('patternProperties')?.members ?? [];
    const own = [
      ...[node.at('properties', name) ?? []].flat(),
      ...patterns.filter(({ key }) => isMatch(key, name)),
    ];
    return own.length > 0 ? own : (node.get('additionalProperties') ?? []);
  });
  return found.length > 0 ? found : allOf(view, 'unevaluatedProperties');
}

function isMatch(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}
