import type { Knex } from 'knex';
import { type OperatorScope, operatorScope } from '../identity/operator-scope.js';
import { type OperatorContext, requireFirm } from './operator-context.js';

/** The option `--json`. All commands have it, except for `serve` and `worker`. */
export interface JsonOption {
  readonly json?: true;
}

/** Writes a result as JSON with `--json`, and as text otherwise. */
export function printResult(
  context: OperatorContext,
  options: JsonOption,
  result: unknown,
  toText: () => string,
): void {
  context.print(options.json ? `${JSON.stringify(result, null, 2)}\n` : toText());
}

/** Reads a list within a scope. */
export type List<Row> = (knex: Knex, scope: OperatorScope) => Promise<readonly Row[]>;

/** Writes what a list returns for all firms, or for that of the option `--firm`. */
export async function printList<Row>(
  context: OperatorContext,
  options: JsonOption & { readonly firm?: string },
  list: List<Row>,
  toText: (rows: readonly Row[]) => string,
): Promise<void> {
  const rows = await context.withDatabase(async (knex) => {
    if (options.firm !== undefined) await requireFirm(knex, options.firm);
    return list(knex, operatorScope(options.firm));
  });
  printResult(context, options, rows, () => toText(rows));
}
