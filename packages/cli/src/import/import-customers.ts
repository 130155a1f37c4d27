import { ApiError, type Client, ConflictError, UnprocessableContentError } from '@adx/client';
import { explain } from '../explain.js';
import { exitCodeOf, exitCodes } from '../failure.js';
import type { CustomerRow } from './read-customer-rows.js';

/** What became of a line, or in a dry run would become of it. */
export interface ImportOutcome {
  readonly line: number;
  readonly enterpriseNumber: string;
  /** `new`: it would be created. `exists`: the firm has it already, and it is not changed. */
  readonly outcome: 'new' | 'created' | 'exists' | 'error';
  readonly problems: readonly string[];
}

/** The result of an import. */
interface ImportResult {
  /** Of the lines that were tried. */
  readonly outcomes: readonly ImportOutcome[];
  /** The error after which no more lines were tried. */
  readonly error: unknown;
}

/**
 * Creates the customers of the lines that the firm does not have. The error of a line stops no other.
 *
 * @param create false for a dry run, which creates nothing
 * @param signal stops it after the line at which it is
 * @throws AdxError if the customers of the firm cannot be listed
 */
export async function importCustomers(
  client: Client,
  rows: readonly CustomerRow[],
  create: boolean,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<ImportResult> {
  const existing = new Set<string>();
  for await (const { enterpriseNumber } of client.customers.search({ limit: 200 }, { signal })) {
    existing.add(enterpriseNumber);
  }
  const outcomes: ImportOutcome[] = [];
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const { line, enterpriseNumber, problems } = row;
      const outcome = existing.has(enterpriseNumber)
        ? 'exists'
        : await outcomeOf(client, row, create);
      outcomes.push(
        typeof outcome === 'string'
          ? { line, enterpriseNumber, outcome, problems: outcome === 'exists' ? [] : problems }
          : { line, enterpriseNumber, outcome: 'error', problems: outcome },
      );
      onProgress(outcomes.length, rows.length);
    }
    return { outcomes, error: undefined };
  } catch (error) {
    return { outcomes, error };
  }
}

/** Returns what becomes of a line whose customer the firm does not list, or its problems. */
async function outcomeOf(
  client: Client,
  { request, problems }: CustomerRow,
  create: boolean,
): Promise<'new' | 'created' | 'exists' | readonly string[]> {
  if (request === undefined) return problems;
  if (!create) return 'new';
  try {
    await client.customers.create(request);
    return 'created';
  } catch (error) {
    if (error instanceof ConflictError && error.code === 'customerExists') return 'exists';
    if (isOfTheLine(error)) return [explain(error)];
    throw error;
  }
}

/** Returns true if other lines may succeed. */
function isOfTheLine(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 429 &&
    !(error instanceof UnprocessableContentError) &&
    exitCodeOf(error) !== exitCodes.refused
  );
}
