import { tablesOf } from '../../packages/server/test/support/tables.js';
import type { TestService } from './test-service.js';

/** The number of rows of each table, and the sum of the transactions that wrote them. */
type Snapshot = Readonly<Record<string, string>>;

const unwatched = ['rate_limit_windows', 'api_usage', 'audit_entries'];

/**
 * Returns a snapshot: two are equal if no row was added, changed or removed but those of any call.
 *
 * @param firmId - the firm whose rows alone are watched
 */
export async function snapshot(
  { knex }: Pick<TestService, 'knex'>,
  firmId?: string,
): Promise<Snapshot> {
  const ofFirm = "where coalesce(to_jsonb(t)->>'firm_id', to_jsonb(t)->>'id') = ?";
  const states = (await tablesOf(knex))
    .filter((name) => !unwatched.includes(name.replace(/^public\./, '')))
    .map(
      (name) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as state
           from ${name} t ${firmId === undefined ? '' : ofFirm}`,
    );
  const { rows } = await knex.raw<{ rows: { name: string; state: string }[] }>(
    states.join(' union all '),
    states.flatMap(() => firmId ?? []),
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
