import { SpecNode } from '../../document/spec-document.js';
import type { OpenApiObject } from '../../openapi/openapi-object.js';
import { type OperationObject, readPaths } from '../../openapi/operation-object.js';
import { ownDialects } from '../../openapi/plain-schema.js';
import { type Change, concerning, mergeChanges, type PartChange } from './change.js';
import {
  addition,
  breaking,
  compareNamed,
  compareOtherMembers,
  compareProse,
  membersOf,
  pairs,
  verbOf,
} from './compare-members.js';
import type { Operations } from './compare-messages.js';
import { compareOperations, withoutNames } from './compare-operations.js';
import { compareSchemas } from './compare-schemas.js';
import { SchemaComparisons } from './schema-comparisons.js';

// The rules are our own, because Redocly's `diff` is no function of its library, and lets some
// breaks pass (D-40).

/** Compares a spec with a released one. The heaviest changes come first (D-40). */
export function compareSpecs(before: OpenApiObject, after: OpenApiObject): Change[] {
  const all = before.operations.map(({ name }) => name);
  const shared = [...compareShared(before.root, after.root)];
  const comparisons = new SchemaComparisons();
  const compare = (both: Operations) => compareOperations(both, comparisons);
  const [webhooks = [], webhooksNow = []] = [before, after].map(({ root }) =>
    readPaths(root.get('webhooks'), undefined).flatMap(({ operations }) => operations),
  );
  return mergeChanges([
    ...shared.map((change) => concerning(all, change)),
    ...compareSecuritySchemes(before, after),
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
  return [
    ...inPlace.flatMap(({ old, now }) => {
      const moved = now ?? take(({ id }) => id !== undefined && id === old.id);
      return moved ? compare({ before: old, after: moved }) : presence(old, 'is removed');
    }),
    ...[...rest].map((operation) => presence(operation, 'is new')),
  ];
}

function presence(operation: OperationObject, verb: 'is new' | 'is removed'): Change {
  const { method, path, id, node } = operation;
  const place = `\`${method.toUpperCase()} ${path}\``;
  const text = `${id === undefined ? place : `\`${id}\` (${place})`} ${verb}.`;
  const change = (verb === 'is new' ? addition : breaking)(text, node);
  return concerning([operation.name], change);
}

const weighed = 'paths components security servers info openapi tags webhooks'.split(' ');

function* compareShared(before: SpecNode, after: SpecNode): Generator<PartChange> {
  yield* compareServers(before, after);
  const dialects = [before, after].flatMap((root) => root.get('jsonSchemaDialect')?.text ?? []);
  const usual = dialects.every((each) => ownDialects.test(each)) ? ['jsonSchemaDialect'] : [];
  yield* compareOtherMembers(before, after, 'the interface', [...weighed, ...usual]);
  const infoOf = (root: SpecNode) => membersOf(root.get('info'));
  const [info, infoNow] = [infoOf(before), infoOf(after)];
  for (const members of [info, infoNow]) members.delete('version');
  yield* compareProse(info, infoNow, (key) => `The \`${key}\` of \`info\``);
  const [tags, tagsNow] = [tagsOf(before), tagsOf(after)];
  yield* compareProse(tags, tagsNow, (name) => `Tag \`${name}\``);
}

function tagsOf(root: SpecNode): Map<string, SpecNode> {
  return new Map(root.get('tags')?.items.map((tag) => [tag.get('name')?.text ?? '', tag]));
}

/** Compares how credentials are sent (Security Scheme Object, OpenAPI 3.1 §4.8.27). */
function compareSecuritySchemes(before: OpenApiObject, after: OpenApiObject): Change[] {
  const [schemes, schemesNow] = [before, after].map(({ root }) =>
    membersOf(root.at('components', 'securitySchemes')),
  );
  return pairs(schemes, schemesNow).flatMap(({ key: name, before: old, after: now, either }) => {
    // One that is new or gone shows at the operations that require it, unless they still do.
    const usersIn = ({ operations }: OpenApiObject) =>
      operations.filter(({ security }) => security.some(({ node }) => node.get(name)));
    const users = usersIn(before).map(({ name }) => name);
    if (old && now) {
      const changes = [...compareSecurityScheme(old, now, `the credential \`${name}\``)];
      return changes.map((change) => concerning(users, change));
    }
    const text = `The credential \`${name}\` ${verbOf({ before: old, after: now })}.`;
    const isRequired = users.length > 0 && usersIn(after).length > 0;
    return isRequired ? [concerning(users, breaking(text, either))] : [];
  });
}

function* compareSecurityScheme(
  before: SpecNode,
  after: SpecNode,
  subject: string,
): Generator<PartChange> {
  const [old, now] = [before.follow(), after.follow()];
  // The names of headers and of the schemes of HTTP are the same in any case.
  const caseless = old.get('in')?.text === 'header' ? 'name' : 'scheme';
  const [text, textNow] = [old, now].map((node) => node.get(caseless)?.text?.toLowerCase());
  const weighed = text === textNow ? ['flows', caseless] : ['flows'];
  yield* compareOtherMembers(before, after, subject, weighed);
  const flowName = (flow: string) => `The flow \`${flow}\` of ${subject}`;
  const [flows, flowsNow] = [membersOf(old.get('flows')), membersOf(now.get('flows'))];
  yield* compareNamed(flows, flowsNow, flowName, (flow, flowNow, key) =>
    compareFlow(flow, flowNow, `\`${key}\` of ${subject}`),
  );
}

/** Compares a way to a token, and the scopes that it can have (§4.8.28 and §4.8.29). */
function* compareFlow(before: SpecNode, after: SpecNode, flow: string): Generator<PartChange> {
  const [refresh, refreshNow] = [before.get('refreshUrl'), after.get('refreshUrl')];
  const isNew = refresh === undefined && refreshNow !== undefined;
  if (isNew) yield addition(`The \`refreshUrl\` of ${flow} is new.`, refreshNow);
  const weighed = isNew ? ['scopes', 'refreshUrl'] : ['scopes'];
  yield* compareOtherMembers(before, after, flow, weighed);
  const [scopes, scopesNow] = [membersOf(before.get('scopes')), membersOf(after.get('scopes'))];
  const scopeName = (scope: string) => `The scope \`${scope}\` of ${flow}`;
  yield* compareNamed(scopes, scopesNow, scopeName);
}

/** Compares servers: a client may call any URL, and set its variables (OpenAPI 3.1 §4.8.5). */
function* compareServers(before: SpecNode, after: SpecNode): Generator<PartChange> {
  const [servers, serversNow] = [serversByUrl(before), serversByUrl(after)];
  const [first = ''] = servers.keys();
  const [firstNow] = serversNow.keys();
  const moved = first === firstNow ? undefined : serversNow.get(first);
  if (moved) yield breaking(`Server \`${first}\` is no longer the first.`, moved);
  yield* compareNamed(servers, serversNow, (url) => `Server \`${url}\``, compareServer);
}

/** Returns servers by URL. Absent or empty `servers` mean one, whose URL is `/` (§4.8.1). */
function serversByUrl(root: SpecNode): Map<string, SpecNode> {
  const written = root.get('servers')?.items ?? [];
  const standard = new SpecNode(root.document, ['servers'], {});
  const servers = written.length > 0 ? written : [standard];
  return new Map(servers.map((server) => [server.get('url')?.text || '/', server]));
}

/** Compares variables like the schema of a request (Server Variable Object, §4.8.6). */
function* compareServer(before: SpecNode, after: SpecNode, url: string): Generator<PartChange> {
  yield* compareOtherMembers(before, after, `the server \`${url}\``, ['url', 'variables']);
  const variables = (server: SpecNode) => membersOf(server.get('variables'));
  for (const { key, ...sides } of pairs(variables(before), variables(after))) {
    if (sides.before === undefined || sides.after === undefined) continue;
    const place = { direction: 'request', member: `server.${key}` } as const;
    const [old, now] = [[sides.before], [sides.after]];
    for (const change of compareSchemas({ before: old, after: now, place, lead: (it) => it })) {
      if ('weight' in change) yield { ...change, use: {} };
    }
  }
}
