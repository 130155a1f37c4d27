import { isMap, isScalar, Pair, Scalar, YAMLMap } from 'yaml';
import { expandAliases } from '../document/aliases.js';
import { checkMembers, type MendedMembers } from '../document/check-sections.js';
import { orMeant } from '../document/closest.js';
import type { Checked, Finding } from '../document/finding.js';
import { formatFragment, isJsonObject } from '../document/json.js';
import {
  type Extent,
  placeOf,
  type SpecDocument,
  type SpecNode,
} from '../document/spec-document.js';
import { type OpenApiObject, readOpenApi } from './openapi-object.js';
import type { OperationObject } from './operation-object.js';

const section = 'x-derived';
const rule = 'derived';

/** The parts of the section. The values are only there for their anchors. */
const parts = ['values', 'headers', 'errors', 'responses'];

/**
 * Writes out what `x-derived` says of all operations and responses (D-42): everything that is
 * generated, compared or published is plain OpenAPI. An added part has the position of its source.
 */
export function writeOut(document: SpecDocument): Checked {
  if (document.root.get(section) === undefined) {
    return { findings: [], mended: document, unread: [] };
  }
  const checked = checkSection(document);
  const { mended } = checked;
  const derived = mended.root.get(section);
  const api = readOpenApi(mended);
  const findings = [...checked.findings];
  const unread: Extent[] = [];
  const written = mended.changed((yaml) => {
    expandAliases(yaml);
    const mapAt = (node: SpecNode | undefined) => mapping(node && placeOf(yaml, node.path).value);
    const headers = mapAt(derived?.get('headers'));
    const errors = mapAt(derived?.get('errors'));
    for (const response of responsesOf(api)) {
      const map = mapAt(response);
      if (map === undefined) continue;
      const mistakes = errors ? writeErrors(response, map, errors) : [];
      findings.push(...mistakes);
      if (mistakes.length > 0) unread.push(mended.extent(response.path));
      if (response.get('x-own-headers')?.value === true) map.delete('x-own-headers');
      else if (headers) writeHeaders(map, headers);
    }
    for (const operation of api.operations) {
      const map = mapAt(operation.node.get('responses'));
      for (const condition of derived?.get('responses')?.members ?? []) {
        const shared = mapAt(condition);
        if (map && shared && holds(condition.key, operation)) addMissing(map, shared);
      }
      map?.items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    }
    yaml.delete(section);
  });
  return { findings, mended: written, unread };
}

/** Returns the section as if its names were spelt right. */
function checkSection(document: SpecDocument): MendedMembers {
  const outer = checkMembers(
    document,
    [section],
    parts,
    rule,
    (name) => `${name} is no part of ${section}${orMeant(name, parts)}`,
  );
  const schemes = document.root.at('components', 'securitySchemes')?.members ?? [];
  const conditions = [
    ...['always', 'requestBody', 'parameters', 'parameters.path', 'parameters.query'],
    ...schemes.map(({ key }) => `security.${key}`),
  ];
  const inner = checkMembers(
    outer.mended,
    [section, 'responses'],
    conditions,
    rule,
    (name) => `${name} is no condition of ${section}${orMeant(name, conditions)}`,
  );
  const derived = inner.mended.root.get(section);
  const nodes = derived ? [derived, ...derived.members] : [];
  const shapes = [...nodes, ...(derived?.get('responses')?.members ?? [])]
    .filter(({ key, value }) => key !== 'values' && !isJsonObject(value))
    .map((node) => mistakeAt(node, `${node.key} is no mapping.`));
  return {
    findings: [...outer.findings, ...inner.findings, ...shapes],
    mended: inner.mended,
  };
}

/** Returns true if an operation has what the condition names. */
function holds(condition: string, { parameters, requestBody, security }: OperationObject): boolean {
  const [member, kind = ''] = condition.split('.');
  if (member === 'security') return security.some(({ schemes }) => schemes.has(kind));
  if (member === 'requestBody') return requestBody !== undefined;
  if (member === 'parameters') return parameters.some((each) => kind === '' || each.in === kind);
  return member === 'always';
}

/** Returns the Response Objects, each once. */
function responsesOf({ operations, components }: OpenApiObject): Iterable<SpecNode> {
  const all = [...operations.flatMap(({ responses }) => responses), ...components.responses];
  return new Map(all.map(({ node }) => [formatFragment(node.path), node])).values();
}

/** Writes the content of an error: `x-errors` has the names of its examples. */
function writeErrors(response: SpecNode, map: YAMLMap, errors: YAMLMap): Finding[] {
  const names = response.get('x-errors');
  if (names === undefined) return [];
  map.delete('x-errors');
  if (response.get('content')) return [mistakeAt(names, 'x-errors stands beside content.')];
  const examples = response.document.root.at('components', 'examples');
  const known = examples?.members.map(({ key }) => key) ?? [];
  const written = mapAtStart(names);
  for (const item of names.items.filter(({ text }) => known.includes(text ?? ''))) {
    const code = examples?.at(item.text ?? '', 'value', 'error')?.text;
    const target = formatFragment(['components', 'examples', item.text ?? '']);
    const reference = mapAtStart(item);
    reference.items.push(pairAt(item, '$ref', scalarAt(item, target)));
    written.items.push(pairAt(item, code ?? item.text ?? '', reference));
  }
  const content = errors.clone() as YAMLMap;
  for (const { value: mediaType } of content.items) {
    mapping(mediaType)?.items.push(pairAt(names, 'examples', written.clone()));
  }
  if (written.items.length > 0) map.items.push(pairAt(names, 'content', content));
  const others = names.items.filter(({ text }) => !known.includes(text ?? ''));
  if (names.items.length === 0) return [mistakeAt(names, 'x-errors is not a list of examples.')];
  return others.map((item) => {
    const name = String(item.value);
    return mistakeAt(item, `There is no example ${name}${orMeant(name, known)}`);
  });
}

function mistakeAt(node: SpecNode, message: string): Finding {
  return { ...node.keyPosition, rule, message };
}

function writeHeaders(response: YAMLMap, shared: YAMLMap): void {
  const own = mapping(response.get('headers', true));
  const headers = shared.clone() as YAMLMap;
  const names = own?.items.map(keyOf) ?? [];
  headers.items = [
    ...headers.items.filter((pair) => !names.includes(keyOf(pair))),
    ...(own?.items ?? []),
  ];
  const key = new Scalar('headers');
  key.range = (own ?? shared).range ?? null;
  response.delete('headers');
  const content = response.items.findIndex((pair) => keyOf(pair) === 'content');
  response.items.splice(content < 0 ? response.items.length : content, 0, new Pair(key, headers));
}

function addMissing(map: YAMLMap, more: YAMLMap): void {
  const own = map.items.map(keyOf);
  const copy = more.clone() as YAMLMap;
  map.items.push(...copy.items.filter((pair) => !own.includes(keyOf(pair))));
}

function mapping(node: unknown): YAMLMap | undefined {
  return isMap(node) ? node : undefined;
}

function keyOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function pairAt(node: SpecNode, key: string, value: unknown): Pair {
  return new Pair(scalarAt(node, key), value);
}

function scalarAt(node: SpecNode, value: string): Scalar {
  const scalar = new Scalar(value);
  scalar.range = rangeAt(node);
  return scalar;
}

function mapAtStart(node: SpecNode): YAMLMap {
  const map = new YAMLMap();
  map.range = rangeAt(node);
  return map;
}

function rangeAt({ position: { offset } }: SpecNode): [number, number, number] {
  return [offset, offset, offset];
}
