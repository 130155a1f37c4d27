import type { FirmTables } from './firm-tables.js';
import type { Appearance, Column, Value } from './sql-scope.js';

/** Two values that are equal in all rows that a statement takes from some of its tables. */
export interface Equality {
  readonly sides: readonly [Value, Value];
  readonly narrows: ReadonlySet<Appearance>;
}

/** The values of each column that an `insert` names: one of each row, or that of its query. */
export interface Insertion {
  readonly target: Appearance;
  readonly values: ReadonlyMap<string, readonly Value[]>;
}

/**
 * Sets the state of all appearances: ties those that a parameter, or one that is tied, leads to.
 */
export function tie(
  equalities: readonly Equality[],
  insertions: readonly Insertion[],
  tables: FirmTables,
): void {
  const recordOf = ({ of, name }: Column) => tables.recordOf(of.table, name);
  let isChanged = true;
  const become = (appearance: Appearance, state: Appearance['state']) => {
    if (appearance.state === 'tied' || appearance.state === state) return;
    appearance.state = state;
    isChanged = true;
  };

  /**
   * Returns how a value names the record: as the firm or user of a parameter, or by a tied table.
   */
  const stateBy = (value: Value, record: string | undefined): Appearance['state'] => {
    if (value === undefined || record === undefined) return 'open';
    if (value === 'parameter') {
      if (record === 'firms.id') return 'tied';
      return record === 'users.id' ? 'own' : 'open';
    }
    const isTied = value.every(
      (column) =>
        column.of.state === 'tied' &&
        recordOf(column) === record &&
        (tables.hasOneFirm(record) || record === `${column.of.table}.${column.name}`),
    );
    return isTied ? 'tied' : 'open';
  };

  while (isChanged) {
    isChanged = false;
    for (const { sides, narrows } of equalities) {
      for (const [value, opposite] of [sides, [sides[1], sides[0]] as const]) {
        if (value === undefined || value === 'parameter') continue;
        for (const column of value) {
          if (!narrows.has(column.of)) continue;
          const state = stateBy(opposite, recordOf(column));
          if (state !== 'open') become(column.of, state);
        }
      }
    }
    for (const { target, values } of insertions) {
      const states = [...values].flatMap(([name, each]) => {
        const record = tables.recordOf(target.table, name);
        if (record === undefined || record === `${target.table}.${name}`) return [];
        return each.map((value) => ({ record, state: stateBy(value, record) }));
      });
      // The database refuses a row that names the firm and a record of another one.
      const firms = states.filter(({ record }) => record === 'firms.id');
      const deciding = firms.length > 0 ? firms : states;
      if (deciding.length === 0 || deciding.some(({ state }) => state === 'open')) continue;
      become(target, deciding.some(({ state }) => state === 'tied') ? 'tied' : 'own');
    }
  }
}
