import { ApiError, type Client, NotFoundError } from '@adx/client';
import { type Check, ok, problem } from '@adx/command/check';
import { exitCodes } from '../failure.js';

/** An id that no customer or mandate has: it would have been made in 1970. */
export const nobody = '000000000000000000000000';

/** A call for each scope that changes nothing, and is refused without it (§5 rule 6). */
const calls: Readonly<Record<string, (client: Client) => PromiseLike<unknown>>> = {
  'customers:read': (client) => client.customers.search({ limit: 1 }),
  'customers:write': (client) => client.customers.update(nobody, { name: 'Nobody' }),
  'customers:delete': (client) => client.customers.archive(nobody),
  'mandates:read': (client) => client.mandates.search({ limit: 1 }),
  'mandates:write': (client) => client.mandates.request(nobody),
  'files:read': (client) => client.codaFiles.missing({ limit: 1 }),
  'files:write': (client) => client.uploads.list({ limit: 1 }),
  'audit:read': (client) => client.auditEntries.list({ limit: 1 }),
};

/**
 * The scopes without which the check fails, because `adx pull` needs them. Others may be absent on
 * purpose.
 */
const needed = ['files:read'];

/** Checks which scopes the API key has, by calls that change nothing. */
export async function checkScopes(client: Client): Promise<Check> {
  const missing: string[] = [];
  for (const [scope, call] of Object.entries(calls)) {
    if (!(await isAllowed(() => call(client)))) missing.push(scope);
  }
  const has = Object.keys(calls).filter((scope) => !missing.includes(scope));
  const found = `${has.join(', ') || 'none'}${missing.length > 0 ? `; not ${missing.join(', ')}` : ''}`;
  const lacking = missing.filter((scope) => needed.includes(scope));
  if (lacking.length === 0) return ok('scopes', found);
  return problem(
    'scopes',
    found,
    `Ask the operator of the service for a key with ${lacking.join(', ')}.`,
    exitCodes.refused,
  );
}

async function isAllowed(call: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (error instanceof ApiError && error.code === 'insufficientScope') return false;
    throw error;
  }
}
