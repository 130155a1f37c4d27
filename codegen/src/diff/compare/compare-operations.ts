import type { SpecNode } from '../../document/spec-document.js';
import { clientPlace } from '../../model/build-api-model.js';
import { codesOf } from '../../openapi/error-code.js';
import {
  methods,
  type OperationObject,
  operationName,
  readPaths,
} from '../../openapi/operation-object.js';
import type { Change, Found, PartChange } from './change.js';
import { compareOtherMembers, keywordText, pairs, verbOf } from './compare-members.js';
import {
  compareParameters,
  compareRequestBodies,
  compareResponses,
  type Operations,
} from './compare-messages.js';
import { compareSecurity } from './compare-security.js';
import { isSame } from './same.js';
import type { SchemaComparisons } from './schema-comparisons.js';

const clientExtensions = ['x-idempotent', 'x-paginated'];

const weighed = [
  ...['operationId', 'parameters', 'requestBody', 'responses', 'security', 'callbacks'],
  ...['x-no-scope', 'x-no-id-token', 'x-sunset', 'x-client-method', ...clientExtensions],
];

/**
 * Compares two versions of an operation (Operation Object, OpenAPI 3.1 §4.8.10).
 *
 * @param comparisons receives the schemas, which operations share
 * @param operation the operation that the changes concern
 */
export function compareOperations(
  both: Operations,
  comparisons: SchemaComparisons,
  operation = operationName(both.before),
): Change[] {
  const found = [...partChanges(both)];
  comparisons.add(
    operation,
    found.flatMap((each) => ('place' in each ? [each] : [])),
  );
  const own = found.flatMap((each) => ('place' in each ? [] : [each]));
  return [
    ...own.map(({ use, ...change }) => ({ ...change, uses: [{ operation, ...use }] })),
    ...(both.isReversed ? [] : compareCallbacks(both, comparisons, operation)),
  ];
}

function* partChanges(both: Operations): Generator<Found> {
  const { before, after, isReversed } = both;
  const name = operationName(before);
  yield* compareNames(both);
  if (!isReversed) {
    yield* compareClientMethods(both);
    yield* compareExtensions(both);
    yield* compareSecurity(both);
  }
  yield* compareSunset(both);
  yield* compareParameters(both);
  yield* compareRequestBodies(both);
  yield* compareResponses(both);
  yield* compareErrorCodes(both);
  yield* compareOtherMembers(before.node, after.node, `\`${name}\``, weighed, {});
  const [oldItem, newItem] = [pathItemOf(before), pathItemOf(after)];
  const ofPath = `path \`${after.path}\``;
  yield* compareOtherMembers(oldItem, newItem, ofPath, [...methods, 'parameters'], {});
}

/** Compares the requests that the service makes (Callback Object, OpenAPI 3.1 §4.8.18). */
function compareCallbacks(
  { before, after }: Operations,
  comparisons: SchemaComparisons,
  operation: string,
): Change[] {
  const [old, now] = [before, after].map(({ node }) => callbacksOf(node));
  return [...pairs(old ?? new Map(), now ?? new Map())].flatMap(({ key, ...sides }) => {
    if (sides.before && sides.after) {
      const both = { before: sides.before, after: sides.after, isReversed: true };
      return compareOperations(both, comparisons, operation);
    }
    const node = (sides.after ?? sides.before)?.node ?? after.node;
    const text = `The callback \`${key}\` of \`${operation}\` ${sides.after ? 'is new' : 'is removed'}.`;
    const kind = sides.after ? 'addition' : undefined;
    return [{ weight: sides.after ? 'minor' : 'major', text, kind, node, uses: [{ operation }] }];
  });
}

function callbacksOf(operation: SpecNode): Map<string, OperationObject> {
  const callbacks = operation.get('callbacks')?.members ?? [];
  return new Map(
    callbacks.flatMap((callback) =>
      readPaths(callback.follow(), undefined)
        .flatMap(({ operations }) => operations)
        .map((each) => [`${callback.key} ${each.method.toUpperCase()} ${each.path}`, each]),
    ),
  );
}

function pathItemOf({ node }: OperationObject): SpecNode {
  return node.document.find(node.path.slice(0, -1)) ?? node;
}

function* compareNames({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before, after].map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const name = operationName(before);
  const change = { weight: 'major', use: {} } as const;
  if (withoutNames(old ?? '') !== withoutNames(now ?? '')) {
    yield { ...change, text: `\`${name}\` moves from \`${old}\` to \`${now}\`.`, node: after.node };
  }
  if (before.id !== undefined && before.id !== after.id) {
    const text = `The \`operationId\` of \`${name}\` ${after.id ? `becomes \`${after.id}\`` : 'is removed'}.`;
    yield { ...change, text, node: after.node.get('operationId') ?? after.node };
  }
}

/** Returns a path without the names of its parameters, which are not sent. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** Compares the names of the client's methods, which callers write: also those of the first tag. */
function* compareClientMethods({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before, after].map(clientPlace);
  const [written, writtenNow] = [before, after].map(({ node }) => node.get('x-client-method'));
  // Another `operationId` is a change of its own.
  const isRenamed = (written ?? writtenNow) !== undefined && old?.method !== now?.method;
  if (before.id === undefined || (old?.resource === now?.resource && !isRenamed)) return;
  yield {
    weight: 'major',
    text: `The client's method \`${methodName(before)}\` becomes \`${methodName(after)}\`.`,
    isOfClient: true,
    node: writtenNow ?? after.node.at('tags') ?? written ?? after.node,
    use: {},
  };
}

function methodName(operation: OperationObject): string {
  const { resource, method } = clientPlace(operation);
  return `${resource}.${method}`;
}

/** Compares what a method does: one that takes or returns something else breaks its callers. */
function* compareExtensions({ before, after }: Operations): Generator<PartChange> {
  const name = operationName(before);
  for (const key of clientExtensions) {
    const [old, now] = [before, after].map(({ node }) => present(node.get(key)));
    if (isSame(old, now)) continue;
    const isNewPromise = old === undefined && key !== 'x-paginated';
    yield {
      weight: isNewPromise ? 'minor' : 'major',
      text: `\`${key}\` of \`${name}\` ${verbOf({ before: old, after: now })}.`,
      kind: old === undefined ? 'addition' : undefined,
      isOfClient: true,
      node: now ?? old ?? after.node,
      use: {},
    };
  }
}

/** Callers rely on a deprecated operation until the day that it named. */
function* compareSunset({ before, after }: Operations): Generator<PartChange> {
  const [old, now] = [before, after].map(({ node }) => node.get('x-sunset'));
  if (isSame(old, now)) return;
  const isEarlier = old?.text !== undefined && now?.text !== undefined && now.text < old.text;
  yield {
    weight: isEarlier ? 'major' : old ? 'patch' : 'minor',
    text: keywordText('x-sunset', operationName(before), old?.value, now?.value),
    node: now ?? after.node,
    use: {},
  };
}

function present(node: SpecNode | undefined): SpecNode | undefined {
  return node?.value === false ? undefined : node;
}

/** Compares codes. Callers handle a new code by its status, so only a new status is a break. */
function* compareErrorCodes({ before, after }: Operations): Generator<PartChange> {
  const use = { direction: 'error' } as const;
  for (const { key: code, ...sides } of pairs(codesByName(before), codesByName(after))) {
    const [old, now] = [sides.before ?? [], sides.after ?? []];
    const lost = old.filter(({ status }) => !now.some((each) => each.status === status));
    const gained = now.filter(({ status }) => !old.some((each) => each.status === status));
    for (const [index, { status, example: node }] of gained.entries()) {
      const former = lost[index]?.status;
      const text = `Error code \`${code}\``;
      yield former === undefined
        ? { weight: 'minor', text: `${text} (${status}) is new.`, kind: 'addition', node, use }
        : {
            weight: 'major',
            text: `${text} comes with status ${status} instead of ${former}.`,
            node,
            use,
          };
    }
    for (const { status, example: node } of lost.slice(gained.length)) {
      const text = `Error code \`${code}\` (${status}) is no longer returned.`;
      yield { weight: 'patch', text, node, use };
    }
  }
}

function codesByName(operation: OperationObject) {
  const codes = codesOf(operation);
  return new Map(codes.map(({ code }) => [code, codes.filter((each) => each.code === code)]));
}
