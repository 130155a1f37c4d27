import type { Knex } from 'knex';
import type { RepeatingStep } from '../jobs/repeating-tasks.js';
import type { UsedElement } from './used-elements.js';

/** The number of days before today whose counts are kept. */
export const KEPT_DAYS = 400;

export interface UsageCount extends UsedElement {
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly apiKeyId: string;
  readonly calls: number;
}

/**
 * Adds counts to those of other processes. Rows are in order, so that processes do not deadlock.
 * Counts of API keys that are no longer in the database are left out.
 */
export async function addUsage(knex: Knex, counts: readonly UsageCount[]): Promise<void> {
  await knex.raw(
    `insert into api_usage as u (day, api_key_id, operation, field, value, calls)
     select c.day, c.api_key_id, c.operation, c.field, c.value, c.calls
       from unnest(?::date[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
            as c (day, api_key_id, operation, field, value, calls)
       join api_keys k on k.id = c.api_key_id
      order by c.day, c.api_key_id, c.operation, c.field, c.value
     on conflict (day, api_key_id, operation, field, value)
        do update set calls = u.calls + excluded.calls`,
    [
      counts.map(({ day }) => day),
      counts.map(({ apiKeyId }) => apiKeyId),
      counts.map(({ operation }) => operation),
      counts.map(({ field }) => field),
      counts.map(({ value }) => value),
      counts.map(({ calls }) => calls),
    ],
  );
}

export interface Usage {
  /** The first day in UTC, `YYYY-MM-DD`; later than asked for if no call was counted before. */
  readonly from: string;
  readonly to: string;
  readonly operation?: string;
  readonly uses: readonly UsageSum[];
}

/** The calls of an API key to an operation; or those of them that had a field, or a value in it. */
export interface UsageSum {
  readonly partner: string;
  readonly apiKey: string;
  readonly operation: string;
  /** The field; without it, the calls are those of the operation. */
  readonly field?: string;
  /** A value of an enumeration; JSON if it is no text. Without it, the calls with the field. */
  readonly value?: string;
  readonly calls: number;
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly lastUsed: string;
}

/** @param days - the number of days, today in UTC included */
export async function readUsage(
  knex: Knex,
  { days, operation }: { readonly days: number; readonly operation?: string | undefined },
): Promise<Usage> {
  const covered = await knex.raw<{ rows: [Pick<Usage, 'from' | 'to'>] }>(
    `select greatest(today - ?::int + 1, least(today, (select min(day) from api_usage))) as "from",
            today as "to"
       from (select (now() at time zone 'UTC')::date as today) as t`,
    [days],
  );
  const [{ from, to }] = covered.rows;
  const { rows } = await knex.raw<{ rows: Required<UsageSum>[] }>(
    `select k.partner, k.id as "apiKey", u.operation, u.field, u.value,
            sum(u.calls)::bigint as calls, max(u.day) as "lastUsed"
       from api_usage u join api_keys k on k.id = u.api_key_id
      where u.day >= ?::date
        and u.operation = coalesce(?, u.operation)
      group by k.partner, k.id, u.operation, u.field, u.value
      order by k.partner, k.id, u.operation, u.field, u.value`,
    [from, operation ?? null],
  );
  const uses = rows.map(({ field, value, ...sum }) => ({
    ...sum,
    ...(field !== '' && { field }),
    ...(value !== '' && { value: textOf(value) }),
  }));
  return { from, to, ...(operation !== undefined && { operation }), uses };
}

/** Returns the text that a JSON text stands for, or the JSON of any other value. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}

export function deleteOldUsage(knex: Knex): RepeatingStep {
  return {
    name: 'deleting old counts of calls',
    async run() {
      await knex.raw(
        `delete from api_usage where day < (now() at time zone 'UTC')::date - ${KEPT_DAYS}`,
      );
      return 'done';
    },
  };
}
