import type { SpecNode } from '../../document/spec-document.js';

/** The version that a change needs (https://semver.org/). D-40 says what weighs what. */
export type Weight = 'major' | 'minor' | 'patch';

/** The direction of the changed part. An error is a response to a call that failed. */
export type Direction = 'request' | 'response' | 'error';

/** A difference between two specs that a caller can notice. */
export interface Change {
  readonly weight: Weight;
  /** A sentence, the same for all operations that the change concerns. */
  readonly text: string;
  /** An addition is new; prose is read by people only. */
  readonly kind?: 'addition' | 'prose' | undefined;
  /** True for an extension that only the generator of the client reads. */
  readonly isOfClient?: true | undefined;
  /** The element in the new spec, or in the old one if it is gone. */
  readonly node: SpecNode;
  readonly uses: readonly Use[];
}

export interface Use {
  /** Its `operationId`, or its method and path if it has none. */
  readonly operation: string;
  readonly direction?: Direction | undefined;
  /** The optional part, if only calls with it are concerned: `body.address.city`, `query.page`. */
  readonly field?: string | undefined;
  /** The values in that part, if only calls with one of these are concerned. */
  readonly values?: readonly string[] | undefined;
}

/** A change of a request or response, before the operation that it belongs to is known. */
export type PartChange = Omit<Change, 'uses'> & { readonly use: Omit<Use, 'operation'> };

const weights: readonly Weight[] = ['patch', 'minor', 'major'];

export function heaviest(changes: readonly { readonly weight: Weight }[]): Weight | undefined {
  return weights.findLast((weight) => changes.some((change) => change.weight === weight));
}

/**
 * Puts changes with the same place and text together, and sorts by weight, then by place. What
 * weighs less in requests than in responses, or the other way round, has the higher weight and its
 * uses.
 */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const documents = [...new Set(changes.map(({ node }) => node.document))];
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { node, text } = change;
    const key = JSON.stringify([documents.indexOf(node.document), node.path, text]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()].flatMap(mergeGroup).sort(byWeightAndPlace);
}

function mergeGroup(group: readonly Change[]): Change[] {
  const weight = heaviest(group);
  const decisive = group.filter((change) => change.weight === weight);
  const uses = new Map(
    decisive.flatMap((change) => change.uses).map((use) => [JSON.stringify(use), use]),
  );
  return decisive.slice(0, 1).map((change) => ({ ...change, uses: [...uses.values()] }));
}

function byWeightAndPlace(a: Change, b: Change): number {
  return (
    weights.indexOf(b.weight) - weights.indexOf(a.weight) ||
    a.node.position.offset - b.node.position.offset
  );
}
