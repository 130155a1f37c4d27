import type { Change, Reach, SchemaPair, Use } from './change.js';
import { compareSchemas, type SchemaChange } from './compare-schemas.js';
import type { Schema } from './references.js';
import { isSame } from './same.js';
import { nameOfOnly, pathText } from './schema-view.js';

/** Two schemas that were compared at one kind of place. */
interface Comparison {
  readonly direction: SchemaPair['place']['direction'];
  readonly changes: readonly SchemaChange[];
  readonly further: readonly SchemaPair[];
  /** The places whose fields the usage counts. */
  readonly places: Place[];
  /** The other places as a set of bits, one for each use: it is that of many comparisons. */
  others: bigint;
}

interface Place {
  readonly operation: string;
  readonly reach: Reach;
}

interface Step extends Place {
  readonly pair: SchemaPair;
  readonly around: Around | undefined;
}

/** The comparisons on the way to a place. */
interface Around {
  readonly comparison: Comparison;
  readonly around: Around | undefined;
}

/**
 * The places whose fields are named in one operation. There are more ways through schemas that
 * refer to each other than anybody could go; those that are left concern all calls.
 */
const mostPlaces = 300;

const outside: Reach = { path: undefined, field: undefined, isConditional: false };

/**
 * Compares pairs of schemas, each once however many places lead to it: schemas can refer to each
 * other in circles. The operations that a change concerns are found afterwards.
 */
export class SchemaComparisons {
  readonly #comparisons = new Map<string, Comparison>();
  readonly #pairs = new Map<SchemaPair, Comparison>();
  readonly #uses = new Map<string, Use>();
  readonly #bits = new Map<Use, bigint>();
  readonly #sets = new Map<bigint, readonly Use[]>();

  /** Adds the schemas of an operation. */
  add(operation: string, pairs: readonly SchemaPair[]): void {
    const steps = pairs
      .filter((pair) => !isUnchanged(pair))
      .map((pair): Step => ({ operation, pair, reach: outside, around: undefined }));
    let left = mostPlaces;
    // A list goes on to the steps that are added meanwhile: the shortest ways come first.
    for (const { pair, reach, around } of steps) {
      const comparison = this.#compare(pair);
      // A schema that contains itself has the names of the outermost one (D-41).
      if (isAround(comparison, around)) continue;
      const led = left > 0 ? pair.lead(reach) : outside;
      if (led.path === undefined) {
        const { direction } = comparison;
        comparison.others |= this.#bitOf(this.#use({ operation, direction, field: led.field }));
        continue;
      }
      left -= 1;
      comparison.places.push({ operation, reach: led });
      const within = { comparison, around };
      for (const next of comparison.further) {
        steps.push({ operation, pair: next, reach: led, around: within });
      }
    }
  }

  /** Returns the changes with the operations that they concern. */
  changes(): Change[] {
    this.#spread();
    return [...this.#comparisons.values()].flatMap((comparison) =>
      comparison.changes.map(({ lead, values, ...change }) => ({
        ...change,
        uses: this.#usesOf(comparison, { lead, values }),
      })),
    );
  }

  /** Passes the other places on to all schemas that the compared ones refer to. */
  #spread(): void {
    const open = new Set([...this.#comparisons.values()].filter(({ others }) => others !== 0n));
    for (const comparison of open) {
      open.delete(comparison);
      for (const pair of comparison.further) {
        const next = this.#compare(pair);
        const others = next.others | comparison.others;
        if (others === next.others) continue;
        next.others = others;
        open.add(next);
      }
    }
  }

  #compare(pair: SchemaPair): Comparison {
    const known = this.#pairs.get(pair) ?? this.#comparisons.get(keyOf(pair));
    if (known) {
      this.#pairs.set(pair, known);
      return known;
    }
    const changes: SchemaChange[] = [];
    const further: SchemaPair[] = [];
    for (const found of compareSchemas(pair)) {
      if (!('place' in found)) changes.push(found);
      else if (!isUnchanged(found)) further.push(found);
    }
    const { direction } = pair.place;
    const comparison = { direction, changes, further, places: [], others: 0n };
    this.#comparisons.set(keyOf(pair), comparison);
    return comparison;
  }

  #usesOf(
    { direction, places, others }: Comparison,
    { lead = (reach) => reach, values }: Pick<SchemaChange, 'lead' | 'values'>,
  ): readonly Use[] {
    const named = places.map(({ operation, reach }) => {
      const { path, field } = lead(reach);
      // Values count for required fields too.
      const use = values ? { operation, direction, field: path, values } : undefined;
      return this.#use(use ?? { operation, direction, field });
    });
    return named.length === 0
      ? this.#setOf(others)
      : [...new Set([...named, ...this.#setOf(others)])];
  }

  /** Returns the uses of a set of bits, the same list for the same set. */
  #setOf(bits: bigint): readonly Use[] {
    const known = this.#sets.get(bits);
    if (known) return known;
    const uses = [...this.#bits].flatMap(([use, bit]) => ((bits & bit) === 0n ? [] : use));
    this.#sets.set(bits, uses);
    return uses;
  }

  #bitOf(use: Use): bigint {
    const bit = this.#bits.get(use) ?? 1n << BigInt(this.#bits.size);
    this.#bits.set(use, bit);
    return bit;
  }

  /** Returns the same object for the same use, because changes have many in common. */
  #use(use: Use): Use {
    const { operation, direction, field, values } = use;
    const key = [operation, direction, field, ...(values ?? [])].join('\n');
    const known = this.#uses.get(key) ?? use;
    this.#uses.set(key, known);
    return known;
  }
}

function isUnchanged({ before, after }: SchemaPair): boolean {
  return (
    before.length === after.length && before.every((node, index) => isSame(node, after[index]))
  );
}

function isAround(comparison: Comparison, around: Around | undefined): boolean {
  for (let each = around; each; each = each.around) if (each.comparison === comparison) return true;
  return false;
}

/**
 * Names a comparison by its schemas. Their place counts too, unless it is that of a component, or
 * in an exchanged one, where places have no end.
 */
function keyOf({ before, after, place }: SchemaPair): string {
  const { direction, member, isInField, isErrorCode, isOpaque, isMoved } = place;
  const flags = [isOpaque, isErrorCode, direction === 'error' && isInField].map(Boolean);
  const [old, now] = [before, after].map(nameOfOnly);
  const isPlain = isMoved || (old !== undefined && old === now);
  const schemas = [before, after].map((schema) => schema.map(ownPath));
  return JSON.stringify([direction, flags, schemas, isPlain ? '' : member]);
}

/** Returns the place of a schema, or of the one that it refers to without more. */
function ownPath(node: Schema[number]): string {
  return pathText(node.members.length === 1 ? node.follow() : node);
}
