import type { SpecNode } from '../../document/spec-document.js';
import { codesOf } from '../../openapi/error-code.js';
import { methods, type OperationObject, operationName } from '../../openapi/operation-object.js';
import type { Change, PartChange } from './change.js';
import { compareOtherMembers, keywordText, pairs, verbOf } from './compare-members.js';
import {
  compareParameters,
  compareRequestBodies,
  compareResponses,
  type Operations,
} from './compare-messages.js';
import { compareSecurity } from './compare-security.js';
import { isSame } from './resolve.js';

const clientExtensions = ['x-client-method', 'x-idempotent', 'x-paginated'];

const weighed = [
  ...['operationId', 'parameters', 'requestBody', 'responses', 'security'],
  ...['x-no-scope', 'x-no-id-token', 'x-sunset', ...clientExtensions],
];

/** Compares two versions of an operation (Operation Object, OpenAPI 3.1 §4.8.10). */
export function compareOperations(both: Operations): Change[] {
  const operation = operationName(both.before);
  return [...partChanges(both)].map(({ use, ...change }) => ({
    ...change,
    uses: [{ operation, ...use }],
  }));
}

function* partChanges(both: Operations): Generator<PartChange> {
  const { before, after } = both;
  const name = operationName(before);
  yield* compareNames(both);
  yield* compareExtensions(both);
  yield* compareSunset(both);
  yield* compareSecurity(both);
  yield* compareParameters(both);
  yield* compareRequestBodies(both);
  yield* compareResponses(both);
  yield* compareErrorCodes(both);
  yield* compareOtherMembers(before.node, after.node, `\`${name}\``, weighed, {});
  const [oldItem, newItem] = [pathItemOf(before), pathItemOf(after)];
  const ofPath = `path \`${after.path}\``;
  yield* compareOtherMembers(oldItem, newItem, ofPath, [...methods, 'parameters'], {});
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

/** A method of the client that goes or gets another shape breaks its callers. */
function* compareExtensions({ before, after }: Operations): Generator<PartChange> {
  const name = operationName(before);
  for (const key of clientExtensions) {
    const [old, now] = [before, after].map(({ node }) => present(node.get(key)));
    if (isSame(old, now)) continue;
    const isNewMethod = old === undefined && key !== 'x-paginated';
    yield {
      weight: isNewMethod ? 'minor' : 'major',
      text:
        old?.text && now?.text
          ? `The client's method \`${old.text}\` becomes \`${now.text}\`.`
          : `\`${key}\` of \`${name}\` ${verbOf({ before: old, after: now })}.`,
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
