import {
  ApiError,
  BadRequestError,
  type Client,
  ConflictError,
  type CreateCustomerRequest,
  NotFoundError,
  UnprocessableContentError,
} from '@adx/client';
import { nobody } from '../doctor/check-scopes.js';
import { explain } from '../explain.js';
import { exitCodeOf, exitCodes } from '../failure.js';
import { inputNamesOf } from '../input-names.js';
import { type CustomerRow, customerColumns } from './read-customer-rows.js';

/** The outcome of a line, in a dry run the one that it would have. */
export interface ImportOutcome {
  readonly line: number;
  readonly enterpriseNumber: string;
  readonly name: string;
  /** `new`: it would be created. `exists`: the firm has it already, and it is not changed. */
  readonly outcome: 'new' | 'created' | 'exists' | 'error';
  readonly problems: readonly string[];
}

/**
 * Creates the customers of the lines that the firm does not have. The error of a line stops no
 * other.
 *
 * @param create false for a dry run, which creates nothing
 * @param signal stops it after the line at which it is
 * @returns the outcomes of the lines that were tried, and the error after which none was
 * @throws AdxError if the customers of the firm cannot be listed
 */
export async function importCustomers(
  client: Client,
  rows: readonly CustomerRow[],
  create: boolean,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<{ outcomes: readonly ImportOutcome[]; error: unknown }> {
  const known = await knownTo(client, signal);
  const outcomes: ImportOutcome[] = [];
  try {
    for (const row of rows) {
      signal.throwIfAborted();
      const { line, enterpriseNumber, name } = row;
      const outcome = known.numbers.has(enterpriseNumber)
        ? 'exists'
        : await outcomeOf(client, row, known, create);
      const result =
        typeof outcome === 'string'
          ? { outcome, problems: [] }
          : { outcome: 'error' as const, problems: outcome };
      outcomes.push({ line, enterpriseNumber, name, ...result });
      onProgress(outcomes.length, rows.length);
    }
    return { outcomes, error: undefined };
  } catch (error) {
    return { outcomes, error };
  }
}

type Known = Awaited<ReturnType<typeof knownTo>>;

/** Returns what the service lists: the numbers of customers, the owners of IBANs, the providers. */
async function knownTo(client: Client, signal: AbortSignal) {
  const [numbers, owners] = [new Set<string>(), new Map<string, string>()];
  for await (const customer of client.customers.search({ limit: 200 }, { signal })) {
    numbers.add(customer.enterpriseNumber);
    for (const { iban } of customer.bankAccounts) owners.set(iban, customer.enterpriseNumber);
  }
  const providers = new Set<string>();
  for await (const { code } of client.payrollProviders.list({ limit: 200 }, { signal })) {
    providers.add(code);
  }
  return { numbers, owners, providers };
}

/** Returns what becomes of a line whose customer the firm does not list, or its problems. */
async function outcomeOf(
  client: Client,
  { request, problems }: CustomerRow,
  { owners, providers }: Known,
  create: boolean,
): Promise<'new' | 'created' | 'exists' | readonly string[]> {
  if (request === undefined) return problems;
  const { bankAccounts = [], payrollProviders = [] } = request;
  const inUse = bankAccounts.filter(({ iban }) => owners.has(iban));
  const unknown = payrollProviders.filter(({ code }) => !providers.has(code));
  const found = [
    ...inUse.map(({ iban }) => `${iban} is an account of customer ${owners.get(iban)}`),
    ...unknown.map(({ code }) => `there is no payroll provider ${code}`),
  ];
  if (found.length > 0) return found;
  try {
    if (!create) return await refusalOf(client, request);
    await client.customers.create(request);
    return 'created';
  } catch (error) {
    if (error instanceof ConflictError && error.code === 'customerExists') return 'exists';
    if (isOfTheLine(error)) return refusedValues(error) ?? [explain(error)];
    throw error;
  }
}

/**
 * Asks the service which values of a customer it would refuse, by the change of a customer that
 * does not exist: a change has the limits of a creation, which are checked first, and nothing can
 * be created by it.
 */
async function refusalOf(
  client: Client,
  { enterpriseNumber, bankAccounts, payrollProviders, ...fields }: CreateCustomerRequest,
): Promise<'new' | readonly string[]> {
  try {
    await client.customers.update(nobody, fields);
  } catch (error) {
    const refused = refusedValues(error);
    if (refused !== undefined) return refused;
    if (!(error instanceof NotFoundError) || error.code === undefined) throw error;
  }
  return 'new';
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

/** Returns what is wrong with the values of a line, by their columns, if that is the error. */
function refusedValues(error: unknown): string[] | undefined {
  if (!(error instanceof BadRequestError) || error.details.length === 0) return undefined;
  return error.details.map(({ path, message }) => {
    const column = inputNamesOf(path).find((name) => customerColumns.has(name));
    return `${column ?? path} ${message}`;
  });
}
