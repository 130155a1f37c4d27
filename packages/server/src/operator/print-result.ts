import type { OperatorContext } from './operator-context.js';

/** The option that every command has but `serve`. */
export interface JsonOption {
  readonly json?: true;
}

/** Prints a result for scripts with `--json`, for people otherwise. */
export function printResult(
  context: OperatorContext,
  options: JsonOption,
  result: unknown,
  forPeople: () => string,
): void {
  context.print(options.json ? `${JSON.stringify(result, null, 2)}\n` : forPeople());
}
