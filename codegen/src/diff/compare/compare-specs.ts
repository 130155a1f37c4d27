import { SpecNode } from '../../document/spec-document.js';
import type { OpenApiObject } from '../../openapi/openapi-object.js';
import { type OperationObject, operationName, readPaths } from '../../openapi/operation-object.js';
import { type Change, mergeChanges, type PartChange, type Use } from './change.js';
import { compareOtherMembers, itemsBy, membersOf, pairs, verbOf } from './compare-members.js';
import type { Operations } from './compare-messages.js';
import { compareOperations, withoutNames } from './compare-operations.js';
import { compareSchemas } from './compare-schemas.js';
import { compareSecuritySchemes } from './compare-security.js';
import { isSame } from './same.js';
import { SchemaComparisons } from './schema-comparisons.js';

// The rules are our own, because Redocly's `diff` is no function of its library, and lets some
// breaks pass (D-40).

/** Compares a spec with a released one. The heaviest changes come first (D-40). */
export function compareSpecs(before: OpenApiObject, after: OpenApiObject): Change[] {
  const uses = before.operations.map((operation): Use => ({ operation: operationName(operation) }));
  const shared = [...compareShared(before.root, after.root)];
  const comparisons = new SchemaComparisons();
  const compare = (both: Operations) => compareOperations(both, comparisons);
  const [webhooks = [], webhooksNow = []] = [before, after].map(({ root }) =>
    readPaths(root.get('webhooks'), undefined).flatMap(({ operations }) => operations),
  );
  return mergeChanges([
    ...shared.map(({ use: _none, ...change }) => ({ ...change, uses })),
    ...compareAllOperations(before.operations, after.operations, compare),
    ...compareAllOperations(webhooks, webhooksNow, (both) =>
      compare({ ...both, isReversed: true }),
    ),
    ...comparisons.changes(),
  ]);
}

function compareAllOperations(
  before: readonly OperationObject[],
  after: readonly OperationObject[],
  compare: (both: Operations) => Change[],
): Change[] {
  const rest = new Set(after);
  const take = (isMatch: (operation: OperationObject) => boolean) => {
    const found = [...rest].find(isMatch);
    if (found) rest.delete(found);
    return found;
  };
  const placeOf = ({ method, path }: OperationObject) => `${method} ${withoutNames(path)}`;
  const inPlace = before.map((old) => ({
    old,
    now: take((each) => placeOf(each) === placeOf(old)),
  }));
  const matched = inPlace.map(({ old, now }) => ({
    old,
    now: now ?? take(({ id }) => id !== undefined && id === old.id),
  }));
  return [
    ...matched.flatMap(({ old, now }) =>
      now === undefined ? removal(old) : compare({ before: old, after: now }),
    ),
    ...[...rest].map(addition),
  ];
}

function removal(operation: OperationObject): Change {
  const name = operationName(operation);
  return {
    weight: 'major',
    text: `${placeName(operation)} is removed.`,
    node: operation.node,
    uses: [{ operation: name }],
  };
}

function addition(operation: OperationObject): Change {
  const text = `${placeName(operation)} is new.`;
  const uses = [{ operation: operationName(operation) }];
  return { weight: 'minor', text, kind: 'addition', node: operation.node, uses };
}

function placeName(operation: OperationObject): string {
  const { method, path, id } = operation;
  const place = `\`${method.toUpperCase()} ${path}\``;
  return id === undefined ? place : `\`${id}\` (${place})`;
}

const weighed = [
  'paths',
  'components',
  'security',
  'servers',
  'info',
  'openapi',
  'tags',
  'webhooks',
];

function* compareShared(before: SpecNode, after: SpecNode): Generator<PartChange> {
  yield* compareServers(before, after);
  yield* compareSecuritySchemes(before, after);
  yield* compareOtherMembers(before, after, 'the interface', weighed, {});
  const info = pairs(membersOf(before.get('info')), membersOf(after.get('info')));
  const tags = pairs(itemsBy('name', before.get('tags')), itemsBy('name', after.get('tags')));
  const texts = [
    ...info.map((pair) => ({ ...pair, name: `The \`${pair.key}\` of \`info\`` })),
    ...tags.map((pair) => ({ ...pair, name: `Tag \`${pair.key}\`` })),
  ];
  for (const { name, key, ...sides } of texts) {
    if (key === 'version' || isSame(sides.before, sides.after)) continue;
    const node = sides.after ?? sides.before ?? after;
    yield { weight: 'patch', text: `${name} ${verbOf(sides)}.`, kind: 'prose', node, use: {} };
  }
}

/** Compares servers: a client may call any URL, and set its variables (OpenAPI 3.1 §4.8.5). */
function* compareServers(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const [servers, serversNow] = [serversByUrl(before), serversByUrl(after)];
  const [first = ''] = servers.keys();
  const [firstNow] = serversNow.keys();
  const moved = first === firstNow ? undefined : serversNow.get(first);
  if (moved) {
    const text = `Server \`${first}\` is no longer the first.`;
    yield { weight: 'major', text, node: moved, use: {} };
  }
  for (const { key: url, ...sides } of pairs(servers, serversNow)) {
    const name = `the server \`${url}\``;
    if (sides.before && sides.after) {
      yield* compareOtherMembers(sides.before, sides.after, name, ['url', 'variables'], {});
      yield* compareServerVariables(sides.before, sides.after);
    } else if (sides.before) {
      const text = `Server \`${url}\` is removed.`;
      yield { weight: 'major', text, node: sides.before, use: {} };
    } else if (sides.after) {
      const text = `Server \`${url}\` is new.`;
      yield { weight: 'minor', text, kind: 'addition', node: sides.after, use: {} };
    }
  }
}

/** Returns servers by URL. Absent or empty `servers` mean one with `/` (OpenAPI 3.1 §4.8.1). */
function serversByUrl(root: SpecNode): Map<string, SpecNode> {
  const written = root.get('servers')?.items ?? [];
  const standard = new SpecNode(root.document, ['servers'], { url: '/' });
  const servers = written.length > 0 ? written : [standard];
  const urlOf = (server: SpecNode) => server.get('url')?.text || '/';
  return new Map(servers.map((server) => [urlOf(server), server]));
}

/** Compares variables like the schema of a request (Server Variable Object, §4.8.6). */
function* compareServerVariables(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const variables = (server: SpecNode) => membersOf(server.get('variables'));
  for (const { key, ...sides } of pairs(variables(before), variables(after))) {
    if (sides.before === undefined || sides.after === undefined) continue;
    const place = { direction: 'request', member: `server.${key}` } as const;
    const { before: old, after: now } = sides;
    for (const change of compareSchemas({ before: [old], after: [now], place, lead: (it) => it })) {
      if (!('before' in change)) yield { ...change, use: {} };
    }
  }
}
