import { Document, isMap, Pair, visit, type YAMLMap } from 'yaml';
import { expandAliases } from '../document/aliases.js';
import { checkMembers } from '../document/check-sections.js';
import { orMeant } from '../document/closest.js';
import type { Checked, Finding, Mended } from '../document/finding.js';
import { formatFragment, isJsonObject, type JsonObject, type Path } from '../document/json.js';
import {
  type Extent,
  keyText,
  pairOf,
  placeOf,
  type SpecDocument,
  type SpecNode,
} from '../document/spec-document.js';
import { type OpenApiObject, readOpenApi, responsesOf } from './openapi-object.js';
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
  const { mended, unread } = checked;
  const derived = mended.root.get(section);
  const api = readOpenApi(mended);
  const findings = [...checked.findings];
  const written = mended.changed((yaml) => {
    expandAliases(yaml);
    const mapIn = (node: SpecNode | undefined) => mapping(node && placeOf(yaml, node.path).value);
    const source = derived?.get('headers');
    const headers = mapIn(source);
    const errors = mapIn(derived?.get('errors'));
    for (const response of allResponses(api)) {
      const map = mapIn(response);
      if (map === undefined) continue;
      const mistakes = errors ? writeErrors(response, map, errors) : [];
      findings.push(...mistakes);
      if (mistakes.length > 0) unread.push(mended.extent(response.path));
      if (response.get('x-own-headers')?.value === true) map.delete('x-own-headers');
      else if (headers && source) writeHeaders(map, headers, source);
    }
    for (const operation of api.operations) {
      const map = mapIn(operation.node.get('responses'));
      for (const condition of derived?.get('responses')?.members ?? []) {
        const shared = mapIn(condition);
        if (map && shared && holds(condition.key, operation)) {
          map.items.push(...missing(map, shared));
        }
      }
      map?.items.sort((a, b) => (keyText(a.key) < keyText(b.key) ? -1 : 1));
    }
    yaml.delete(section);
  });
  return { findings, mended: written, unread };
}

/** Returns the section as if its names were spelt right. */
function checkSection(document: SpecDocument): Checked & { readonly unread: Extent[] } {
  // A scheme that nothing declares is a mistake of the operations that require it.
  const { components, operations } = readOpenApi(document);
  const required = operations.flatMap(({ security }) => security.map(({ schemes }) => schemes));
  const schemes = new Set([
    ...(components.securitySchemes?.members ?? []).map(({ key }) => key),
    ...required.flatMap((each) => [...each.keys()]),
  ]);
  const conditions = [
    ...['always', 'requestBody', 'parameters', 'parameters.path', 'parameters.query'],
    ...[...schemes].map((name) => `security.${name}`),
  ];
  const check = (from: SpecDocument, path: Path, names: readonly string[]) =>
    checkMembers(from, path, names, rule, (name) => {
      return `${name} is not allowed in ${section}${orMeant(name, names)}`;
    });
  const outer = check(document, [section], parts);
  const { findings, mended } = check(outer.mended, [section, 'responses'], conditions);
  const derived = mended.root.get(section);
  const nodes = derived ? [derived, ...derived.members] : [];
  const shapeless = [...nodes, ...(derived?.get('responses')?.members ?? [])]
    .filter(({ key, value }) => key !== 'values' && !isJsonObject(value))
    .map((node) => mistakeAt(node, `${node.key} is no mapping.`));
  const written = shapeless.length > 0 ? [['paths'], ['components', 'responses']] : [];
  const words = checkWords(mended);
  return {
    findings: [...outer.findings, ...findings, ...shapeless, ...words.findings],
    mended: words.mended,
    unread: written.map((path) => mended.extent(path)),
  };
}

/** Finds the words of responses that are misspelt. */
function checkWords(document: SpecDocument): Mended {
  const findings: Finding[] = [];
  let mended = document;
  for (const { path } of allResponses(readOpenApi(document))) {
    const messageOf = (name: string, meant: string | undefined) =>
      meant && `${name} has no effect; did you mean ${meant}?`;
    const checked = checkMembers(mended, path, ['x-errors', 'x-own-headers'], rule, messageOf);
    findings.push(...checked.findings);
    mended = checked.mended;
  }
  return { findings, mended };
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
function allResponses(api: OpenApiObject): SpecNode[] {
  const conditions = api.root.at(section, 'responses')?.members ?? [];
  const shared = conditions.flatMap(({ members }) => members);
  const own = shared.filter(({ reference }) => !reference);
  return [...own, ...responsesOf(api).map(({ node }) => node)];
}

/** Writes the content of an error: `x-errors` has the names of its examples. */
function writeErrors(response: SpecNode, map: YAMLMap, errors: YAMLMap): Finding[] {
  const names = response.get('x-errors');
  if (names === undefined) return [];
  map.delete('x-errors');
  if (response.get('content'))
    return [mistakeAt(names, 'x-errors stands beside content; remove one.')];
  const examples = response.document.root.at('components', 'examples');
  const known = examples?.members.map(({ key }) => key) ?? [];
  const findings: Finding[] = [];
  const written = new Map<string, Pair[]>();
  for (const item of names.items) {
    const name = item.text ?? '';
    const code = examples?.at(name, 'value', 'error')?.text ?? name;
    if (!known.includes(name)) {
      const message = `There is no example ${item.value}${orMeant(name, known)}`;
      findings.push(mistakeAt(item, message));
    } else if (written.has(code)) {
      findings.push(mistakeAt(item, `An example of ${code} stands before ${name}; remove one.`));
    } else {
      const reference = { $ref: formatFragment(['components', 'examples', name]) };
      written.set(code, mapAt(item, { [code]: reference }).items);
    }
  }
  const content = errors.clone() as YAMLMap;
  for (const { value: mediaType } of content.items) {
    const holder = mapAt(names, { examples: {} });
    for (const { value } of holder.items)
      mapping(value)?.items.push(...[...written.values()].flat());
    mapping(mediaType)?.items.push(...holder.items);
  }
  if (written.size > 0) map.items.push(new Pair(keyAt(names, 'content'), content));
  if (names.items.length === 0) return [mistakeAt(names, 'x-errors is not a list of examples.')];
  return findings;
}

function mistakeAt(node: SpecNode, message: string): Finding {
  return { ...node.keyPosition, rule, message };
}

function writeHeaders(response: YAMLMap, shared: YAMLMap, source: SpecNode): void {
  if (response.has('headers')) {
    const own = mapping(response.get('headers', true));
    own?.items.unshift(...missing(own, shared));
    return;
  }
  // They come after the description, as most people write them.
  response.items.splice(1, 0, new Pair(keyAt(source, 'headers'), shared.clone()));
}

/** Returns copies of the members that a mapping does not have. */
function missing(map: YAMLMap, from: YAMLMap): Pair[] {
  return (from.clone() as YAMLMap).items.filter(({ key }) => !pairOf(map, keyText(key)));
}

function mapping(node: unknown): YAMLMap | undefined {
  return isMap(node) ? node : undefined;
}

function keyAt(node: SpecNode, name: string): unknown {
  return mapAt(node, { [name]: null }).items[0]?.key;
}

/** Returns a mapping at the position of an element. */
function mapAt({ position: { offset } }: SpecNode, value: JsonObject): YAMLMap {
  const map = new Document(value).contents as YAMLMap;
  visit(map, {
    Node(_key, node) {
      node.range = [offset, offset, offset];
    },
  });
  return map;
}
