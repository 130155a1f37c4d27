import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/document/json.js';

/** What becomes of queries with a parameter `p`. */
interface ParameterTable {
  readonly name: string;
  readonly parameter: JsonObject;
  /** What a handler gets as `p`, by the query. */
  readonly reads: Readonly<Record<string, JsonValue>>;
  /** The queries that are refused, by the message. */
  readonly refuses?: Readonly<Record<string, readonly string[]>>;
}

export const parameterTables: readonly ParameterTable[] = parse(
  readFileSync(new URL('../reads/parameters.yaml', import.meta.url), 'utf8'),
);
