import type { SpecNode } from '../../document/spec-document.js';
import type { Schema } from './references.js';

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

/** Returns a change of these operations. */
export function concerning(operations: readonly string[], { use, ...change }: PartChange): Change {
  return { ...change, uses: operations.map((operation) => ({ operation, ...use })) };
}

/** Two schemas to compare at a place of a request or response. */
export interface SchemaPair {
  readonly before: Schema;
  readonly after: Schema;
  readonly place: SchemaPlace;
  /** Leads from the place around it to this one. */
  readonly lead: Lead;
}

/** The properties of a place that its comparison depends on. */
export interface SchemaPlace {
  readonly direction: Direction;
  /** Its name in sentences: `Customer.address`. */
  readonly member: string;
  readonly isInField?: boolean;
  /** True for the `error` of an error, which holds its code. */
  readonly isErrorCode?: boolean;
  /** True where it is not known whether more values allow more calls: in `not` or `if`. */
  readonly isOpaque?: boolean;
  /** True inside a component that was exchanged for one with another name. */
  readonly isMoved?: boolean;
}

/** A change, or schemas in which there may be more. */
export type Found = PartChange | SchemaPair;

export type Lead = (around: Reach) => Reach;

/** Where a schema is in the calls of an operation. */
export interface Reach {
  /** The name in the usage (D-41), if that counts it: `body.address`. */
  readonly path: string | undefined;
  /** The name of the innermost part around it that not every call has. */
  readonly field: string | undefined;
  /** True for items and alternatives: what they require is not in every call. */
  readonly isConditional: boolean;
}

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
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.node.position.offset} ${change.text}`;
    const group = groups.get(key) ?? [];
    group.push(change);
    groups.set(key, group);
  }
  return [...groups.values()]
    .flatMap(mergeGroup)
    .map((change) => ({ change, offset: change.node.position.offset }))
    .sort(
      (a, b) =>
        weights.indexOf(b.change.weight) - weights.indexOf(a.change.weight) || a.offset - b.offset,
    )
    .map(({ change }) => change);
}

function mergeGroup(group: readonly Change[]): Change[] {
  const weight = heaviest(group);
  const heavy = group.filter((change) => change.weight === weight);
  if (heavy.length === 1) return heavy;
  const uses = new Map<string, Use>();
  for (const use of heavy.flatMap((change) => change.uses)) uses.set(JSON.stringify(use), use);
  return heavy.slice(0, 1).map((change) => ({ ...change, uses: [...uses.values()] }));
}
