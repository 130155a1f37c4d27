import type { Change, Reach, SchemaPair, Use } from './change.js';
import { compareSchemas, type SchemaChange } from './compare-schemas.js';
import { isSame } from './same.js';
import { nameOfOnly, pathText } from './schema-view.js';

/** Two schemas that were compared at one kind of place. */
interface Comparison {
  readonly direction: SchemaPair['place']['direction'];
  readonly changes: readonly SchemaChange[];
  readonly further: readonly SchemaPair[];
  /** The places whose fields the usage counts. */
  readonly places: Place[];
  /** The uses at all other places as bits, because most comparisons have many in common. */
  others: bigint;
}

interface Place {
  readonly operation: string;
  readonly reach: Reach;
}

/** A way to a schema, with the comparisons that lead there. */
interface Step {
  readonly pair: SchemaPair;
  readonly reach: Reach;
  readonly around: Around | undefined;
}

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
  readonly #lists = new Map<bigint, readonly Use[]>();

  /** Adds the schemas of an operation. */
  add(operation: string, pairs: readonly SchemaPair[]): void {
    const steps = pairs
      .filter((pair) => !isUnchanged(pair))
      .map((pair): Step => ({ pair, reach: outside, around: undefined }));
    let left = mostPlaces;
    // A list goes on to the steps that are added meanwhile: the shortest ways come first.
    for (const { pair, reach: before, around } of steps) {
      const comparison = this.#compare(pair);
      // A schema that contains itself has the names of the outermost one (D-41).
      if (isAround(comparison, around)) continue;
      const reach = left > 0 ? pair.lead(before) : outside;
      if (reach.path === undefined) {
        const { direction } = comparison;
        const use = this.#use({ operation, direction, field: reach.field });
        const bit = this.#bits.get(use) ?? 1n << BigInt(this.#bits.size);
        this.#bits.set(use, bit);
        comparison.others |= bit;
        continue;
      }
      left -= 1;
      comparison.places.push({ operation, reach });
      const inside = { comparison, around };
      steps.push(...comparison.further.map((next) => ({ pair: next, reach, around: inside })));
    }
  }

  /** Returns the changes with the operations that they concern. */
  changes(): Change[] {
    this.#spread();
    return [...this.#comparisons.values()].flatMap((comparison) => {
      const others = this.#listOf(comparison.others);
      return comparison.changes.map(({ lead, values, ...change }) => {
        const named = this.#named(comparison, { lead, values });
        return { ...change, uses: named.length > 0 ? [...new Set([...named, ...others])] : others };
      });
    });
  }

  /** Passes the other places on to all schemas that the compared ones refer to. */
  #spread(): void {
    const open = new Set([...this.#comparisons.values()].filter(({ others }) => others !== 0n));
    for (const comparison of open) {
      open.delete(comparison);
      for (const next of comparison.further.map((pair) => this.#compare(pair))) {
        const others = next.others | comparison.others;
        if (others !== next.others) open.add(next);
        next.others = others;
      }
    }
  }

  #compare(pair: SchemaPair): Comparison {
    const known = this.#pairs.get(pair) ?? this.#comparisons.get(keyOf(pair));
    const comparison = known ?? compareAnew(pair);
    this.#pairs.set(pair, comparison);
    if (!known) this.#comparisons.set(keyOf(pair), comparison);
    return comparison;
  }

  #named(
    { direction, places }: Comparison,
    { lead = (reach) => reach, values }: Pick<SchemaChange, 'lead' | 'values'>,
  ): Use[] {
    return places.map(({ operation, reach }) => {
      const { path, field } = lead(reach);
      // Values count for required fields too.
      const use = values ? { field: path, values } : { field };
      return this.#use({ operation, direction, ...use });
    });
  }

  #listOf(bits: bigint): readonly Use[] {
    const known = this.#lists.get(bits);
    const uses = known ?? [...this.#bits].flatMap(([use, bit]) => ((bits & bit) === 0n ? [] : use));
    this.#lists.set(bits, uses);
    return uses;
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

function compareAnew(pair: SchemaPair): Comparison {
  const found = [...compareSchemas(pair)];
  return {
    direction: pair.place.direction,
    changes: found.flatMap((each) => ('place' in each ? [] : [each])),
    further: found.flatMap((each) => ('place' in each && !isUnchanged(each) ? [each] : [])),
    places: [],
    others: 0n,
  };
}

function isUnchanged({ before, after }: SchemaPair): boolean {
  return before.length === after.length && before.every((node, at) => isSame(node, after[at]));
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
  const [name, nameNow] = [nameOfOnly(before), nameOfOnly(after)];
  const isPlain = isMoved || (name !== undefined && name === nameNow);
  // The place of the one that a schema refers to without more counts for its own.
  const [old, now] = [before, after].map((schema) =>
    schema.map((node) => pathText(node.members.length === 1 ? node.follow() : node)),
  );
  return JSON.stringify([direction, flags, old, now, isPlain ? '' : member]);
}
