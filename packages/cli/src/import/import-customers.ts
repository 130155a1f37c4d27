import { ApiError, type Client, ConflictError, UnprocessableContentError } from '@adx/client';
import { exitCodeOf, exitCodes, explain } from '../failure.js';
import type { CustomerRow } from './read-customer-rows.js';

/** What became of a line, or in a dry run would become of it. */
export interface ImportOutcome {
  readonly line: number;
  readonly enterpriseNumber: string;
  /** `new`: it would be created. `exists`: the firm has it already, and it is not changed. */
  readonly outcome: 'new' | 'created' | 'exists' | 'error';
  readonly problems: readonly string[];
}

/**
 * Creates the customers of the lines that the firm does not have. The error of a line stops no other.
 *
 * @param create false for a dry run, which creates nothing
 * @throws AdxError if the service does not respond, or refuses the credentials
 */
export async function importCustomers(
  client: Client,
  rows: readonly CustomerRow[],
  create: boolean,
): Promise<ImportOutcome[]> {
  const existing = new Set<string>();
  for await (const { enterpriseNumber } of client.customers.search({ limit: 200 })) {
    existing.add(enterpriseNumber);
  }
  const outcomes: ImportOutcome[] = [];
  for (const row of rows) {
    const { line, enterpriseNumber, problems } = row;
    const outcome = existing.has(enterpriseNumber)
      ? 'exists'
      : await outcomeOf(client, row, create);
    outcomes.push(
      typeof outcome === 'string'
        ? { line, enterpriseNumber, outcome, problems: outcome === 'exists' ? [] : problems }
        : { line, enterpriseNumber, outcome: 'error', problems: outcome },
    );
  }
  return outcomes;
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
